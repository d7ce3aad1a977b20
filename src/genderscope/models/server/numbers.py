"""Log-probabilities as servers send them: which can be believed, and why the others cannot.

Servers have sent probabilities and logits under that name, and floors such as -9999 for what was too unlikely to
compute. None of these may become a number of a result: the question is unread, with one of the reasons below.
"""

import math
from collections.abc import Iterable, Sequence

#: Above 0 by no more than this is rounding.
ROUNDING = 1e-5
#: Probabilities may add up to so much more than 1: half precision rounds, and llama.cpp's whole vocabulary has 1.0002.
EXCESS = 0.02
#: The logarithm of the smallest single-precision number that has all its digits; what is lower was not computed.
LOWEST = -87.3
#: From here on a whole number is a floor: no computed logarithm is whole.
WHOLE = -20.0
#: From here on the lowest number of an answer is a floor where several tokens have it, this far below all others.
SHARED, GAP = -15.0, 2.0
#: No vocabulary has so many tokens; so the likeliest of all has at least this probability.
TOKENS = 2**21

NOT_FINITE = "the server gives a log-probability that is no finite number"
ABOVE_ZERO = "the server gives a log-probability above 0, which none can be"
FLOOR = "the server gives {:g} as a log-probability, a floor for whatever is unlikely"
TOGETHER = "the words have a probability above 1 together, so the server's numbers are no log-probabilities"
TOO_MUCH = "the next tokens have a probability above 1 together, so the server's numbers are no log-probabilities"
TOO_LITTLE = "even the likeliest next token is too unlikely, so the server's numbers are no log-probabilities"


def fault(score: float, among: Sequence[float] = ()) -> str | None:
    """Say why a log-probability cannot be believed; `among` are all that came with it."""
    if not math.isfinite(score):
        return NOT_FINITE
    if score > ROUNDING:
        return ABOVE_ZERO
    return FLOOR.format(score) if _is_floor(score, among) else None


def _is_floor(score: float, among: Sequence[float]) -> bool:
    if score <= LOWEST or (score <= WHOLE and score.is_integer()):
        return True
    if score > SHARED or sum(other == score for other in among) < 2:
        return False
    others = [other for other in among if math.isfinite(other) and other != score]
    return not others or min(others) > score + GAP


def fault_of_options(scores: Sequence[float]) -> str | None:
    """Say why log-probabilities of words that exclude each other cannot be believed together."""
    return TOGETHER if _probability(scores) > 1 + EXCESS else None


def fault_of_next(candidates: Iterable[tuple[str, float]]) -> str | None:
    """Say why the log-probabilities of the likeliest next tokens cannot be what they are said to be."""
    # A token that is named twice with one number is the one that was drawn.
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
