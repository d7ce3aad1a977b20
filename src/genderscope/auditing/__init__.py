"""Audits, which run all measures that a model supports, with their plans, budgets, recipes, jobs and gates."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .audit_display import reused_and_asked as reused_and_asked, show_plans as show_plans
    from .audit_display import tell_timing as tell_timing
    from .auditor import audit as audit, override as override, recipe_of as recipe_of
    from .selection import BUDGETS as BUDGETS
    from .concurrent_progress import TerminalDisplay as TerminalDisplay
    from .gate_checks import GateOutcome as GateOutcome, check_gates as check_gates
    from .jobs import Job as Job
    from .jobs import run_jobs as run_jobs
    from .model_plan import PlannedMeasure as PlannedMeasure, AuditPlan as AuditPlan, plan_for as plan_for
    from .auditor import Audit as Audit, AuditDisplay as AuditDisplay, plan_audit as plan_audit
    from .auditor import remove_scorecard as remove_scorecard, run_audit as run_audit
    from .plan_execution import Outcome as Outcome, Watcher as Watcher, run as run
    from .recipes import AuditedModel as AuditedModel, Recipe as Recipe, read_recipe as read_recipe
    from .recipes import template as template
    from .selection import Selection as Selection
    from .times import with_time_estimates as with_time_estimates
    from .times import with_predicted_times as with_predicted_times

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
