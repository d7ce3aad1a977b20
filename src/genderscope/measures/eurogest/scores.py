"""Log-ratios from a model's answers about two texts, as defined here or as published in 2025 and 2026.

defined   log P(male text) - log P(female text) over the full texts; tokens before the first difference cancel out
2025      the same from each text's second token on, minus ln(tokens of the male text / tokens of the female text)
2026      mean log P over the tokens from the first that differs to the end, male minus female text; if one text is a
          prefix of the other, from the last token that both have; if the first tokens already differ and nothing
          precedes them, the last token alone
"""

import math
from collections.abc import Sequence

from genderscope.core.questions import LikelihoodAnswer, TokenLikelihood

SAME = "the two texts have the same tokens"
NOTHING_BEFORE = "the texts differ from their first token on, and the tokenizer adds no beginning-of-text token"


def questions(male: str, female: str, published: str | None) -> tuple[TokenLikelihood, TokenLikelihood]:
    """Return questions for the tokens from the first differing word on (2026: one word earlier; 2025: all).

    Questions start at word boundaries, because only the tokenizer can determine where in a word the tokens begin to
    differ.
    """
    if published == "2025":
        return TokenLikelihood(male, (), False), TokenLikelihood(female, (), False)
    start = _word_at(male, _shared(male, female))
    if published == "2026":
        start = _word_at(male, len(male[:start].rstrip()) - 1) if male[:start].strip() else 0
    first, second = (TokenLikelihood(text, ((start, len(text)),), False) for text in (male, female))
    return first, second


def _shared(one: Sequence[object], other: Sequence[object]) -> int:
    """Return the length of the common prefix of two sequences."""
    together = enumerate(zip(one, other, strict=False))
    return next((k for k, (a, b) in together if a != b), min(len(one), len(other)))


def _word_at(text: str, place: int) -> int:
    """Return the start of the word at a position."""
    while place > 0 and not text[place - 1].isspace():
        place -= 1
    return place


def log_ratio(male: LikelihoodAnswer, female: LikelihoodAnswer, published: str | None) -> float | str:
    """Return the log-ratio of two texts, or the reason why there is none."""
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
    # The authors' list of log-probabilities starts at the second token, and index -1 is its last element.
    return -1 if start < 0 or one[start] is None else start


def _sum(scores: Sequence[float | None]) -> float:
    return math.fsum(score for score in scores if score is not None)


def _mean(scores: Sequence[float | None]) -> float:
    return _sum(scores) / len(scores)


def _count(answer: LikelihoodAnswer) -> int:
    """Return the number of tokens in a text, including the beginning-of-text token if there is one."""
    scores = answer.log_probabilities or ()
    return len(scores) + (bool(scores) and scores[0] is not None)
