"""All measures that a model can answer in one go: a plan, runs that share the loaded model, recipes, gates."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.auditing.auditor import Audit, audit
    from genderscope.auditing.budgets import BUDGETS
    from genderscope.auditing.gating import Held, hold
    from genderscope.auditing.job_process import Job
    from genderscope.auditing.matrix import plans_of
    from genderscope.auditing.planning import Part, Plan, plan_for
    from genderscope.auditing.probing import estimated
    from genderscope.auditing.recipes import Entry, Recipe, read_recipe, template
    from genderscope.auditing.running import Outcome, Watcher, announce, keep_earlier_runs, run
    from genderscope.auditing.scheduling import require_jobs, run_jobs
    from genderscope.auditing.watching import TerminalWatcher, in_all, reused_and_asked, show_plans, tell_timing
    from genderscope.auditing.watching_jobs import TerminalJobsWatcher
    from genderscope.auditing.wishes import Wishes

__all__ = [
    "BUDGETS",
    "Audit",
    "Entry",
    "Held",
    "Job",
    "Outcome",
    "Part",
    "Plan",
    "Recipe",
    "TerminalJobsWatcher",
    "TerminalWatcher",
    "Watcher",
    "Wishes",
    "announce",
    "audit",
    "estimated",
    "hold",
    "in_all",
    "keep_earlier_runs",
    "plan_for",
    "plans_of",
    "read_recipe",
    "require_jobs",
    "reused_and_asked",
    "run",
    "run_jobs",
    "show_plans",
    "tell_timing",
    "template",
]

__getattr__ = door(
    __name__,
    {
        "Audit": "auditor",
        "BUDGETS": "budgets",
        "Entry": "recipes",
        "Held": "gating",
        "Job": "job_process",
        "Outcome": "running",
        "Part": "planning",
        "Plan": "planning",
        "Recipe": "recipes",
        "TerminalJobsWatcher": "watching_jobs",
        "TerminalWatcher": "watching",
        "Watcher": "running",
        "Wishes": "wishes",
        "announce": "running",
        "audit": "auditor",
        "estimated": "probing",
        "hold": "gating",
        "in_all": "watching",
        "keep_earlier_runs": "running",
        "plan_for": "planning",
        "plans_of": "matrix",
        "read_recipe": "recipes",
        "require_jobs": "scheduling",
        "reused_and_asked": "watching",
        "run": "running",
        "run_jobs": "scheduling",
        "show_plans": "watching",
        "tell_timing": "watching",
        "template": "recipes",
    },
)
