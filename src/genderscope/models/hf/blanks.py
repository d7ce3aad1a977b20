"""Questions whose options are one token each (nearly all are), as arrays, so that thousands are handled at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from genderscope.models.hf.passes.texts import Array, Texts
from genderscope.questions import Answer, Choice, ChoiceAnswer

NOT_FINITE = "the model's logits are not finite in this precision"


#: A question whose options are one token each: the ids with the first option in the blank, its position, the options.
#: A plain tuple: there is one for every question, and a named one takes longer to make than to find.
Single = tuple[list[int], int, tuple[int, ...]]


def single(
    question: Choice, encodings: Sequence[Any], unknown_id: int | None, sees_after: bool = False
) -> Single | None:
    """Find a blank that is one token for every option, with nothing around it changed; None if a closer look is needed.

    `encodings` are those of the sentence with each option. A left-to-right model also predicts the space before the
    word, so that matters if the space may be a token of its own.
    """
    before = question.before
    begin = len(before)
    first = encodings[0]
    place = first.char_to_token(begin)
    if place is None:
        return None
    ids: list[int] = first.ids
    spaced = before.endswith(" ")
    tokens = []
    for option, encoding in zip(question.options, encodings, strict=True):
        read = ids if encoding is first else encoding.ids
        if place >= len(read) or not option.isascii():
            return None
        start, stop = encoding.token_to_chars(place) or (-1, -1)
        if stop != begin + len(option) or not (start == begin or (spaced and start == begin - 1)):
            return None
        if not sees_after and start == begin and (spaced or not begin) and _ends_at(encoding, place - 1, begin):
            return None
        token = read[place]
        read[place] = ids[place]
        if token == unknown_id or token in tokens or read != ids:
            return None
        tokens.append(token)
    return ids, place, tuple(tokens)


def _ends_at(encoding: Any, token: int, place: int) -> bool:
    """Return whether a token ends at this character."""
    covered = encoding.token_to_chars(token) if token >= 0 else None
    return covered is not None and covered[1] == place


@dataclass(frozen=True)
class Blanks:
    """Located blanks with the same number of options: the texts, the blank's position in each, and the options' tokens.

    `masses` says for which the normaliser over the vocabulary is asked for too.
    """

    texts: Texts
    places: Array
    options: Array
    masses: Array

    @classmethod
    def of(cls, found: Sequence[Single], masses: Sequence[bool]) -> "Blanks":
        """Lay single blanks out as arrays."""
        ids, places, options = zip(*found, strict=True)
        return cls(Texts.of(ids), np.array(places), np.array(options), np.array(masses))

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, chosen: slice | Array) -> "Blanks":
        """Return some of the blanks."""
        return Blanks(self.texts[chosen], self.places[chosen], self.options[chosen], self.masses[chosen])

    @property
    def full(self) -> bool:
        """Whether full vocabulary rows are needed."""
        return bool(self.masses.any())

    def masked(self, token: int) -> Texts:
        """Return the texts with this token in every blank."""
        ids = self.texts.ids.copy()
        ids[self.texts.starts + self.places] = token
        return Texts(ids, self.texts.lengths)

    def answers(self, scores: Array, normalisers: Array | None) -> list[Answer]:
        """Return the answers from the logits of the options [blanks, options], and the normalisers asked for."""
        finite = np.logical_and.reduce(np.abs(scores) < 1e30, axis=1)  # NaN compares as false
        sums: list[float | None] = [None] * len(self)
        if normalisers is not None:
            for k, found in zip(np.flatnonzero(self.masses).tolist(), normalisers.tolist(), strict=True):
                sums[k] = found
        pairs = list(zip(*self.options.T.tolist(), strict=True))
        tokens = {pair: tuple((token,) for token in pair) for pair in set(pairs)}
        found_scores = zip(*scores.T.tolist(), strict=True)
        return [
            ChoiceAnswer(found, tokens[pair], total) if read else ChoiceAnswer(None, tokens[pair], unread=NOT_FINITE)
            for found, pair, total, read in zip(found_scores, pairs, sums, finite.tolist(), strict=True)
        ]
