"""Audits: all measures that a model can answer, with plans, budgets, recipes, jobs and gates."""

from typing import TYPE_CHECKING

from genderscope.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from .auditor import audit as audit, override as override, recipe_of as recipe_of
    from .budgets import BUDGETS as BUDGETS
    from .gating import GateOutcome as GateOutcome, check_gates as check_gates
    from .job_process import Job as Job
    from .orchestration import (
        Audit as Audit,
        AuditDisplay as AuditDisplay,
        plan_audit as plan_audit,
        run_audit as run_audit,
    )
    from .planning import PlannedMeasure as PlannedMeasure, AuditPlan as AuditPlan, plan_for as plan_for
    from .probing import with_time_estimates as with_time_estimates
    from .recipes import (
        AuditedModel as AuditedModel,
        Recipe as Recipe,
        read_recipe as read_recipe,
        template as template,
    )
    from .running import Outcome as Outcome, Watcher as Watcher, run as run
    from .scheduling import run_jobs as run_jobs
    from .selection import Selection as Selection
    from .watching import reused_and_asked as reused_and_asked, show_plans as show_plans, tell_timing as tell_timing
    from .watching_jobs import TerminalDisplay as TerminalDisplay

__getattr__, __dir__ = lazy_exports(__name__)
