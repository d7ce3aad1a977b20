"""Tokens of a request: how many it can take at most, and how many the server says it took."""

import json
from typing import Any

from genderscope.models.server.json_access import part

#: where each protocol reports tokens, and under which names: OpenAI's and Anthropic's, then Google's
_REPORTS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("usage", ("prompt_tokens",), ("completion_tokens",)),
    ("usage", ("input_tokens",), ("output_tokens",)),
    ("usageMetadata", ("promptTokenCount",), ("candidatesTokenCount", "thoughtsTokenCount")),
)


def most_tokens(body: dict[str, Any] | None) -> tuple[int, int]:
    """Return the most tokens that a request can send and receive: no token is shorter than a byte."""
    if body is None:
        return 0, 0
    limits = (body.get("max_tokens"), body.get("max_completion_tokens"))
    limit = next((each for each in limits if each), part(body, "generationConfig").get("maxOutputTokens") or 0)
    return len(json.dumps(body, ensure_ascii=False).encode(errors="replace")), limit * body.get("n", 1)


def used_tokens(response: dict[str, Any]) -> tuple[int, int] | None:
    """Return the tokens that the server says it took and gave; None if it does not say."""
    for place, sent, received in _REPORTS:
        told = part(response, place)
        if _is_count(told.get(sent[0])) and _is_count(told.get(received[0], 0)):
            return told[sent[0]], sum(told[name] for name in received if _is_count(told.get(name)))
    return None


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
