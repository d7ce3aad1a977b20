"""The duration of an audit: predicted from sizes, or measured (`--time`) by timing batches of its own plan.

A prediction is proportional to the number of parameters and to the effort in tokens (`effort`). Predictions for SmolLM2
are right within a factor of two on the machine on which the constants were measured; for other models and devices they
give the order of magnitude.

For a measurement, questions are planned as in the run, so that the timed batches share prefixes in the same way. Only
half of each timed batch is asked, and the time is extrapolated in proportion to the amount of text: the model caches
the forward passes of its exactness check and would answer whole batches from that cache immediately. The run starts
with such a batch; if it contains a large part of the text, it is timed separately as a whole. Workers are assumed to
share the questions evenly.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import fmean

from genderscope.auditing.model_plan import AuditPlan, PlannedMeasure, is_masked
from genderscope.auditing.selection import effort_of, total_effort
from genderscope.core.errors import UserError
from genderscope.core.questions import Answer, Question, Reply, ReplyAnswer
from genderscope.engine import Clock, WorkerLostError, clock_of, workers_kept
from genderscope.models import Batch, Model
from genderscope.samples import subsampling

#: CPU seconds per parameter and token read, in float32. SmolLM2 (135 million parameters) on a Xeon with AVX-512, in
#: units of 1e-12: gest 4.2, stereoset 3.9, bbq 4.2, gest-chat 5.7, winobias 7.4, crows 10. Questions that share their
#: beginnings take less time. A Neoverse-N1 core is about five times as slow.
CPU_SECONDS = 6e-12
#: the same for a GPU: twenty times as long as an H200 in bfloat16, since the default is float32 and most are slower
GPU_SECONDS = 4e-14
#: CPU seconds per measure for preparing questions, checking exactness, computing intervals and writing the report,
#: measured with SmolLM2
PER_MEASURE = 8.0
SAMPLED = 2000  # number of questions whose effort is computed
#: parameters of a local model of unknown size, usually a translation model such as Marian's
TYPICAL_SIZE = 75_000_000


def with_predicted_times(plan: AuditPlan) -> AuditPlan:
    """Return the plan with predicted times; those of servers and services are unknown."""
    if plan.model.free:
        return replace(plan, parts=tuple(replace(part, seconds=0.0) for part in plan.parts))
    if plan.model.independent or not any(part.missing for part in plan.parts):
        return plan
    workers = plan.settings.workers or 1
    parts = tuple(replace(part, seconds=_predicted(part, plan, workers)) for part in plan.parts)
    return replace(plan, parts=parts, workers=workers)


def _predicted(part: PlannedMeasure, plan: AuditPlan, workers: int) -> float:
    if not part.missing:
        return 0.0
    return PER_MEASURE + seconds_for(part.missing, plan.model, plan.settings.for_model.expects_gpu) / workers


def seconds_for(questions: Sequence[Question], model: Model, gpu: bool = False) -> float:
    """Return the predicted seconds for questions to one copy of a local model."""
    some = subsampling.evenly(questions, SAMPLED)
    tokens = total_effort(some, is_masked(model)).tokens * len(questions) / len(some)
    work = _parameters(model) * tokens
    return GPU_SECONDS * work if gpu else CPU_SECONDS * work / _cores()


def _parameters(model: Model) -> int:
    try:
        return model.parameter_count() or TYPICAL_SIZE
    except Exception:  # transformers can raise anything for a wrong configuration; loading reports it
        return TYPICAL_SIZE


def _cores() -> int:
    """Return the number of cores that a local model uses."""
    limit = os.environ.get("OMP_NUM_THREADS", "")
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(here, int(limit))) if limit.isdecimal() else here


MOST = 20_000  # maximum number of questions planned together; larger sets are evenly subsampled
SECONDS = 1.0  # seconds of timing after which no further piece is timed
#: the warm-up is 1/PIECES of a timed piece; if a whole piece would take SLOW seconds or more, nothing else is timed
PIECES, SLOW = 8, 60.0
LARGE = 0.2  # the first batch is timed as a whole if it has at least this share of the text
LITTLE = 16  # largest number of questions of which 1/PIECES is the warm-up
ALONE = 8  # questions per measure that are timed for a model that answers each separately, such as a server
#: number of replies generated in full to estimate their length, and number of tokens generated for the others
WHOLE_REPLIES = 4
STEPS = 8
REFILLS = 3  # a batch contains three times as many replies as are generated concurrently


def with_time_estimates(plan: AuditPlan) -> AuditPlan:
    """Load the model and return the plan with time estimates; paid and instant models are not timed."""
    if plan.model.free:
        return replace(plan, parts=tuple(replace(part, seconds=0.0) for part in plan.parts))
    if not any(part.missing and not part.announces_cost for part in plan.parts):
        return plan
    try:
        with workers_kept():
            clock = clock_of(plan.settings.for_engine, plan.model)
            probe = _Probe(clock, plan.model.independent, plan.settings.batch_size)
            parts = tuple(_timed(probe, part) for part in plan.parts)
    except WorkerLostError:
        return plan
    return replace(plan, parts=parts, workers=clock.workers, measured=True)


def probed_questions(plan: AuditPlan) -> int:
    """Return how many questions are asked to time a model that answers each separately; 0 for other models."""
    if not plan.model.independent or plan.model.free:
        return 0
    return sum(min(ALONE, len(part.missing)) for part in plan.parts if not part.announces_cost)


def _timed(probe: "_Probe", part: PlannedMeasure) -> PlannedMeasure:
    if not part.missing:
        return replace(part, seconds=0.0)
    if part.announces_cost:
        return part
    try:
        return replace(part, seconds=probe.seconds(part.missing))
    except UserError:
        return part  # the run itself will report the error; the other measures are still timed


class _Probe:
    """Times the questions of one model."""

    def __init__(self, clock: Clock, independent: bool, batch_size: int | None) -> None:
        self._clock = clock
        self._independent = independent
        self._batch_size = batch_size

    def seconds(self, questions: Sequence[Question]) -> float:
        """Return the estimated seconds for all questions, which are shared among the workers."""
        if self._independent:
            return self._alone(questions)
        window = subsampling.evenly(questions, MOST)
        replies = [question for question in window if isinstance(question, Reply)]
        others = [question for question in window if not isinstance(question, Reply)]
        taken = (self._replies(replies) if replies else 0.0) + (self._others(others) if others else 0.0)
        return taken * len(questions) / len(window) / self._clock.workers

    def _alone(self, questions: Sequence[Question]) -> float:
        """Time a few questions of a model that answers each separately, such as a server."""
        some = subsampling.evenly(questions, ALONE)
        taken, _ = self._clock.answered(self._clock.plan(some, self._batch_size).batches)
        return taken * len(questions) / len(some) / self._clock.workers

    def _others(self, questions: Sequence[Question]) -> float:
        sizes = [effort_of(question).tokens for question in questions]

        def size(batch: Batch) -> float:
            return sum(sizes[index] for index in batch.indices)

        batches = self._clock.plan(questions, self._batch_size).batches
        if not batches:
            return 0.0
        whole = sum(map(size, batches))
        # The first piece is slower than the others, so a few questions serve as a warm-up.
        little = batches[0].first(max(1, min(LITTLE, len(batches[0].indices)) // PIECES))
        taken = self._clock.answered([little])[0]
        if PIECES * taken >= SLOW:
            return taken / max(1.0, size(little)) * whole
        first = 0.0
        if size(batches[0]) >= LARGE * whole:
            first = self._clock.answered([batches[0]])[0]
            whole -= size(batches[0])
            batches = batches[1:]
        return first + self._rate(sorted(batches, key=size), size) * whole

    def _rate(self, batches: Sequence[Batch], size: Callable[[Batch], float]) -> float:
        """Return the seconds per token of effort, timing a medium batch, then a small and a large one."""
        taken, read = 0.0, 0.0
        for place in dict.fromkeys(len(batches) * tenths // 10 for tenths in (5, 1, 9)) if batches else ():
            piece = self._piece(batches[place])
            taken, read = taken + self._clock.answered([piece])[0], read + size(piece)
            if taken > SECONDS:
                break
        return taken / max(1.0, read)

    def _piece(self, batch: Batch) -> Batch:
        """Return the part of a batch to time: about half, since a pass over few texts is less efficient."""
        count = len(batch.indices)
        return batch.last(max(1, count - max(count // 2, 1)))

    def _replies(self, questions: Sequence[Reply]) -> float:
        """Estimate the seconds that replies take from their prefill time, time per token and typical length."""
        batches = self._clock.plan(questions, self._batch_size).batches
        if not batches:
            return 0.0
        rows = len(batches[0].indices) // REFILLS or 1
        some = subsampling.evenly(questions, rows)
        self._asked(some[:1], 2)  # the first request to a model is slower
        reading, _ = self._asked(some, 1)
        growing, cut = self._asked(some, 1 + STEPS)
        _, whole = self._asked(subsampling.evenly(questions, WHOLE_REPLIES), None)
        a_token = fmean(len(_text(answer)) for answer in cut) / (1 + STEPS) or 1.0
        most = fmean(question.max_tokens for question in questions)
        long = [most if _is_cut(answer) else min(most, len(_text(answer)) / a_token) for answer in whole]
        # The first token is generated in the pass that processes the prompt.
        return len(questions) / len(some) * (reading + (growing - reading) / STEPS * max(0.0, fmean(long) - 1))

    def _asked(self, questions: Sequence[Reply], most: int | None) -> tuple[float, list[Answer]]:
        cut = [q if most is None else replace(q, max_tokens=min(most, q.max_tokens)) for q in questions]
        return self._clock.answered(self._clock.plan(cut, self._batch_size).batches)


def _text(answer: Answer) -> str:
    return (answer.text or "") + (answer.thought or "") if isinstance(answer, ReplyAnswer) else ""


def _is_cut(answer: Answer) -> bool:
    return isinstance(answer, ReplyAnswer) and answer.ended == "length"
