"""Finds the blanks of many questions at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np

from genderscope.models.hf.blanks import Blanks, one_token_each
from genderscope.models.hf.passes.texts import Array
from genderscope.models.hf.token_spans import Located, locate
from genderscope.questions import Choice


@dataclass(frozen=True)
class Rules:
    """What matters of a model for where its blanks are."""

    unknown_id: int | None
    longest: int
    sees_after: bool


@dataclass(frozen=True)
class Found:
    """Blanks by question number: those that are one token for every option, equally many options together, and others.

    A string says why a question cannot be read.
    """

    blanks: tuple[tuple[Array, Blanks], ...]
    others: tuple[tuple[int, Located | str], ...]


def find(questions: Sequence[Choice], encodings: Sequence[Any], rules: Rules) -> Found:
    """Find the blanks of these questions; `encodings` are those of their sentences with each option.

    Single-token options are handled fast, as arrays; the others one by one.
    """
    starts = [0, *accumulate(len(question.options) for question in questions)]
    found = []
    alone = np.ones(len(questions), dtype=bool)
    for indices, asked, encoded in _alike(questions, encodings, starts):
        chosen, blanks = one_token_each(asked, encoded, rules.unknown_id, rules.longest, rules.sees_after)
        if len(chosen):
            found.append((indices[chosen], blanks))
            alone[indices[chosen]] = False
    others = [
        (k, locate(questions[k], encodings[starts[k] : starts[k + 1]], rules.unknown_id, rules.sees_after))
        for k in np.flatnonzero(alone).tolist()
    ]
    return Found(tuple(found), tuple(others))


def _alike(
    questions: Sequence[Choice], encodings: Sequence[Any], starts: Sequence[int]
) -> Iterator[tuple[Array, Sequence[Choice], Sequence[Any]]]:
    """Yield the questions with equally many options together: which they are, they, and their encodings."""
    counts = np.diff(starts)
    for count in dict.fromkeys(counts.tolist()):
        indices = np.flatnonzero(counts == count)
        if len(indices) == len(questions):
            yield indices, questions, encodings
            return
        here = indices.tolist()
        of_these = [each for index in here for each in encodings[starts[index] : starts[index + 1]]]
        yield indices, [questions[index] for index in here], of_these
