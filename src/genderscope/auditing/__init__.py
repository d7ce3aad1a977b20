"""All measures that a model can answer in one go: a plan, runs that share the loaded model, recipes, gates."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.auditing.auditor import Audit, audit, nothing_left
    from genderscope.auditing.gating import Held, hold
    from genderscope.auditing.planning import Part, Plan, folder_names, plan_for
    from genderscope.auditing.probing import estimated
    from genderscope.auditing.recipes import Entry, Recipe, read_recipe, template
    from genderscope.auditing.running import Outcome, Watcher, run
    from genderscope.auditing.watching import TerminalWatcher, in_all, show_plans
    from genderscope.auditing.wishes import BUDGETS, Wishes

__all__ = [
    "BUDGETS",
    "Audit",
    "Entry",
    "Held",
    "Outcome",
    "Part",
    "Plan",
    "Recipe",
    "TerminalWatcher",
    "Watcher",
    "Wishes",
    "audit",
    "estimated",
    "folder_names",
    "hold",
    "in_all",
    "nothing_left",
    "plan_for",
    "read_recipe",
    "run",
    "show_plans",
    "template",
]

__getattr__ = door(
    __name__,
    {
        "Audit": "auditor",
        "BUDGETS": "wishes",
        "Entry": "recipes",
        "Held": "gating",
        "Outcome": "running",
        "Part": "planning",
        "Plan": "planning",
        "Recipe": "recipes",
        "TerminalWatcher": "watching",
        "Watcher": "running",
        "Wishes": "wishes",
        "audit": "auditor",
        "estimated": "probing",
        "folder_names": "planning",
        "hold": "gating",
        "in_all": "watching",
        "nothing_left": "auditor",
        "plan_for": "planning",
        "read_recipe": "recipes",
        "run": "running",
        "show_plans": "watching",
        "template": "recipes",
    },
)
