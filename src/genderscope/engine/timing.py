"""How fast a model answers where it will be asked: measured on a few questions, whose answers are thrown away."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from genderscope.engine.choosing import kept_crew, settled
from genderscope.engine.local import answers_to
from genderscope.engine.settings import EngineSettings
from genderscope.models import Model, Plan
from genderscope.questions import Question

if TYPE_CHECKING:
    from genderscope.engine.sharding import Crew
    from genderscope.engine.worker import Outcome, Task


class WorkerLostError(Exception):
    """A worker was lost while it was timed; the run itself starts another."""


class Clock(Protocol):
    """Tells how long one copy of the model takes for questions, and how many copies there are to share them."""

    workers: int

    def seconds(self, questions: Sequence[Question], batch_size: int | None) -> float:
        """Ask, and throw the answers away: asked with others they may differ in their last bits."""


def clock_of(settings: EngineSettings, model: Model) -> Clock:
    """Load the model where it will be asked; workers stay for the run, so this is to be called in `crews_kept`."""
    settings, gpus = settled(settings, model)
    if settings.engine == "local":
        return _Here(model)
    return _There(kept_crew(settings, model, gpus))


class _Here:
    """Times the model in this process."""

    workers = 1

    def __init__(self, model: Model) -> None:
        model.load()
        self._model = model

    def seconds(self, questions: Sequence[Question], batch_size: int | None) -> float:
        began = time.perf_counter()
        for _ in answers_to(self._model, self._model.plan(questions, batch_size).batches):
            pass
        return time.perf_counter() - began


class _There:
    """Times the first worker of a crew; the others would only share the work."""

    def __init__(self, crew: "Crew") -> None:
        from genderscope.engine.worker import Load

        self._crew = crew
        self.workers = crew.size
        crew.hire(0)
        self._done(Load())

    def seconds(self, questions: Sequence[Question], batch_size: int | None) -> float:
        from genderscope.engine.worker import AnswerShard, PlanWindow

        began = time.perf_counter()
        plan = self._done(PlanWindow(tuple(questions), batch_size))
        assert isinstance(plan, Plan)
        self._done(AnswerShard(plan.batches))
        return time.perf_counter() - began

    def _done(self, task: "Task") -> "Outcome":
        from genderscope.engine.sharding import Lost
        from genderscope.engine.worker import Failure

        self._crew.give(0, task)
        found = self._crew.report()
        if isinstance(found, Lost):
            self._crew.dismiss()
            raise WorkerLostError(found.reason)
        if isinstance(found.outcome, Failure):
            raise found.outcome.error()
        return found.outcome
