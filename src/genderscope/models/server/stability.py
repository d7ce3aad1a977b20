"""Checks that log-probabilities do not depend on the order of requests, as they do with a stale prefix cache."""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from genderscope.models.hf.token_spans import length_in_common
from genderscope.models.server.tokens import Candidates, Tokens

#: A text's log-probabilities, keyed by position and piece in a prompt, or by piece among next tokens.
Numbers = Mapping[tuple[int, str], float]

#: Tolerances for the difference in one log-probability, and for the root mean square of all differences. Half precision
#: is inexact: bfloat16 has steps of 0.125 between 16 and 32, the range of logits, and logits may change by a step or
#: two if the same text is part of another batch.
MOST, TYPICAL = 0.4, 0.15
#: Number of texts to repeat.
TEXTS = 4
MISSING = "numbers in one response but not in the other"


def changed_in(read: Callable[[str], Numbers | None], texts: Sequence[str]) -> str | None:
    """Query texts in one order and then in reverse; return a short description of any change."""
    first = {text: read(text) for text in texts}
    for text, other in pairwise(texts):
        if _copied(first[text], first[other]):
            return "two different texts got the same numbers"
    for text in reversed(texts):
        if change := _change(first[text], read(text)):
            return change
    return None


def _change(first: Numbers | None, second: Numbers | None) -> str | None:
    if not first or not second:
        return None if not first and not second else MISSING
    if _lost(first, second) or _lost(second, first):
        return MISSING
    pairs = [(first[key], second[key]) for key in sorted(first.keys() & second.keys())]
    differences = [_difference(*pair) for pair in pairs]
    worst = max(differences, default=0.0)
    if worst <= MOST and math.fsum(d * d for d in differences) <= TYPICAL**2 * len(differences):
        return None
    before, after = pairs[differences.index(worst)]
    return f"one log-probability changed from {before:.2f} to {after:.2f}"


def _lost(numbers: Numbers, others: Numbers) -> bool:
    """Return whether the other response lacks a token; the least likely next tokens may differ."""
    end = min(filter(math.isfinite, others.values()), default=0.0) + MOST
    return any(score > end for key, score in numbers.items() if key not in others)


def _difference(first: float, second: float) -> float:
    if math.isfinite(first) and math.isfinite(second):
        return abs(first - second)
    return 0.0 if first == second or (math.isnan(first) and math.isnan(second)) else math.inf


def _copied(first: Numbers | None, second: Numbers | None) -> bool:
    """Return whether two prompts have identical log-probabilities from the first differing token on."""
    pairs = list(zip(sorted((first or {}).items()), sorted((second or {}).items()), strict=False))
    begin = next((k for k, ((ours, _), (theirs, _)) in enumerate(pairs) if ours != theirs), len(pairs))
    numbers = {score for (_, score), _ in pairs[begin:]}
    return len(numbers) > 1 and all(ours == theirs for (_, ours), (_, theirs) in pairs[begin:])


def numbers_of_tokens(tokens: Tokens) -> Numbers:
    """Return a prompt's log-probabilities, keyed by token position and piece."""
    told = zip(tokens.pieces, tokens.log_probabilities, strict=True)
    return {(k, piece): score for k, (piece, score) in enumerate(told) if score is not None}


def numbers_of_next(candidates: Candidates) -> Numbers | None:
    """Return the next tokens' log-probabilities; None if there are none."""
    # Reversed, so that the first of identically spelled tokens is kept.
    return {(0, token): score for token, score in reversed(candidates)} or None


def alike(texts: Sequence[str]) -> list[str]:
    """Choose a few texts around the pair with the longest common prefix."""
    ordered = sorted(set(texts))
    if len(ordered) < 2:
        return ordered
    common = [length_in_common(pair) for pair in pairwise(ordered)]
    place = common.index(max(common))
    start = max(0, min(place - 1, len(ordered) - TEXTS))
    return ordered[start : start + TEXTS]


def unstable(url: str, change: str) -> str:
    """Return the error message for a server with order-dependent log-probabilities."""
    return (
        f"The server at {url} gave different log-probabilities when the same texts were sent in a different order "
        f"({change}), as with a stale prefix cache; disable that cache (vLLM: --no-enable-prefix-caching) "
        "and try again."
    )
