"""Measures a model's speed on the chosen engine, using batches of a real plan; the answers are discarded."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from genderscope.core.journal_codec import answer_from_json
from genderscope.core.questions import Answer, Question
from genderscope.engine.dispatch import kept_crew, settled
from genderscope.engine.engine_settings import EngineSettings
from genderscope.engine.local_engine import answers_to
from genderscope.models import Batch, Model, Plan

if TYPE_CHECKING:
    from genderscope.engine.sharding import Crew
    from genderscope.engine.worker import Outcome, Task


class WorkerLostError(Exception):
    """A worker was lost during timing; the run itself starts a new one."""


class Clock(Protocol):
    """Times one copy of the model; `workers` is the number of copies that will share the questions."""

    workers: int

    def plan(self, questions: Sequence[Question], batch_size: int | None) -> Plan:
        """Plan batches as the run will, including the model's exactness checks."""

    def answered(self, batches: Sequence[Batch]) -> tuple[float, list[Answer]]:
        """Answer batches; return the elapsed seconds and the answers in any order."""


def clock_of(settings: EngineSettings, model: Model) -> Clock:
    """Load the model on its engine. Call inside `crews_kept`, so that the run reuses the workers."""
    settings, gpus = settled(settings, model)
    if settings.engine == "local":
        return _LocalClock(model)
    return _CrewClock(kept_crew(settings, model, gpus))


class _LocalClock:
    """Clock for the model in this process."""

    workers = 1

    def __init__(self, model: Model) -> None:
        model.load()
        self._model = model

    def plan(self, questions: Sequence[Question], batch_size: int | None) -> Plan:
        return self._model.plan(questions, batch_size)

    def answered(self, batches: Sequence[Batch]) -> tuple[float, list[Answer]]:
        began = time.perf_counter()
        answers = [answer for _, part in answers_to(self._model, batches) for answer in part]
        return time.perf_counter() - began, answers


class _CrewClock:
    """Clock for the first worker of a crew; the other workers would only share the work."""

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
        outcome = self._done(AnswerShard(tuple(batches)))
        assert isinstance(outcome, Answers)
        return time.perf_counter() - began, [answer_from_json(kinds[index], text) for index, text in outcome.answers]

    def _done(self, task: "Task") -> "Outcome":
        from genderscope.engine.sharding import Lost
        from genderscope.engine.worker import Failure

        self._crew.give(0, task)
        event = self._crew.report()
        if isinstance(event, Lost):
            self._crew.dismiss()
            raise WorkerLostError(event.reason)
        if isinstance(event.outcome, Failure):
            raise event.outcome.error()
        return event.outcome
