"""Measures a model's speed on the chosen engine, using batches of a real plan; the answers are discarded."""

import time
from collections.abc import Callable, Sequence
from functools import partial

from genderscope.core.journal_codec import answer_from_json
from genderscope.core.questions import Answer, Question
from genderscope.engine.dispatch import kept_workers, resolve_settings
from genderscope.engine.engine_settings import EngineSettings
from genderscope.engine.sharding import Lost, Workers
from genderscope.engine.worker import Answers, AnswerShard, Failure, Load, Outcome, PlanWindow, Task, perform
from genderscope.models import Batch, Model, Plan


class WorkerLostError(Exception):
    """A worker was lost during timing; the run itself starts a new one."""


class Clock:
    """Times one copy of the model; `workers` is the number of copies that will share the questions."""

    def __init__(self, do: Callable[[Task], Outcome], workers: int) -> None:
        self._do = do
        self.workers = workers

    def plan(self, questions: Sequence[Question], batch_size: int | None) -> Plan:
        """Plan batches as the run will, including the model's exactness checks."""
        plan = self._do(PlanWindow(tuple(questions), batch_size))
        assert isinstance(plan, Plan)
        return plan

    def answered(self, batches: Sequence[Batch]) -> tuple[float, list[Answer]]:
        """Answer batches; return the elapsed seconds and the answers in any order."""
        kinds = {index: batch.kind for batch in batches for index in batch.indices}
        began = time.perf_counter()
        outcome = self._do(AnswerShard(tuple(batches)))
        assert isinstance(outcome, Answers)
        return time.perf_counter() - began, [answer_from_json(kinds[index], text) for index, text in outcome.answers]


def clock_of(settings: EngineSettings, model: Model) -> Clock:
    """Load the model on its engine and return its clock; call inside `workers_kept`, whose workers the run reuses."""
    settings, gpus = resolve_settings(settings, model)
    if settings.engine == "local":
        model.load()
        return Clock(partial(perform, model), 1)
    workers = kept_workers(settings, model, gpus)
    workers.start(0)
    _done(workers, Load())
    return Clock(partial(_done, workers), workers.size)


def _done(workers: Workers, task: Task) -> Outcome:
    """Perform a task on the first worker; one worker is enough to time one copy of the model."""
    workers.send(0, task)
    event = workers.next_event()
    if isinstance(event, Lost):
        workers.stop()
        raise WorkerLostError(event.reason)
    if isinstance(event.outcome, Failure):
        raise event.outcome.error()
    return event.outcome
