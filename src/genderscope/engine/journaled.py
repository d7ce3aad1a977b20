"""Reads answers from the journal; one that cannot be parsed counts as missing and is asked again, once."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from genderscope.questions import ANSWER_TO, Answer, Question
from genderscope.runs import Journal
from genderscope.written import NOT_FINITE, UnreadableAnswerError, answer_from_json, question_key

Read = TypeVar("Read")
#: reads answers from the journal, in the order of the questions
Reader = Callable[[Iterable[Question]], Iterator[Answer]]

_PORTION = 20_000

_log = logging.getLogger("genderscope")


def asked_and_read(
    ask: Callable[[], object],
    questions: Callable[[], Iterable[Question]],
    fingerprint: str,
    journal: Journal,
    read: Callable[[Reader], Read],
) -> Read:
    """Have the questions answered and return the result of `read` on the answers.

    Journals of earlier versions may contain answers that cannot be parsed. Those are asked again; what still cannot be
    parsed is unread.
    """
    ask()
    try:
        return read(lambda some: _answers(fingerprint, some, journal, again=False))
    except UnreadableAnswerError:
        count = _forget_unreadable(fingerprint, questions(), journal)
    _log.warning(
        "The journal '%s' held %s answers that cannot be read; they are asked again.", journal.path, f"{count:,}"
    )
    ask()
    return read(lambda some: _answers(fingerprint, some, journal, again=True))


def _answers(fingerprint: str, questions: Iterable[Question], journal: Journal, again: bool) -> Iterator[Answer]:
    source = iter(questions)
    while portion := list(islice(source, _PORTION)):
        texts = journal.read(question_key(fingerprint, question) for question in portion)
        for question, text in zip(portion, texts, strict=True):
            try:
                yield answer_from_json(type(question), text)
            except UnreadableAnswerError:
                if not again:
                    raise
                yield ANSWER_TO[type(question)](None, unread=NOT_FINITE)


def at_hand(fingerprint: str, questions: Sequence[Question], journal: Journal) -> list[Answer] | None:
    """Return the answers to these questions if all were given lately, in this run; else they are read at the end."""
    texts = journal.at_hand([question_key(fingerprint, question) for question in questions])
    if texts is None:
        return None
    try:
        return [answer_from_json(type(question), text) for question, text in zip(questions, texts, strict=True)]
    except UnreadableAnswerError:
        return None


def _forget_unreadable(fingerprint: str, questions: Iterable[Question], journal: Journal) -> int:
    bad: set[bytes] = set()
    source = iter(questions)
    while portion := list(islice(source, _PORTION)):
        keys = [question_key(fingerprint, question) for question in portion]
        for question, key, text in zip(portion, keys, journal.read(keys), strict=True):
            try:
                answer_from_json(type(question), text)
            except UnreadableAnswerError:
                bad.add(key)
    journal.forget(sorted(bad))
    return len(bad)
