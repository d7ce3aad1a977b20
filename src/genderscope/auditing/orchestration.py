"""Complete audits: plans for all models, sequential or concurrent runs, the scorecard and the gates."""

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from genderscope.auditing.jobs import Job, JobsWatcher, require_jobs, run_jobs
from genderscope.auditing.model_plan import AuditPlan
from genderscope.auditing.plan_execution import Outcome, Watcher, announce, keep_earlier_runs, run
from genderscope.auditing.recipe_plans import plans_of
from genderscope.auditing.recipes import Recipe
from genderscope.auditing.times import with_predicted_times
from genderscope.core.errors import UserError
from genderscope.engine import all_announced, gpus_here, one_cluster
from genderscope.runs import Result, require_room
from genderscope.util import clock

if TYPE_CHECKING:
    from genderscope.auditing.gate_checks import GateOutcome
    from genderscope.comparison import Scorecard


class AuditDisplay:
    """Progress display for an audit; the base class shows nothing."""

    #: whether models are loaded and timed before the first question, instead of predicting the time
    timed: bool = False

    def opening(self, model: str) -> AbstractContextManager[None]:
        """Return a context manager that is active while a model is opened."""
        return nullcontext()

    def plans(self, plans: Sequence[AuditPlan]) -> None:
        """Show the plans for several models before the first audit begins."""

    def watch_models(self, count: int) -> AbstractContextManager[Watcher]:
        """Return a watcher for `count` models that are audited one after another."""
        return nullcontext(Watcher())

    def watch_jobs(self, missing: int) -> AbstractContextManager[JobsWatcher]:
        """Return a watcher for models that are audited concurrently, with `missing` unanswered questions in total."""
        return nullcontext(JobsWatcher())


@dataclass(frozen=True)
class Audit:
    """Outcome of an audit: each model's results, and the reason for each measure without a result."""

    outcomes: Mapping[str, Outcome]
    #: scorecard files, which cover every run in the audit's folder
    scorecard: tuple[Path, ...] = ()
    gates: "tuple[GateOutcome, ...]" = ()
    card: "Scorecard | None" = field(default=None, repr=False)

    @property
    def model(self) -> str:
        """Name of the model, if the audit has just one."""
        return self._only.plan.model.name

    @property
    def folder(self) -> Path:
        """Folder with the model's runs, if the audit has just one model."""
        return self._only.plan.folder

    @property
    def results(self) -> Mapping[str, Result]:
        """The model's results by measure, if the audit has just one model."""
        return self._only.results

    @property
    def left_out(self) -> Mapping[str, str]:
        """Reasons why measures were skipped or failed, if the audit has just one model."""
        return {**self._only.plan.left_out, **self._only.failed}

    @property
    def passed(self) -> bool:
        """Whether no measure failed and every gate passed."""
        return all(held.gate.passed for held in self.gates) and not any(o.failed for o in self.outcomes.values())

    @property
    def _only(self) -> Outcome:
        if len(self.outcomes) != 1:
            raise UserError(f"The audit has {len(self.outcomes)} models; select one of its outcomes by name.")
        return next(iter(self.outcomes.values()))

    def __repr__(self) -> str:
        lines = []
        for outcome in self.outcomes.values():
            plan, left_out = outcome.plan, len(outcome.plan.left_out) + len(outcome.failed)
            left = f", {left_out} left out" if left_out else ""
            done = ", ".join(outcome.results) or "nothing"
            lines.append(f"Audit({plan.model.name!r}: {done}{left}; {str(plan.folder)!r})")
        return "\n".join(lines)


def plan_audit(recipe: Recipe, display: AuditDisplay | None = None, preview: bool = False) -> dict[str, AuditPlan]:
    """Plan the audit of every model in a recipe, keyed by its name in the recipe; nothing is asked or written.

    For a `preview`, nothing is sent to a server either, and local models are opened only if necessary.
    """
    remote = recipe.models[0].settings.remote
    limited = (remote.max_requests, remote.max_cost) != (None, None)
    if recipe.jobs > 1 and limited:
        raise UserError("Spending limits cannot be shared by several processes; omit --jobs or the limits.")
    if display is not None and display.timed and limited:
        raise UserError("--time sends requests that would count towards the spending limit; omit --time or the limit.")
    if display is not None and display.timed and recipe.jobs > 1:
        raise UserError("--time times one model after another; omit --time or --jobs.")
    require_jobs(recipe.jobs)
    require_room(recipe.root)
    return plans_of(recipe, (display or AuditDisplay()).opening, preview)


