"""Plausibility checks for log-probabilities from servers.

Some servers return probabilities or logits instead of log-probabilities, or floors such as -9999 for tokens too
unlikely to compute. To keep these out of the results, the question is marked unread with one of the reasons below.
"""

import math
from collections.abc import Iterable, Sequence

#: Values up to this far above 0 are rounding errors.
ROUNDING = 1e-5
#: In half precision, probabilities may sum to this much more than 1; over llama.cpp's vocabulary, they sum to 1.0002.
EXCESS = 0.02
#: Logarithm of the smallest normal single-precision number; anything lower was not computed.
LOWEST = -87.3
#: An integer at or below this is a floor: computed logarithms are not integers.
WHOLE = -20.0
#: A response's lowest score is a floor if it is at most SHARED, occurs repeatedly, and is more than GAP below the rest.
SHARED, GAP = -15.0, 2.0
#: Larger than any vocabulary, so the likeliest token has a probability of at least 1/TOKENS.
TOKENS = 2**21

NOT_FINITE = "the server returned a log-probability that is not finite"
ABOVE_ZERO = "the server returned a log-probability above 0, which is impossible"
FLOOR = "the server returned {:g}, a placeholder for unlikely tokens, as a log-probability"
TOGETHER = "the words' probabilities sum to more than 1, so the server's numbers are not log-probabilities"
TOO_MUCH = "the next tokens' probabilities sum to more than 1, so the server's numbers are not log-probabilities"
TOO_LITTLE = "even the likeliest next token is too unlikely, so the server's numbers are not log-probabilities"


class UnreadError(Exception):
    """The response is not a usable answer to the question; the message states the reason."""


def fault(score: float, floor: float | None = None) -> str | None:
    """Return why a log-probability is implausible, or None; `floor` is the response's shared floor."""
    if not math.isfinite(score):
        return NOT_FINITE
    if score > ROUNDING:
        return ABOVE_ZERO
    is_floor = score <= LOWEST or (score <= WHOLE and score.is_integer()) or score == floor
    return FLOOR.format(score) if is_floor else None


def shared_floor(scores: Sequence[float]) -> float | None:
    """Return a response's lowest score if it is a floor, shared by several tokens and far below all others."""
    finite = [score for score in scores if math.isfinite(score)]
    lowest = min(finite, default=0.0)
    if lowest > SHARED or finite.count(lowest) < 2:
        return None
    above = min((score for score in finite if score != lowest), default=math.inf)
    return lowest if above > lowest + GAP else None


def check_scores(scores: Iterable[float], every: Sequence[float]) -> None:
    """Raise `UnreadError` if a log-probability is implausible; `every` contains all scores of the response."""
    floor = shared_floor(every)
    for score in scores:
        if (reason := fault(score, floor)) is not None:
            raise UnreadError(reason)


def check_options(scores: Sequence[float]) -> None:
    """Raise `UnreadError` if the log-probabilities of mutually exclusive words are jointly implausible."""
    if _probability(scores) > 1 + EXCESS:
        raise UnreadError(TOGETHER)


def check_next(candidates: Iterable[tuple[str, float]]) -> None:
    """Raise `UnreadError` if the log-probabilities of the likeliest next tokens are implausible."""
    # The sampled token may be listed a second time, with the same score.
    scores = [score for _, score in dict.fromkeys(candidates)]
    finite = [score for score in scores if math.isfinite(score)]
    if any(score > ROUNDING for score in scores):
        raise UnreadError(ABOVE_ZERO)
    if _probability(finite) > 1 + EXCESS:
        raise UnreadError(TOO_MUCH)
    if finite and LOWEST < max(finite) < -math.log(TOKENS):
        raise UnreadError(TOO_LITTLE)


def _probability(scores: Sequence[float]) -> float:
    return math.fsum(math.exp(min(score, 0.0)) for score in scores)
