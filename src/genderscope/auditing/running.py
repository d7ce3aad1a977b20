"""Runs the parts of a plan one after another, with the model loaded once."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from genderscope.auditing.planning import Part, Plan
from genderscope.auditing.wishes import Wishes
from genderscope.engine import EngineSettings, crews_kept
from genderscope.errors import UserError
from genderscope.evaluation import ProgressFactory, evaluate
from genderscope.network import offline
from genderscope.runs import Result


class Watcher:
    """Hears how an audit goes; this one keeps it to itself."""

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


def run(
    plan: Plan,
    wishes: Wishes,
    where: EngineSettings,
    watcher: Watcher,
    command: str | None = None,
    started: Callable[[Path], None] = lambda _: None,
) -> Outcome:
    """Ask what is missing and return all results; a measure that fails leaves the others their turn."""
    outcome = Outcome(plan)
    _announce(plan)
    with offline(wishes.offline), crews_kept():
        for part in plan.parts:
            progress = watcher.begins(part)
            reason = None
            try:
                outcome.results[part.measure] = evaluate(
                    part.measure,
                    plan.model,
                    out=part.folder,
                    batch_size=wishes.batch_size,
                    engine=where.engine,
                    workers=where.workers,
                    address=where.address,
                    gpus_per_worker=where.gpus_per_worker,
                    progress=progress,
                    command=command,
                    started=started,
                    **part.options,
                )
            except UserError as error:
                reason = outcome.failed[part.measure] = str(error)
            watcher.ends(part, reason)
    return outcome


def _announce(plan: Plan) -> None:
    """Let a model that costs money ask for leave once, for all measures together."""
    missing = [question for part in plan.parts for question in part.missing]
    if plan.model.announces and missing:
        plan.model.announce(missing)
        plan.model.announces = False
