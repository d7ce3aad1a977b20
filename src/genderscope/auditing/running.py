"""Runs the measures of a plan one after another, with the model loaded once."""

import logging
import os
from dataclasses import dataclass, field
from pathlib import Path

from genderscope.auditing.planning import AuditPlan, PlannedMeasure
from genderscope.auditing.probing import with_time_estimates
from genderscope.engine import all_announced, crews_kept, is_announced
from genderscope.errors import UserError
from genderscope.evaluation import ProgressFactory, evaluate
from genderscope.network import offline
from genderscope.runs import Result, keep_earlier, record

_log = logging.getLogger("genderscope")


class Watcher:
    """Is told the progress of one model's audit; this one ignores it."""

    def timing(self, plan: AuditPlan) -> None:
        """The model is about to be loaded and timed."""

    def planned(self, plan: AuditPlan) -> None:
        """The plan is complete; nothing has been asked yet."""

    def begins(self, part: PlannedMeasure) -> ProgressFactory | None:
        """A measure begins; return the factory of its progress bar, if any."""
        return None

    def ends(self, part: PlannedMeasure, reason: str | None) -> None:
        """A measure is done, or failed for a reason."""


@dataclass(frozen=True)
class Outcome:
    """Results and failures of one model's audit."""

    plan: AuditPlan
    results: dict[str, Result] = field(default_factory=dict)
    #: measure -> why it could not be finished
    failed: dict[str, str] = field(default_factory=dict)


def run(plan: AuditPlan, watcher: Watcher, timed: bool = True) -> Outcome:
    """Ask what is missing and return all results; if a measure fails, the others still run.

    With `timed` the model is loaded first and the watcher is told how long it will take.
    """
    broken: str | None = None
    with offline(plan.selection.offline), crews_kept():
        try:
            if timed:
                watcher.timing(plan)
                plan = with_time_estimates(plan)
            if plan.renewed and plan.model.may_change:
                plan.model.load()  # earlier runs make way only for a model that can be reached
        except UserError as error:  # the model cannot be loaded; what is finished can still be read
            broken = str(error)
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
            reason = str(error)
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
    """Rename earlier runs that --fresh replaces, all at once, so that a killed audit never resumes with an old run."""
    for part in plan.parts:
        if part.fresh and os.path.lexists(part.folder):
            _log.info("The earlier run is kept in '%s'.", keep_earlier(part.folder))


def _note_budget(folder: Path, part: PlannedMeasure, budget: str) -> None:
    """Record in run.json what the budget left out, for the scorecard."""
    if part.samples < part.whole:
        record(folder, budget={"name": budget, "samples": part.samples, "whole": part.whole})


def announce(plan: AuditPlan) -> None:
    """Let a model that costs money ask for consent once for all measures, unless it already has."""
    if (missing := plan.announced) and not is_announced():
        plan.model.announce(missing)
