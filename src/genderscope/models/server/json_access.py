"""Defensive access to a server's JSON, any part of which may be missing or have the wrong type."""

import math
from typing import Any


def choices_of(response: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the choices in a response, skipping any that are not JSON objects."""
    found = response.get("choices")
    return [choice for choice in found if isinstance(choice, dict)] if isinstance(found, list) else []


def first_choice(response: dict[str, Any]) -> dict[str, Any]:
    """Return the first choice in a response, or an empty dict."""
    return next(iter(choices_of(response)), {})


def part(content: Any, name: str) -> dict[str, Any]:
    """Return a nested object, or an empty dict if it is missing."""
    found = content.get(name) if isinstance(content, dict) else None
    return found if isinstance(found, dict) else {}


def listed(content: Any, name: str) -> list[Any]:
    """Return a list from an object, or an empty list if it is missing."""
    found = content.get(name) if isinstance(content, dict) else None
    return found if isinstance(found, list) else []


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
