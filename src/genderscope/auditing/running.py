"""Runs the parts of a plan one after another, with the model loaded once."""

import logging
import os
from dataclasses import dataclass, field
from pathlib import Path

from genderscope.auditing.planning import Part, Plan
from genderscope.auditing.probing import estimated
from genderscope.engine import all_announced, crews_kept, is_announced
from genderscope.errors import UserError
from genderscope.evaluation import ProgressFactory, evaluate
from genderscope.network import offline
from genderscope.runs import Result, keep_earlier, record

_log = logging.getLogger("genderscope")


class Watcher:
    """Hears how an audit goes; this one keeps it to itself."""

    def timing(self, plan: Plan) -> None:
        """Hear that the model is loaded now, and asked some questions to time it."""

    def planned(self, plan: Plan) -> None:
        """Hear what will be asked, before anything is."""

    def begins(self, part: Part) -> ProgressFactory | None:
        """Hear that a measure begins; what is returned hears of its questions."""
        return None

    def ends(self, part: Part, reason: str | None) -> None:
        """Hear that a measure is done, or why it failed."""


@dataclass(frozen=True)
class Outcome:
    """What an audit of one model came to."""

    plan: Plan
    results: dict[str, Result] = field(default_factory=dict)
    #: measure -> why it could not be finished
    failed: dict[str, str] = field(default_factory=dict)


def run(plan: Plan, watcher: Watcher, timed: bool = True) -> Outcome:
    """Ask what is missing and return all results; if a measure fails, the others still run.

    With `timed` the model is loaded first and the watcher is told how long it will take.
    """
    broken: str | None = None
    with offline(plan.selection.offline), crews_kept():
        try:
            if timed:
                watcher.timing(plan)
                plan = estimated(plan)
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


def _run(plan: Plan, watcher: Watcher, broken: str | None) -> Outcome:
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


def _evaluated(part: Part, plan: Plan, progress: ProgressFactory | None) -> Result:
    return evaluate(
        part.measure,
        plan.model,
        out=part.folder,
        settings=plan.settings.for_opened_model(),
        progress=progress,
        started=lambda folder: _note_budget(folder, part, plan.selection.budget),
        **part.options,
    )


def keep_earlier_runs(plan: Plan) -> None:
    """Make way for runs that are asked afresh, all at once: whoever resumes an audit after a kill reuses no old run."""
    for part in plan.parts:
        if part.fresh and os.path.lexists(part.folder):
            _log.info("The earlier run is kept in '%s'.", keep_earlier(part.folder))


def _note_budget(folder: Path, part: Part, budget: str) -> None:
    """Record in the run what its budget left out, for the scorecard."""
    if part.samples < part.whole:
        record(folder, budget={"name": budget, "samples": part.samples, "whole": part.whole})


def announce(plan: Plan) -> None:
    """Let a model that costs money ask for leave once, for all measures together, unless it has already."""
    if (missing := plan.announced) and not is_announced():
        plan.model.announce(missing)
