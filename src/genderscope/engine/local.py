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
) -> None:
    """Put every question to the model that the journal has no answer to; `progress` is told how many are done."""
    fingerprint = model.fingerprint
    for window in _windows(questions):
        asked = {question_key(fingerprint, question): question for question in window}
        keys = list(asked)
        known = journal.known(keys)
        if len(known) < len(keys):
            model.load()
            progress(len(window) - len(keys))
            _ask_window(model, list(asked.values()), keys, known, journal, batch_size, progress)
        else:
            progress(len(window))


def _windows(questions: Iterable[Question]) -> Iterator[list[Question]]:
    source = iter(questions)
    while window := list(islice(source, WINDOW)):
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
    for batch in plan.batches:
        if any(keys[index] not in known for index in batch.indices):
            for done, answers in _answer(model, batch):
                journal.write((keys[i], answer_to_json(a)) for i, a in zip(done.indices, answers, strict=True))
        progress(len(batch.indices))


def _answer(model: Model, batch: Batch) -> Iterator[tuple[Batch, list[Answer]]]:
    """Answer a batch, in ever smaller parts if the device runs out of memory."""
    try:
        yield batch, model.answer(batch)
        return
    except (RuntimeError, MemoryError) as error:
        if len(batch.indices) == 1 or not _out_of_memory(error):
            raise
    for half in batch.halves():
        yield from _answer(model, half)


def _out_of_memory(error: Exception) -> bool:
    if isinstance(error, MemoryError):
        return True
    from accelerate.utils.memory import clear_device_cache, should_reduce_batch_size

    if not should_reduce_batch_size(error):
        return False
    clear_device_cache(garbage_collection=True)
    return True
