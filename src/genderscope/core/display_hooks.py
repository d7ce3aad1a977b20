"""Hooks that let results and comparisons render and judge themselves without importing the report layer above them."""

from collections.abc import Callable
from typing import Any, Protocol


class Drawing(Protocol):
    """The report functions that lower layers call."""

    def html(self, shown: Any) -> str:
        """Render a result or comparison as HTML for a notebook."""

    def brief(self, result: Any) -> str:
        """Summarise a result in one or two lines."""

    def text(self, result: Any, form: str) -> str:
        """Render a result as Markdown or LaTeX."""

    def plot(self, shown: Any, figure: str | None) -> Any:
        """Draw a figure."""


class Judging(Protocol):
    """The judging functions that lower layers call."""

    def judge_result(self, result: Any) -> Any:
        """Judge a run's leading estimates."""


#: functions set by the package, which import the modules for drawing and judging on first use
drawing: Callable[[], Drawing] | None = None
judging: Callable[[], Judging] | None = None


def html_of(shown: object) -> str | None:
    """Return the HTML for a notebook; None makes the notebook show plain text."""
    return None if drawing is None else drawing().html(shown)


def judgements_of(result: object) -> Any:
    """Return a run's leading estimates with their judgements."""
    if judging is None:
        raise RuntimeError("genderscope is only partially imported")
    return judging().judge_result(result)


def drawn() -> Drawing:
    """Return the drawing module."""
    if drawing is None:
        raise RuntimeError("genderscope is only partially imported")
    return drawing()
