"""The likeliest next tokens, as servers tell them in their several ways."""

import math
from typing import Any

Candidates = list[tuple[str, float]]


def next_tokens(response: dict[str, Any]) -> Candidates:
    """Return the candidates for the first token of an answer, likeliest first; nothing where there are none."""
    try:
        logprobs = response["choices"][0].get("logprobs") or {}
        if logprobs.get("content"):  # chat, and llama.cpp's completions
            found = [(str(each["token"]), float(each["logprob"])) for each in logprobs["content"][0]["top_logprobs"]]
        else:
            found = [(str(token), float(score)) for token, score in logprobs["top_logprobs"][0].items()]
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return []
    return sorted(found, key=lambda pair: -pair[1])


def _plain(token: str) -> str:
    return token.replace("\u2581", " ").replace("Ġ", " ")


def leaves_out_spaces(candidates: Candidates) -> bool:
    """Tell whether the server writes its tokens without the space before a word: then " he" and "he" look alike."""
    return not any(_plain(token)[:1].isspace() for token, _ in candidates)


def score_of(word: str, candidates: Candidates) -> float | None:
    """Return the log-probability of the token that is this word, its space included."""
    return next((score for token, score in candidates if _plain(token) == word), None)


def score_of_reply(word: str, candidates: Candidates) -> float | None:
    """Return the log-probability that a reply begins with this word, however it is spaced or capitalised."""
    scores = [score for token, score in candidates if _plain(token).strip().casefold() == word.casefold()]
    return math.log(sum(map(math.exp, scores))) if scores else None
