"""Hooks that let results and comparisons render and judge themselves without importing the layers above them."""

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


#: functions, set by the package, that import the modules for drawing and judging when first called
MODULES: dict[str, Callable[[], Any]] = {}


def drawn() -> Drawing:
    """Return the drawing module."""
    module: Drawing = MODULES["drawing"]()
    return module


def html_of(shown: object) -> str:
    """Return the HTML for a notebook."""
    return drawn().html(shown)


def judgements_of(result: object) -> Any:
    """Return a run's leading estimates with their judgements."""
    return MODULES["judging"]().judge_result(result)


def next_command_of(result: object, judgement: object) -> str | None:
    """Return the command that may give an answer if a run's estimate cannot be judged, otherwise None."""
    step = MODULES["alternatives"]().next_step(result, judgement)
    return None if step is None else str(step.command)
