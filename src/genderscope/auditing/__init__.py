"""All measures that a model can answer in one go: a plan, runs that share the loaded model, recipes, gates."""

from typing import TYPE_CHECKING

from genderscope.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from .auditor import Audit as Audit, audit as audit
    from .budgets import BUDGETS as BUDGETS
    from .gating import Held as Held, hold as hold
    from .job_process import Job as Job
    from .matrix import plans_of as plans_of
    from .planning import Part as Part, Plan as Plan, plan_for as plan_for
    from .probing import estimated as estimated
    from .recipes import Entry as Entry, Recipe as Recipe, read_recipe as read_recipe, template as template
    from .running import (
        Outcome as Outcome,
        Watcher as Watcher,
        announce as announce,
        keep_earlier_runs as keep_earlier_runs,
        run as run,
    )
    from .scheduling import require_jobs as require_jobs, run_jobs as run_jobs
    from .watching import (
        TerminalWatcher as TerminalWatcher,
        in_all as in_all,
        reused_and_asked as reused_and_asked,
        show_plans as show_plans,
        tell_timing as tell_timing,
    )
    from .watching_jobs import TerminalJobsWatcher as TerminalJobsWatcher
    from .wishes import Wishes as Wishes

__getattr__, __dir__ = lazy_exports(__name__)
