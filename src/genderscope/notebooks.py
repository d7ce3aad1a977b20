"""Hooks by which results and comparisons draw and judge themselves; the package sets them, since reports lie above."""

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


class Judging(Protocol):
    """What judges the results of those below it."""

    def judge_result(self, result: Any) -> Any:
        """Judge the leading estimates of a run."""


#: return what draws and what judges, imported when they are first used
drawing: Callable[[], Drawing] | None = None
judging: Callable[[], Judging] | None = None


def html_of(shown: object) -> str | None:
    """Return what a notebook shows; None leaves it at the plain text."""
    return None if drawing is None else drawing().html(shown)


def judgements_of(result: object) -> Any:
    """Return the leading estimates of a run with their judgements."""
    if judging is None:
        raise RuntimeError("genderscope was imported only in part")
    return judging().judge_result(result)


def drawn() -> Drawing:
    """Return what draws."""
    if drawing is None:
        raise RuntimeError("genderscope was imported only in part")
    return drawing()
