"""How a notebook draws results and comparisons; the package sets it, since what draws lies above what is drawn."""

from collections.abc import Callable
from typing import Any

#: returns the HTML of a result or a comparison
draw: Callable[[Any], str] | None = None


def html_of(shown: object) -> str | None:
    """Return what a notebook shows; None leaves it at the plain text."""
    return None if draw is None else draw(shown)
