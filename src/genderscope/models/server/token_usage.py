"""Tokens that a request may use at most, and those that a response reports."""

import json
from typing import Any

from genderscope.models.server.json_access import is_count, part

#: where each protocol reports token usage: OpenAI, Anthropic, Google
_REPORTS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("usage", ("prompt_tokens",), ("completion_tokens",)),
    ("usage", ("input_tokens",), ("output_tokens",)),
    ("usageMetadata", ("promptTokenCount",), ("candidatesTokenCount", "thoughtsTokenCount")),
)


def most_tokens(body: dict[str, Any] | None) -> tuple[int, int]:
    """Return upper bounds on a request's input and output tokens; no token is shorter than one byte."""
    if body is None:
        return 0, 0
    limits = (body.get("max_tokens"), body.get("max_completion_tokens"))
    limit = next((each for each in limits if each), part(body, "generationConfig").get("maxOutputTokens") or 0)
    return len(json.dumps(body, ensure_ascii=False).encode(errors="replace")), limit * body.get("n", 1)


def used_tokens(response: dict[str, Any]) -> tuple[int, int] | None:
    """Return the input and output tokens that the server reports; None if it reports none."""
    for place, sent, received in _REPORTS:
        told = part(response, place)
        if is_count(told.get(sent[0])) and is_count(told.get(received[0], 0)):
            return told[sent[0]], sum(told[name] for name in received if is_count(told.get(name)))
    return None
