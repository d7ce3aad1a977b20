"""Distributes questions among workers, for both the process engine and the Ray engine.

Questions are drawn one window at a time, with only a few windows open at once. A worker plans a window, the plan is
split into shards, idle workers receive shards, and the driver journals the answers. If a worker is lost, its shards are
reassigned.
"""

import logging
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Protocol

from genderscope.core.errors import UserError
from genderscope.core.journal_codec import answer_to_json, question_key
from genderscope.core.questions import Question
from genderscope.engine.local_engine import WINDOW, Method, Progress, Window, windows
from genderscope.engine.worker import Answers, AnswerShard, Failure, Load, Loaded, Outcome, PlanWindow, Task
from genderscope.models import Batch, Model, Plan
from genderscope.runs import Journal
from genderscope.version import __version__

_log = logging.getLogger(__name__)

#: Minimum number of open windows: while one is answered, the next is planned. More are opened only if windows are
#: short.
OPEN_WINDOWS = 2
IN_HAND = 2  # Tasks per worker: one in progress and one queued, so that it is never idle
#: Maximum batches per shard, so that a device always has the next one ready. Small plans use smaller shards, so that
#: every worker gets several.
SHARD = 8
SHARDS_A_WORKER = 8
LOSSES = 3  # A shard lost more often than this is probably the cause of the losses


@dataclass(frozen=True)
class Done:
    """A worker has finished its oldest task."""

    worker: int
    outcome: Outcome


@dataclass(frozen=True)
class Lost:
    """A worker was lost, along with all its tasks."""

    worker: int
    reason: str


class Workers(Protocol):
    """Numbered workers. Each performs its tasks in order; any worker may be lost at any time."""

    size: int

    def start(self, worker: int) -> None:
        """Start a worker if it is not running, for example because it was lost."""

    def send(self, worker: int, task: Task) -> None:
        """Assign a task to a worker."""

    def next_event(self) -> Done | Lost:
        """Wait for the next event."""

    def stop(self) -> None:
        """Stop all workers."""


@dataclass(eq=False)
class _Job:
    """A task, and how often it has been lost."""

    task: Task
    window: Window | None
    questions: int = 0
    losses: int = 0


