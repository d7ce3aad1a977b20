"""Parser for the likeliest next tokens in the response formats of different servers."""

import math
from typing import Any

from genderscope.models.server.json_access import first_choice, listed, number, part
from genderscope.models.server.plausibility import fault, shared_floor

Candidates = list[tuple[str, float]]


def next_tokens(response: dict[str, Any]) -> Candidates:
    """Return the candidates for a response's first token, likeliest first.

    Non-numeric scores are dropped. NaN and infinite scores are kept at the end, since they differ from missing tokens.
    """
    logprobs = part(first_choice(response), "logprobs")
    if content := listed(logprobs, "content"):  # chat, and llama.cpp's completions
        entries = listed(content[0], "top_logprobs")
        pairs = [(each.get("token"), each.get("logprob")) for each in entries if isinstance(each, dict)]
    else:
        tops = listed(logprobs, "top_logprobs")
        pairs = list(tops[0].items()) if tops and isinstance(tops[0], dict) else []
    scored = [(token, number(score)) for token, score in pairs if isinstance(token, str)]
    found = [(token, score) for token, score in scored if score is not None]
    return sorted(found, key=lambda pair: -pair[1] if math.isfinite(pair[1]) else math.inf)


def _plain(token: str) -> str:
    return token.replace("\u2581", " ").replace("Ġ", " ")


def leaves_out_spaces(candidates: Candidates) -> bool:
    """Return whether the server strips leading spaces from its tokens, so that " he" and "he" look alike."""
    return not any(_plain(token)[:1].isspace() for token, _ in candidates)


def score_of(word: str, candidates: Candidates) -> float | None:
    """Return the log-probability of the token equal to this word, including its leading space."""
    return next((score for token, score in candidates if _plain(token) == word), None)


def score_of_reply(word: str, candidates: Candidates) -> float | None:
    """Return the log-probability that a reply begins with this word, ignoring surrounding spaces and case."""
    scores = [score for token, score in candidates if _plain(token).strip().casefold() == word.casefold()]
    if len(scores) > 1:
        # A variant spelling without a computed log-probability adds nothing.
        floor = shared_floor([score for _, score in candidates])
        known = [score for score in scores if fault(score, floor) is None]
        return math.log(math.fsum(map(math.exp, known))) if known else scores[0]
    return scores[0] if scores else None
