"""Reads answers from the journal, in the order of the questions."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from genderscope.core.journal_codec import answer_from_json, question_key
from genderscope.core.questions import Answer, Question
from genderscope.runs import Journal

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
