"""How fast a model answers where it will be asked: measured on batches of a real plan; the answers are dropped."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from genderscope.engine.choosing import kept_crew, settled
from genderscope.engine.local import answers_to
from genderscope.engine.settings import EngineSettings
from genderscope.models import Batch, Model, Plan
from genderscope.questions import Answer, Question
from genderscope.written import answer_from_json

if TYPE_CHECKING:
    from genderscope.engine.sharding import Crew
    from genderscope.engine.worker import Outcome, Task


class WorkerLostError(Exception):
    """A worker was lost while it was timed; the run itself starts another."""


class Clock(Protocol):
    """Tells how long one copy of the model takes for batches, and how many copies there are to share them."""

    workers: int

    def plan(self, questions: Sequence[Question], batch_size: int | None) -> Plan:
        """Plan batches as the run will; what the model has to try out first is then done."""

    def answered(self, batches: Sequence[Batch]) -> tuple[float, list[Answer]]:
        """Answer batches; return the seconds and the answers, in any order."""


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

    def plan(self, questions: Sequence[Question], batch_size: int | None) -> Plan:
        return self._model.plan(questions, batch_size)

    def answered(self, batches: Sequence[Batch]) -> tuple[float, list[Answer]]:
        began = time.perf_counter()
        answers = [answer for _, found in answers_to(self._model, batches) for answer in found]
        return time.perf_counter() - began, answers


class _There:
    """Times the first worker of a crew; the others would only share the work."""

    def __init__(self, crew: "Crew") -> None:
        from genderscope.engine.worker import Load

        self._crew = crew
        self.workers = crew.size
        crew.hire(0)
        self._done(Load())

    def plan(self, questions: Sequence[Question], batch_size: int | None) -> Plan:
        from genderscope.engine.worker import PlanWindow

        plan = self._done(PlanWindow(tuple(questions), batch_size))
        assert isinstance(plan, Plan)
        return plan

    def answered(self, batches: Sequence[Batch]) -> tuple[float, list[Answer]]:
        from genderscope.engine.worker import Answers, AnswerShard

        kinds = {index: batch.kind for batch in batches for index in batch.indices}
        began = time.perf_counter()
        found = self._done(AnswerShard(tuple(batches)))
        assert isinstance(found, Answers)
        return time.perf_counter() - began, [answer_from_json(kinds[index], text) for index, text in found.answers]

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
