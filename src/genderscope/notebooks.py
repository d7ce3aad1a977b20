"""How notebooks display results and comparisons; set by the package, because rendering is in a higher layer."""

from collections.abc import Callable
from typing import Any

#: returns the HTML of a result or a comparison
draw: Callable[[Any], str] | None = None


def html_of(shown: object) -> str | None:
    """Return the HTML a notebook shows; None means plain text."""
    return None if draw is None else draw(shown)
