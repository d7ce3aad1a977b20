"""The plain view of a result: one table of all estimates. Views of measures add their own tables and figures."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.console import RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from genderscope.runs.result import Result
from genderscope.statistics.estimate import Estimate


@dataclass(frozen=True)
class Figure:
    """A figure of the report: a chart specification and the sentence below it."""

    title: str
    chart: Any
    caption: str


@dataclass(frozen=True)
class Table:
    """A table of the report. A row of one cell is a heading inside the table; `folded` hides it behind its title."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    folded: bool = False


class View:
    """What to show of a result, and in which order."""

    #: what an estimate means, in a few words
    meaning: ClassVar[Mapping[str, str]] = {}

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        """Yield what the terminal shows between title and summary."""
        yield self.estimates_table(result.as_estimates())

    def completions(self, result: Result) -> Iterable[RenderableType]:
        """Yield what the model said where that may hurt: shown on the terminal only to those who ask for it."""
        return ()

    def figures(self, result: Result) -> Iterable[Figure]:
        """Yield the report's figures; the first one opens the page."""
        return ()

    def compare(self, results: Sequence[Result]) -> Iterable[Figure]:
        """Yield figures over several results of the measure."""
        return ()

    def tables(self, result: Result) -> Iterable[Table]:
        """Yield the report's tables."""
        yield self.page_table("Estimates", result.as_estimates())

    def estimates_table(self, estimates: Sequence[Estimate], bold: Sequence[Estimate] = ()) -> RenderableType:
        """Lay estimates out for the terminal, a line each; what has no value is left out."""
        table = RichTable(box=None, pad_edge=False, header_style="bold")
        for heading in ("estimate", "for"):
            table.add_column(heading, no_wrap=True)
        for heading in ("value", "95 % interval", "neutral", "n", "unread"):
            table.add_column(heading, justify="right", no_wrap=True)
        table.add_column("meaning", style="dim", overflow="ellipsis", no_wrap=True)
        for e in estimates:
            if e.value is not None:
                cells = (e.name, e.scope or "all", *numbers(e), self.meaning.get(e.name, ""))
                table.add_row(*map(Text, cells), style="bold" if e in bold else "")
        return table

    def page_table(self, title: str, estimates: Sequence[Estimate], folded: bool = False) -> Table:
        """Lay estimates out for the page."""
        columns = ("estimate", "for", "value", "95 % interval", "neutral", "n", "unread")
        rows = [(e.name, e.scope or "all", *numbers(e)) for e in estimates if e.value is not None]
        return Table(title, columns, rows, folded)


def numbers(estimate: Estimate) -> tuple[str, str, str, str, str]:
    """Return value, interval, neutral point, n and unread as text."""
    neutral = "–" if estimate.neutral is None else f"{estimate.neutral:g}"
    return number(estimate.value), interval(estimate), neutral, f"{estimate.n:,}", f"{estimate.unread:,}"


def number(value: float | None) -> str:
    """Write a number for people: two decimals, or two digits where it is tiny."""
    if value is None:
        return "–"
    return f"{value:.2f}" if value == 0 or abs(value) >= 0.01 else f"{value:.1e}"


def interval(estimate: Estimate) -> str:
    """Write an interval for people."""
    if estimate.low is None or estimate.high is None:
        return "–"
    return f"[{number(estimate.low)}, {number(estimate.high)}]"
