"""Checks log-probabilities from servers for plausibility, with the reason if they fail.

Servers have sent probabilities and logits under that name, and floors such as -9999 for tokens too unlikely to
compute. None of these may enter a result: the question is unread, with one of the reasons below.
"""

import math
from collections.abc import Iterable, Sequence

#: Up to this much above 0 is rounding.
ROUNDING = 1e-5
#: Probabilities may exceed a sum of 1 by this much: half precision rounds; llama.cpp's whole vocabulary has 1.0002.
EXCESS = 0.02
#: The logarithm of the smallest normal single-precision number; anything lower was not computed.
LOWEST = -87.3
#: Below this an integer is a floor: no computed logarithm is an integer.
WHOLE = -20.0
#: Below this the lowest number of an answer is a floor if several tokens have it, this far below all others.
SHARED, GAP = -15.0, 2.0
#: No vocabulary is this large, so the likeliest token has at least this probability.
TOKENS = 2**21

NOT_FINITE = "the server gives a log-probability that is not a finite number"
ABOVE_ZERO = "the server gives a log-probability above 0, which is impossible"
FLOOR = "the server gives {:g} as a log-probability, a floor for unlikely tokens"
TOGETHER = "the words' probabilities sum to more than 1, so the server's numbers are not log-probabilities"
TOO_MUCH = "the next tokens' probabilities sum to more than 1, so the server's numbers are not log-probabilities"
TOO_LITTLE = "even the likeliest next token is too unlikely, so the server's numbers are not log-probabilities"


def fault(score: float, floor: float | None = None) -> str | None:
    """Say why a log-probability is not plausible; `floor` is the shared floor of all that came with it."""
    if not math.isfinite(score):
        return NOT_FINITE
    if score > ROUNDING:
        return ABOVE_ZERO
    is_floor = score <= LOWEST or (score <= WHOLE and score.is_integer()) or score == floor
    return FLOOR.format(score) if is_floor else None


def shared_floor(scores: Sequence[float]) -> float | None:
    """Return the lowest log-probability of an answer if it is a floor: several tokens have it, far below all others."""
    finite = [score for score in scores if math.isfinite(score)]
    lowest = min(finite, default=0.0)
    if lowest > SHARED or finite.count(lowest) < 2:
        return None
    above = min((score for score in finite if score != lowest), default=math.inf)
    return lowest if above > lowest + GAP else None


def fault_of_options(scores: Sequence[float]) -> str | None:
    """Say why log-probabilities of mutually exclusive words are not plausible together."""
    return TOGETHER if _probability(scores) > 1 + EXCESS else None


def fault_of_next(candidates: Iterable[tuple[str, float]]) -> str | None:
    """Say why the log-probabilities of the likeliest next tokens are not plausible."""
    # A token listed twice with the same number is the sampled one.
    scores = [score for _, score in dict.fromkeys(candidates)]
    finite = [score for score in scores if math.isfinite(score)]
    if any(score > ROUNDING for score in scores):
        return ABOVE_ZERO
    if _probability(finite) > 1 + EXCESS:
        return TOO_MUCH
    if finite and LOWEST < max(finite) < -math.log(TOKENS):
        return TOO_LITTLE
    return None


def _probability(scores: Sequence[float]) -> float:
    return math.fsum(math.exp(min(score, 0.0)) for score in scores)