def run_audit(recipe: Recipe, plans: Mapping[str, AuditPlan], display: AuditDisplay | None = None) -> Audit:
    """Ask the unanswered questions, write the scorecard and check the gates."""
    started = clock.now()
    outcomes = _outcomes(recipe, plans, display or AuditDisplay())
    card, files = None, list[Path]()
    if any(outcome.results for outcome in outcomes.values()):
        from genderscope.report import scorecard_of, write_card

        card = scorecard_of([recipe.root], None if recipe.baseline is None else plans[recipe.baseline].model.name)
        files = write_card(card, recipe.root)
    return Audit(outcomes, tuple(files), tuple(_checked(recipe, outcomes, started)), card)


def _checked(recipe: Recipe, outcomes: Mapping[str, Outcome], started: datetime) -> "Iterator[GateOutcome]":
    """Yield the outcome of each check of a run and of each gate."""
    if not recipe.gates and not recipe.run_checks:
        return
    from genderscope.auditing.gate_checks import check_gates, check_runs  # imports the comparison code

    yield from check_runs(recipe.run_checks, outcomes, recipe.baseline, started)
    yield from check_gates(recipe.gates, outcomes, recipe.baseline, recipe.min_coverage, recipe.allow_unjudged)


def remove_scorecard(recipe: Recipe) -> None:
    """Remove the scorecard of an earlier audit, so that an audit that fails does not leave an outdated one behind."""
    if any(recipe.root.glob("scorecard.*")):
        from genderscope.report import remove_card

        remove_card(recipe.root)


def _outcomes(recipe: Recipe, plans: Mapping[str, AuditPlan], display: AuditDisplay) -> dict[str, Outcome]:
    """Run the plans; the user is asked to consent to the cost of paid models before the first plan begins."""
    if len(plans) == 1:
        return _in_turn(plans, display)
    display.plans([with_predicted_times(plan) for plan in plans.values()])
    for plan in plans.values():
        announce(plan)
    for plan in plans.values():
        keep_earlier_runs(plan)
    with all_announced():
        return _side_by_side(recipe, plans, display) if recipe.jobs > 1 else _in_turn(plans, display)


def _in_turn(plans: Mapping[str, AuditPlan], display: AuditDisplay) -> dict[str, Outcome]:
    """Run the plans one after another, unloading each model before loading the next."""
    outcomes: dict[str, Outcome] = {}
    with display.watch_models(len(plans)) as watcher:
        for called, plan in plans.items():
            if outcomes:
                gc.collect()
            outcomes[called] = run(plan, watcher, display.timed)
            plan.model.unload()
    return outcomes


def _side_by_side(recipe: Recipe, plans: Mapping[str, AuditPlan], display: AuditDisplay) -> dict[str, Outcome]:
    """Run several plans concurrently, each in its own process."""
    at_a_time = min(recipe.jobs, len(plans))
    unfinished = {called: plan for called, plan in plans.items() if not plan.finished}
    with one_cluster(recipe.models[0].settings.for_engine, at_a_time) as engine:
        jobs = []
        for model in recipe.models:
            if (plan := unfinished.get(model.called)) is not None:
                settings = replace(model.settings.on(engine), fresh=False)  # earlier runs have already been renamed
                renamed = replace(model, settings=settings, name=plan.model.name)
                jobs.append(Job(renamed, plan.folder, recipe.selection))
        with display.watch_jobs(sum(plan.missing for plan in plans.values())) as watcher:
            jobs_ended = run_jobs(jobs, at_a_time, gpus_here([plan.model for plan in unfinished.values()]), watcher)
    return {called: jobs_ended.outcome(plan) for called, plan in plans.items()}
