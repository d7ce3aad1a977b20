"""Answers all questions in this process, batch by batch, journaling the answers as they arrive."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import chain, cycle, islice
from typing import Any

from genderscope.core.journal_codec import answer_from_json, answer_to_json, answers_to_json, question_key
from genderscope.core.questions import Answer, Question
from genderscope.models import Batch, Model, Plan
from genderscope.runs import Journal
from genderscope.util.memory_tuning import only_new_garbage


class Method:
    """Counts the questions per strategy, and records why faster strategies were rejected."""

    def __init__(self) -> None:
        self._asked: Counter[str] = Counter()
        self._remarks: dict[str, None] = {}

    def add(self, plan: Plan, batches: Iterable[Batch]) -> None:
        """Record a plan's remarks, and count the questions per strategy in the batches to be answered."""
        self._remarks.update(dict.fromkeys(plan.remarks))
        for batch in batches:
            if batch.strategy is not None:
                self._asked[str(batch.strategy)] += len(batch.indices)

    def described(self) -> dict[str, Any]:
        """Return the entries for run.json; empty if no batch has a strategy."""
        ways = self._asked.most_common()
        if not ways:
            return {}
        method = ways[0][0] if len(ways) == 1 else "; ".join(f"{way} ({count:,} questions)" for way, count in ways)
        return {"method": method, **({"not_exact": list(self._remarks)} if self._remarks else {})}


WINDOW = 50_000  # Batches are planned over this many questions at a time; more would cost memory without being faster
#: An asynchronous device should get its first batches soon. Later windows are planned while the device works on the
#: previous one and may be larger, since planning more questions adds little latency.
GROWING = (1_500, 3_000, 4_000, 6_000, *[8_000] * 4, 3_500)
assert sum(GROWING) == WINDOW

AHEAD = 3  # Number of batches queued on an asynchronous device, so that it need not wait for the next window
WINDOWS_AHEAD = 2  # Number of windows held for an asynchronous device: one to plan next, the others only prepared

Progress = Callable[[int], None]
_Begun = Callable[[], list[Answer]] | None  # function that waits for a batch's answers; None if memory ran out

_ANNOUNCED: ContextVar[bool] = ContextVar("all announced", default=False)


@contextmanager
def all_announced() -> Iterator[None]:
    """Suppress cost announcements inside this block: the user has agreed to the cost of all questions."""
    token = _ANNOUNCED.set(True)
    try:
        yield
    finally:
        _ANNOUNCED.reset(token)


def is_announced() -> bool:
    """Return whether the user has agreed to the cost of all questions."""
    return _ANNOUNCED.get()


def ask(
    model: Model,
    questions: Iterable[Question],
    journal: Journal,
    batch_size: int | None = None,
    progress: Progress = lambda _: None,
    window: int | None = None,
) -> Method:
    """Ask the model every question not yet in the journal, calling `progress` with the number of finished questions."""
    if model.announces_cost and not is_announced():
        questions = list(questions)
        unknown = _unanswered(model, questions, journal)
        if unknown:
            model.announce(unknown)
    progress(0)
    planner = _Planner(model, journal, batch_size, progress)
    drawn = windows(questions, (window,) if window else windows_of(model))
    with only_new_garbage(), _writing(journal, model.overlaps) as write:
        for batch, answers in answers_to(model, planner.batches(drawn)):
            write(list(zip(map(planner.keys.pop, batch.indices), answers_to_json(answers), strict=True)))
            progress(len(batch.indices))
    return planner.method


@contextmanager
def _writing(journal: Journal, aside: bool) -> Iterator[Callable[[list[tuple[bytes, bytes]]], None]]:
    """Yield a function that stores a batch; with `aside`, a thread stores it while the next batch is prepared."""
    if not aside:
        yield journal.write
        return
    last: list[Future[None]] = []

    def write(answers: list[tuple[bytes, bytes]]) -> None:
        if last:
            last.pop().result()
        journal.keep_in_memory(answers)
        last.append(thread.submit(journal.store, answers))

    with ThreadPoolExecutor(1) as thread:
        try:
            yield write
        finally:
            if last:
                last.pop().result()


