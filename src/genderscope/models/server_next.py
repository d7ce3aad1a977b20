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


def score_of(word: str, spaced: bool, candidates: Candidates) -> float | None:
    """Return the log-probability of the token that is this word, with a space before it where the text has one.

    A server that leaves all leading spaces out of its tokens is taken at its word.
    """
    plain = [(_plain(token), score) for token, score in candidates]
    wanted = f" {word}" if spaced else word
    if spaced and not any(token[:1].isspace() for token, _ in plain):
        wanted = word
    return next((score for token, score in plain if token == wanted), None)


def score_of_reply(word: str, candidates: Candidates) -> float | None:
    """Return the log-probability that a reply begins with this word, however it is spaced or capitalised."""
    scores = [score for token, score in candidates if _plain(token).strip().casefold() == word.casefold()]
    return math.log(sum(map(math.exp, scores))) if scores else None
