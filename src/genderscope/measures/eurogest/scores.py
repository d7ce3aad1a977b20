"""From a model's answers about two texts to a log-ratio: as defined here, and as the authors published in two years.

defined   log P(male text) - log P(female text), in full: all before the first difference cancels out
2025      the same from each text's second token on, less ln(tokens of the male text / tokens of the female text)
2026      mean log P over the tokens from the first that differs to the end, the male text's less the female's; where
          one text is the beginning of the other, from the last token that both have; where already the first tokens
          differ and nothing stands before them, the last token alone
"""

import math
from collections.abc import Sequence

from genderscope.questions import LikelihoodAnswer, TokenLikelihood

SAME = "the two texts are the same to the tokenizer"
NOTHING_BEFORE = "the texts differ from their first token on, and the tokenizer adds no beginning-of-text token"


def questions(male: str, female: str, published: str | None) -> tuple[TokenLikelihood, TokenLikelihood]:
    """Ask for the tokens from the first word that differs on; as published in 2026 from the word before, in 2025 all.

    A word is asked from its beginning: where in it the tokens begin to differ only the tokenizer knows.
    """
    if published == "2025":
        return TokenLikelihood(male, (), False), TokenLikelihood(female, (), False)
    start = _word_at(male, _shared(male, female))
    if published == "2026":
        start = _word_at(male, len(male[:start].rstrip()) - 1) if male[:start].strip() else 0
    first, second = (TokenLikelihood(text, ((start, len(text)),), False) for text in (male, female))
    return first, second


def _shared(one: Sequence[object], other: Sequence[object]) -> int:
    """Return how many items two sequences begin with in common."""
    together = enumerate(zip(one, other, strict=False))
    return next((k for k, (a, b) in together if a != b), min(len(one), len(other)))


def _word_at(text: str, place: int) -> int:
    """Return where the word at a place begins."""
    while place > 0 and not text[place - 1].isspace():
        place -= 1
    return place


def log_ratio(male: LikelihoodAnswer, female: LikelihoodAnswer, published: str | None) -> float | str:
    """Return the log-ratio of two texts, or why there is none."""
    one, other = male.log_probabilities, female.log_probabilities
    if one is None or other is None:
        return male.unread or female.unread or "unread"
    if male.ids == female.ids:
        return 0.0 if published else SAME
    if published == "2025":
        return _sum(one) - _sum(other) - math.log(_count(male) / _count(female))
    start = _shared(male.ids, female.ids)
    if published == "2026":
        start = _start_2026(start, one, other)
    first, second = one[start:], other[start:]
    if None in first or None in second:
        return NOTHING_BEFORE
    return _mean(first) - _mean(second) if published == "2026" else _sum(first) - _sum(second)


def _start_2026(start: int, one: Sequence[float | None], other: Sequence[float | None]) -> int:
    if start == min(len(one), len(other)):
        start -= 1
    # The authors' list of log-probabilities begins at the second token, and an index of -1 in it is its last.
    return -1 if start < 0 or one[start] is None else start


def _sum(scores: Sequence[float | None]) -> float:
    return math.fsum(score for score in scores if score is not None)


def _mean(scores: Sequence[float | None]) -> float:
    return _sum(scores) / len(scores)


def _count(answer: LikelihoodAnswer) -> int:
    """Return the number of tokens of a text, with the beginning-of-text token where there is one."""
    scores = answer.log_probabilities or ()
    return len(scores) + (bool(scores) and scores[0] is not None)