def windows_of(model: Model) -> tuple[int, ...]:
    """Return the window sizes for this model, i.e. how many questions are planned together."""
    return GROWING if model.overlaps else (WINDOW,)


def windows(questions: Iterable[Question], sizes: Sequence[int]) -> Iterator[list[Question]]:
    """Yield the questions in windows, cycling through these sizes and drawing lazily."""
    source = iter(questions)
    for size in cycle(sizes):
        window = list(islice(source, size))
        if not window:
            return
        yield window


def _unanswered(model: Model, questions: Iterable[Question], journal: Journal) -> list[Question]:
    asked = {question_key(model.fingerprint, question): question for question in questions}
    answered = journal.known(list(asked))
    return [question for key, question in asked.items() if key not in answered]


@dataclass(eq=False)
class Window:
    """Questions planned together, their keys, and the keys of those that need no answer from this window."""

    questions: tuple[Question, ...]
    keys: list[bytes]
    known: set[bytes]
    #: number of shards that workers have not answered
    shards_left: int = 0

    @classmethod
    def of(
        cls, model: Model, questions: Sequence[Question], journal: Journal, pending: Iterable[bytes], progress: Progress
    ) -> "Window | None":
        """Return the window of these questions, or None if all are answered or `pending` in an earlier window.

        Of equal questions, the first answer is kept, as if windows were answered in order.
        """
        asked = {question_key(model.fingerprint, question): question for question in questions}
        keys = list(asked)
        answered = journal.known(keys)
        answered.update(key for key in pending if key in asked)
        progress(len(questions) - len(keys))
        if len(answered) == len(keys):
            progress(len(keys))
            return None
        return cls(tuple(asked.values()), keys, answered)

    def unanswered(self, plan: Plan) -> list[Batch]:
        """Return the batches of a plan with a question that needs an answer."""
        return [b for b in plan.batches if any(self.keys[index] not in self.known for index in b.indices)]


class _Planner:
    """Plans one window after another. `keys` maps the numbers of pending questions to their journal keys."""

    def __init__(self, model: Model, journal: Journal, batch_size: int | None, progress: Progress) -> None:
        self.model = model
        self.journal = journal
        self.batch_size = batch_size
        self.progress = progress
        self.keys: dict[int, bytes] = {}
        self._drawn: deque[Window] = deque()
        self.method = Method()

    def batches(self, drawn: Iterable[list[Question]]) -> Iterator[Batch]:
        """Yield the batches that contain an unanswered question; indices are continuous across windows."""
        source = self._open(drawn)
        first = 0
        while self._draw(source):
            window = self._drawn.popleft()
            yield from self._missing(window, first)
            first += len(window.keys)

    def _draw(self, source: Iterator[Window]) -> bool:
        """Draw the next windows, preparing them if the device is asynchronous; return whether there are any."""
        while len(self._drawn) < (WINDOWS_AHEAD if self.model.overlaps else 1):
            window = next(source, None)
            if window is None:
                break
            self.model.load()
            if self.model.overlaps:
                self.model.prepare(window.questions)
            self._drawn.append(window)
        return bool(self._drawn)

    def _open(self, drawn: Iterable[list[Question]]) -> Iterator[Window]:
        """Yield the windows that contain an unanswered question."""
        for questions in drawn:
            pending = chain(self.keys.values(), *(window.keys for window in self._drawn))
            if (window := Window.of(self.model, questions, self.journal, pending, self.progress)) is not None:
                yield window

    def _missing(self, window: Window, first: int) -> list[Batch]:
        # Plan over all questions, answered or not, so that a resumed run has the same batches and bit-identical
        # results.
        keys, answered = window.keys, window.known
        plan = self.model.plan(window.questions, self.batch_size)
        if plan.immediate:
            self.journal.write((keys[index], answer_to_json(answer)) for index, answer in plan.immediate)
        missing = window.unanswered(plan)
        if self.model.independent:
            missing = [b.only([k for k, index in enumerate(b.indices) if keys[index] not in answered]) for b in missing]
        self.method.add(plan, missing)
        self.progress(len(keys) - sum(len(batch.indices) for batch in missing))
        shifted = [batch.shifted(first) for batch in missing]
        for batch, here in zip(shifted, missing, strict=True):
            self.keys.update(zip(batch.indices, map(keys.__getitem__, here.indices), strict=True))
        return shifted


