"""Asks a model all questions on this machine, batch by batch, and journals the answers as they come."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from genderscope.models.base import Batch, Model
from genderscope.questions import Answer, Question, answer_to_json, question_key
from genderscope.runs.journal import Journal

#: Batches are planned over so many questions at a time; more would cost memory and gain no speed.
WINDOW = 50_000

Progress = Callable[[int], None]


def ask(
    model: Model,
    questions: Iterable[Question],
    journal: Journal,
    batch_size: int | None = None,
    progress: Progress = lambda _: None,
    window: int = WINDOW,
) -> None:
    """Put every question to the model that the journal has no answer to; `progress` is told how many are done."""
    for drawn in windows(questions, window):
        asked = {question_key(model.fingerprint, question): question for question in drawn}
        keys = list(asked)
        known = journal.known(keys)
        if len(known) < len(keys):
            model.load()
            progress(len(drawn) - len(keys))
            _ask_window(model, list(asked.values()), keys, known, journal, batch_size, progress)
        else:
            progress(len(drawn))


def windows(questions: Iterable[Question], size: int) -> Iterator[list[Question]]:
    """Yield the questions in lists of `size`, drawing no more than are asked for."""
    source = iter(questions)
    while window := list(islice(source, size)):
        yield window


def _ask_window(
    model: Model,
    questions: Sequence[Question],
    keys: Sequence[bytes],
    known: set[bytes],
    journal: Journal,
    batch_size: int | None,
    progress: Progress,
) -> None:
    # Planned over all questions, answered or not: so a resumed run forms the same batches and gets the same bits.
    plan = model.plan(questions, batch_size)
    journal.write((keys[index], answer_to_json(answer)) for index, answer in plan.immediate)
    progress(len(plan.immediate))
    missing = [batch for batch in plan.batches if any(keys[index] not in known for index in batch.indices)]
    progress(len(questions) - len(plan.immediate) - sum(len(batch.indices) for batch in missing))
    for done, answers in answers_to(model, missing):
        journal.write((keys[i], answer_to_json(a)) for i, a in zip(done.indices, answers, strict=True))
        progress(len(done.indices))


def answers_to(model: Model, batches: Iterable[Batch]) -> Iterator[tuple[Batch, list[Answer]]]:
    """Answer batches; the device works on the next one while the answers of the last are read and written down."""
    last: list[Iterator[tuple[Batch, list[Answer]]]] = []
    for batch in batches:
        begun = _answer(model, batch, _begin(model, batch))
        for done in last:
            yield from done
        last = [begun]
    for done in last:
        yield from done


def _begin(model: Model, batch: Batch) -> Callable[[], list[Answer]] | None:
    """Set the device to work on a batch; None where its memory does not suffice."""
    try:
        return model.begin(batch)
    except (RuntimeError, MemoryError) as error:
        if len(batch.indices) == 1 or not _out_of_memory(error):
            raise
        return None


def _answer(
    model: Model, batch: Batch, begun: Callable[[], list[Answer]] | None
) -> Iterator[tuple[Batch, list[Answer]]]:
    """Wait for a batch's answers; ask in ever smaller parts if the device runs out of memory."""
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