@dataclass
class ShardedRun:
    """One pass of workers over a set of questions."""

    workers: Workers
    model: Model
    journal: Journal
    batch_size: int | None
    progress: Progress
    questions: Iterator[Question]
    size: int | None  # window size; None means the sizes that the local engine would use on the workers' device
    #: remaining windows; None until their size is known
    source: Iterator[list[Question]] | None = None
    waiting: deque[_Job] = field(default_factory=deque)
    held: dict[int, deque[_Job]] = field(default_factory=dict)
    ready: set[int] = field(default_factory=set)
    active: list[Window] = field(default_factory=list)
    #: how many times in a row each worker was lost before it had loaded the model
    lost_starts: Counter[int] = field(default_factory=Counter)
    described: dict[str, Any] | None = None
    method: Method = field(default_factory=Method)
    most_active: int = OPEN_WINDOWS

    def run(self) -> dict[str, Any]:
        """Answer every question; return the model's description, as reported by a worker if any worker loaded it."""
        self.progress(0)  # answers from an earlier session are counted now
        if not (first := self._first_unknown()):
            return self.model.describe()
        self.questions = chain(first, self.questions)
        for worker in range(self.workers.size):
            self._start(worker)
        while self.active or self.source is None:
            self._hand_out()
            match self.workers.next_event():
                case Done(worker, outcome):
                    self._take(worker, self.held[worker].popleft(), outcome)
                case Lost(worker, reason):
                    self._replace(worker, reason)
            self._draw()
        described = self.described or self.model.describe()
        # Workers open the model by its string; in this process, it may have another name.
        return {**described, "name": self.model.name, **self.method.described()}

    def _first_unknown(self) -> list[Question]:
        """Skip windows already answered in the journal; return the next one, so that workers start only if needed."""
        for questions in windows(self.questions, (self.size or WINDOW,)):
            keys = {question_key(self.model.fingerprint, question) for question in questions}
            if len(self.journal.known(list(keys))) < len(keys):
                return questions
            self.progress(len(questions))
        return []

    def _draw(self) -> None:
        """Draw windows until enough are open, skipping those already answered in the journal."""
        if self.source is None:
            return
        while len(self.active) < self.most_active and (questions := next(self.source, None)):
            pending = chain.from_iterable(window.keys for window in self.active)
            if (window := Window.of(self.model, questions, self.journal, pending, self.progress)) is not None:
                self.active.append(window)
                # Plan over all questions, answered or not, so that a resumed run has the same batches.
                plan = PlanWindow(window.questions, self.batch_size)
                self.waiting.appendleft(_Job(plan, window, len(window.keys)))

    def _start(self, worker: int) -> None:
        self.held[worker] = deque([_Job(Load(), None)])
        self.workers.start(worker)
        self.workers.send(worker, Load())

    def _hand_out(self) -> None:
        for held in range(IN_HAND):
            for worker in sorted(self.ready):
                if self.waiting and len(self.held[worker]) == held:
                    job = self.waiting.popleft()
                    self.held[worker].append(job)
                    self.workers.send(worker, job.task)

    def _take(self, worker: int, job: _Job, outcome: Outcome) -> None:
        match outcome:
            case Failure():
                raise outcome.error()
            case Loaded():
                self._agree(outcome)
                self.ready.add(worker)
                self.lost_starts[worker] = 0
                self.described = outcome.described
                self._settle_on((self.size,) if self.size else outcome.windows)
            case Plan() if job.window is not None:
                self._plan(job.window, outcome)
            case Answers(answers) if job.window is not None:
                self._keep(job.window, answers)
                self.progress(job.questions)
                job.window.shards_left -= 1
                self._close_if_done(job.window)

    def _settle_on(self, sizes: Sequence[int]) -> None:
        """Use windows of these sizes, opening enough at a time for every worker to plan one."""
        if self.source is None:
            self.source = windows(self.questions, sizes)
            self.most_active = max(OPEN_WINDOWS, min(self.workers.size + 1, OPEN_WINDOWS * WINDOW // max(sizes)))

    def _agree(self, loaded: Loaded) -> None:
        """Raise if a worker's version or model differs from this machine's."""
        if loaded.version != __version__:
            raise UserError(
                f"{loaded.place} has Genderscope {loaded.version}, but this machine has {__version__}; "
                "install the same version everywhere."
            )
        if loaded.fingerprint != self.model.fingerprint:
            raise UserError(
                f"'{self.model.name}' is not the same model on {loaded.place} as here "
                f"({loaded.fingerprint} and {self.model.fingerprint}); copy the same files to every machine."
            )

    def _plan(self, window: Window, plan: Plan) -> None:
        self._keep(window, [(index, answer_to_json(answer)) for index, answer in plan.immediate])
        self.progress(len(plan.immediate))
        wanted = window.unanswered(plan)
        self.method.add(plan, wanted)
        asked = sum(len(batch.indices) for batch in wanted)
        self.progress(len(window.keys) - len(plan.immediate) - asked)
        for shard in cut(wanted, self.workers.size):
            window.shards_left += 1
            questions = sum(len(batch.indices) for batch in shard)
            self.waiting.append(_Job(AnswerShard(shard), window, questions))
        self._close_if_done(window)

    def _keep(self, window: Window, answers: Iterable[tuple[int, bytes]]) -> None:
        keyed = ((window.keys[index], answer) for index, answer in answers)
        self.journal.write((key, answer) for key, answer in keyed if key not in window.known)

    def _close_if_done(self, window: Window) -> None:
        if not window.shards_left:
            self.active.remove(window)

    def _replace(self, worker: int, reason: str) -> None:
        """Requeue a lost worker's tasks and start a replacement."""
        lost = self.held[worker]
        _log.warning("A worker was lost; starting another in its place (%s).", reason)
        if worker not in self.ready:
            self.lost_starts[worker] += 1
            if self.lost_starts[worker] > LOSSES:
                raise UserError(f"A worker was lost {LOSSES + 1} times while loading the model: {reason}.")
        self.ready.discard(worker)
        if lost:
            lost[0].losses += 1  # this task was in progress; the other was queued
        for job in reversed([job for job in lost if job.window is not None]):
            if job.losses > LOSSES:
                raise UserError(
                    f"{job.losses} workers were lost while working on the same {job.questions:,} questions ({reason}); "
                    "all answers so far are kept, and the same command resumes from there."
                )
            self.waiting.appendleft(job)
        self._start(worker)


def cut(batches: Sequence[Batch], workers: int) -> Iterator[tuple[Batch, ...]]:
    """Split a plan into shards for this many workers."""
    size = min(SHARD, -(-len(batches) // (workers * SHARDS_A_WORKER)))
    for start in range(0, len(batches), size or 1):
        yield tuple(batches[start : start + size])


def ask_workers(
    workers: Workers,
    model: Model,
    questions: Iterable[Question],
    journal: Journal,
    batch_size: int | None = None,
    progress: Progress = lambda _: None,
    window: int | None = None,
    keep: bool = False,
) -> dict[str, Any]:
    """Answer the questions not yet in the journal; return the model's description. With `keep`, workers stay alive."""
    asking = ShardedRun(workers, model, journal, batch_size, progress, iter(questions), window)
    idle = False
    try:
        described = asking.run()
        idle = not any(asking.held.values())
    finally:
        if not (keep and idle):
            workers.stop()
    return described