def answers_to(model: Model, batches: Iterable[Batch]) -> Iterator[tuple[Batch, list[Answer]]]:
    """Answer batches; an asynchronous device works on the next ones while earlier answers are collected."""
    if model.independent:
        for batch in batches:
            yield from model.answer_in_parts(batch)
        return
    begun: deque[tuple[Batch, _Begun]] = deque()
    for batch in batches:
        begun.append((batch, _begin(model, batch)))
        # Even finished batches are not collected until enough are queued: the device must not wait for its next batch.
        if len(begun) > (AHEAD if model.overlaps else 0):
            yield from _answer(model, *begun.popleft())
    while begun:
        yield from _answer(model, *begun.popleft())


def _begin(model: Model, batch: Batch) -> _Begun:
    """Start a batch on the device; return None if the device runs out of memory."""
    try:
        return model.begin(batch)
    except (RuntimeError, MemoryError) as error:
        if len(batch.indices) == 1 or not _out_of_memory(error):
            raise
        return None


def _answer(model: Model, batch: Batch, begun: _Begun) -> Iterator[tuple[Batch, list[Answer]]]:
    """Collect a batch's answers, splitting the batch in half repeatedly if the device runs out of memory."""
    try:
        if begun is not None:
            yield batch, begun()
            return
    except (RuntimeError, MemoryError) as error:
        if len(batch.indices) == 1 or not _out_of_memory(error):
            raise
    for half in batch.halves():
        yield from _answer(model, half, _begin(model, half))


def _out_of_memory(error: Exception) -> bool:
    if isinstance(error, MemoryError):
        return True
    from accelerate.utils.memory import clear_device_cache, should_reduce_batch_size

    if not should_reduce_batch_size(error):
        return False
    clear_device_cache(garbage_collection=True)
    return True


_PORTION = 20_000


def read_answers(fingerprint: str, questions: Iterable[Question], journal: Journal) -> Iterator[Answer]:
    """Yield the answers to these questions, all of which must be in the journal."""
    source = iter(questions)
    while portion := list(islice(source, _PORTION)):
        texts = journal.read(question_key(fingerprint, question) for question in portion)
        for question, text in zip(portion, texts, strict=True):
            yield answer_from_json(type(question), text)


def answers_in_memory(fingerprint: str, questions: Sequence[Question], journal: Journal) -> list[Answer] | None:
    """Return the answers to these questions if all are still in memory; None otherwise."""
    texts = journal.in_memory([question_key(fingerprint, question) for question in questions])
    if texts is None:
        return None
    return [answer_from_json(type(question), text) for question, text in zip(questions, texts, strict=True)]


def count_kept_first(progress: Progress, fingerprint: str, questions: Iterable[Question], journal: Journal) -> Progress:
    """Return a callback that reports all kept answers at its first call, and none of them again.

    The engine meets the kept answers one window at a time, but the remaining time depends only on the others.
    """
    left = kept_answers(fingerprint, questions, journal)
    is_first = True

    def count(done: int) -> None:
        nonlocal left, is_first
        if is_first:
            is_first = False
            progress(left)
        kept = min(left, done)
        left -= kept
        progress(done - kept)

    return count


def kept_answers(fingerprint: str, questions: Iterable[Question], journal: Journal) -> int:
    """Return how many of the questions, counting duplicates, the journal answers."""
    count = 0
    for window in windows(questions, (WINDOW,)) if journal else ():
        keys = [question_key(fingerprint, question) for question in window]
        count += sum(map(journal.known(keys).__contains__, keys))
    return count
