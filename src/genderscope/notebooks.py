"""How results and comparisons show themselves; the package sets it, since what draws lies above what is drawn."""

from collections.abc import Callable
from typing import Any, Protocol


class Drawing(Protocol):
    """What the report does for those below it."""

    def html(self, shown: Any) -> str:
        """Draw a result or a comparison for a notebook."""

    def brief(self, result: Any) -> str:
        """Write a result in a line or two."""

    def text(self, result: Any, form: str) -> str:
        """Write a result as Markdown or LaTeX."""

    def plot(self, shown: Any, figure: str | None) -> Any:
        """Draw a figure."""


#: returns what draws, imported when it is first used
drawing: Callable[[], Drawing] | None = None


def html_of(shown: object) -> str | None:
    """Return what a notebook shows; None leaves it at the plain text."""
    return None if drawing is None else drawing().html(shown)


def drawn() -> Drawing:
    """Return what draws."""
    if drawing is None:
        raise RuntimeError("genderscope was imported only in part")
    return drawing()
