"""Runs a plan's measures one after another, with the model loaded once."""

import logging
import os
from dataclasses import dataclass, field
from pathlib import Path

from genderscope.auditing.model_plan import AuditPlan, PlannedMeasure
from genderscope.auditing.times import with_predicted_times, with_time_estimates
from genderscope.core.errors import Reason, UserError
from genderscope.core.network import offline
from genderscope.engine import all_announced, is_announced, workers_kept
from genderscope.evaluation import ProgressFactory, evaluate
from genderscope.runs import Result, keep_earlier, record

_log = logging.getLogger("genderscope")


class Watcher:
    """Receiver for the progress of one model's audit; the base class ignores it."""

    def timing(self, plan: AuditPlan) -> None:
        """Prepare for the loading and timing of the model."""

    def planned(self, plan: AuditPlan) -> None:
        """Handle the complete plan, before any question is asked."""

    def begins(self, part: PlannedMeasure) -> ProgressFactory | None:
        """Handle the start of a measure; return a progress factory, if any."""
        return None

    def ends(self, part: PlannedMeasure, reason: str | None) -> None:
        """Handle the end of a measure; `reason` is set if it failed."""


@dataclass(frozen=True)
class Outcome:
    """Results and failures of one model's audit."""

    plan: AuditPlan
    results: dict[str, Result] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)  # measure -> reason for the failure


def run(plan: AuditPlan, watcher: Watcher, timed: bool = False) -> Outcome:
    """Ask the unanswered questions; if a measure fails, the others still run. If `timed`, time some questions first."""
    broken: str | None = None
    with offline(plan.selection.offline), workers_kept():
        try:
            if timed:
                watcher.timing(plan)
                plan = with_time_estimates(plan)
            else:
                plan = with_predicted_times(plan)
            if plan.renewed and plan.model.may_change:
                plan.model.load()  # earlier runs are renamed only if the model can be reached
        except UserError as error:  # the model cannot be loaded, but its finished runs can
            broken = Reason.of(error)
        watcher.planned(plan)
        announce(plan)
        if broken is None:
            keep_earlier_runs(plan)
        with all_announced():
            return _run(plan, watcher, broken)


def _run(plan: AuditPlan, watcher: Watcher, broken: str | None) -> Outcome:
    outcome = Outcome(plan)
    for part in plan.parts:
        progress = watcher.begins(part)
        reason = None if part.finished else broken
        try:
            if reason is None:
                outcome.results[part.measure] = part.again() or _evaluated(part, plan, progress)
        except UserError as error:
            reason = Reason.of(error)
        if reason is not None:
            outcome.failed[part.measure] = reason
        watcher.ends(part, reason)
    return outcome


def _evaluated(part: PlannedMeasure, plan: AuditPlan, progress: ProgressFactory | None) -> Result:
    return evaluate(
        part.measure,
        plan.model,
        out=part.folder,
        settings=plan.settings.for_opened_model(),
        progress=progress,
        started=lambda folder: _note_budget(folder, part, plan.selection.budget),
        **part.options,
    )


def keep_earlier_runs(plan: AuditPlan) -> None:
    """Rename, all at once, the earlier runs that --fresh replaces, so that a killed audit never resumes an old run."""
    for part in plan.parts:
        if part.fresh and os.path.lexists(part.folder):
            _log.info("The earlier run is kept in '%s'.", keep_earlier(part.folder))


def _note_budget(folder: Path, part: PlannedMeasure, budget: str) -> None:
    """Record in run.json, for the scorecard, that the budget reduced the number of samples."""
    if part.samples < part.whole:
        record(folder, budget={"name": budget, "samples": part.samples, "whole": part.whole, "wider": part.wider})


def announce(plan: AuditPlan) -> None:
    """Ask the user to confirm the cost of all measures at once, unless they already have."""
    if (missing := plan.announced) and not is_announced():
        plan.model.announce(missing)
