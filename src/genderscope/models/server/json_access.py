"""Defensive access to a server's JSON, any part of which may be missing or have the wrong type; tokens used."""

import json
import math
from typing import Any


def choices_of(response: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the choices in a response, skipping any that are not JSON objects."""
    choices = response.get("choices")
    return [choice for choice in choices if isinstance(choice, dict)] if isinstance(choices, list) else []


def first_choice(response: dict[str, Any]) -> dict[str, Any]:
    """Return the first choice in a response, or an empty dict."""
    return next(iter(choices_of(response)), {})


def part(content: Any, name: str) -> dict[str, Any]:
    """Return a nested object, or an empty dict if it is missing."""
    value = content.get(name) if isinstance(content, dict) else None
    return value if isinstance(value, dict) else {}


def listed(content: Any, name: str) -> list[Any]:
    """Return a list from an object, or an empty list if it is missing."""
    value = content.get(name) if isinstance(content, dict) else None
    return value if isinstance(value, list) else []


def number(value: Any) -> float | None:
    """Return a JSON number as a float, which may be NaN or infinite; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:  # JSON can contain integers too large for a float
        return math.inf if value > 0 else -math.inf


def is_count(value: Any) -> bool:
    """Return whether a JSON value is an integer of at least 0."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def said(choice: dict[str, Any]) -> str | None:
    """Return the text of a completion or chat choice; None if it has no text."""
    for text in (choice.get("text"), part(choice, "message").get("content")):
        if isinstance(text, str):
            return text
    return None


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
    limit = next((stated for stated in limits if stated), part(body, "generationConfig").get("maxOutputTokens") or 0)
    return len(json.dumps(body, ensure_ascii=False).encode(errors="replace")), limit * body.get("n", 1)


def used_tokens(response: dict[str, Any]) -> tuple[int, int] | None:
    """Return the input and output tokens that the server reports; None if it reports none."""
    for place, sent, received in _REPORTS:
        told = part(response, place)
        if is_count(told.get(sent[0])) and is_count(told.get(received[0], 0)):
            return told[sent[0]], sum(told[name] for name in received if is_count(told.get(name)))
    return None
