"""The plain view of a result: one table of all estimates. Views of measures add their own tables and figures."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from rich.console import RenderableType
from rich.text import Text

from genderscope.errors import UserError
from genderscope.measures import measure_type
from genderscope.report.charts.intervals import Point, intervals
from genderscope.report.charts.style import Size
from genderscope.report.layout import plain_table
from genderscope.report.views.explorer import Explorer
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    from genderscope.measures import AnyMeasure

#: a run with the name it has on the page: no two are alike
Named = tuple[str, Result]
#: at most so many numbers open a page
TILES = 6


@dataclass(frozen=True)
class Figure:
    """A figure of the report: how it is drawn at a size, and the sentence below it."""

    title: str
    chart: Callable[[Size], Any]
    caption: str


class Line(tuple[str, ...]):
    """A row of a table: its cells, and the keys that it is filtered by."""

    keys: Mapping[str, object]

    def __new__(cls, cells: Iterable[str], keys: Mapping[str, object] | None = None) -> "Line":
        """Make a row; without keys it is never filtered out."""
        line = super().__new__(cls, cells)
        line.keys = keys or {}
        return line


@dataclass(frozen=True)
class Table:
    """A table of the report. A row of one cell is a heading inside the table; `folded` hides it behind its title."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    folded: bool = False


class View:
    """What to show of a result, and in which order."""

    #: what is asked of the system and how it is read, for someone who does not know the measure
    about: ClassVar[str] = ""
    #: what an estimate means, in a few words
    meaning: ClassVar[Mapping[str, str]] = {}
    #: what a value below and one above the neutral point says
    direction: ClassVar[Mapping[str, tuple[str, str]]] = {}

    #: what an interval over a wider scope is over, beside samples
    wider: ClassVar[str] = "other stereotypes too"

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        """Yield what the terminal shows between title and summary."""
        yield self.estimates_table(result.as_estimates())

    def completions(self, result: Result) -> Iterable[RenderableType]:
        """Yield what the model said where that may hurt: shown on the terminal only to those who ask for it."""
        return ()

    def explain(self, estimate: Estimate) -> str:
        """Say what an estimate means, in a few words."""
        return self.meaning.get(estimate.name, "")

    def where(self, estimate: Estimate) -> str:
        """Say what an estimate is for, where a few words are enough."""
        return estimate.scope.replace("_", " ")

    def headline(self, result: Result) -> list[Estimate]:
        """Return the numbers that a reader sees first: those over everything, where there are such."""
        kind = known_measure(result.measure)
        names = kind.headline if kind else ()
        found = [e for name in names for e in result.as_estimates() if e.name == name and e.value is not None]
        return ([e for e in found if not e.scope] or found)[:TILES]

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        """Yield the report's figures of a run that is called `name` on the page; the first one opens it."""
        return ()

    def compare(self, runs: Sequence[Named]) -> Iterable[Figure]:
        """Yield figures over several runs of the measure."""
        yield from self.compare_headlines(runs)

    def compare_headlines(self, runs: Sequence[Named]) -> Iterable[Figure]:
        """Yield a figure with the first headline of every run."""
        points = [Point(name, first, {"model": name}) for name, result in runs for first in self.headline(result)[:1]]
        if points:
            first = points[0].estimate
            what = self.meaning.get(first.name, first.name)
            title = f"{first.name} (neutral {first.neutral:g})" if first.neutral is not None else first.name
            yield Figure(
                f"{first.name} of the runs",
                lambda size: intervals(points, title, size=size),
                f"{what[:1].upper()}{what[1:]}, for each run, with its 95 % interval.",
            )

    def explorer(self, result: Result) -> Explorer | None:
        """Return the samples with what was read of each."""
        return None

    def tables(self, result: Result) -> Iterable[Table]:
        """Yield the report's tables."""
        yield self.page_table("Estimates", result.as_estimates())

    def estimates_table(self, estimates: Sequence[Estimate], bold: Sequence[Estimate] = ()) -> RenderableType:
        """Lay estimates out for the terminal, a line each; where an interval is missing it says why."""
        numeric = ("value", "95 % interval", "neutral", "n", "unread")
        table = plain_table(("estimate", "for"), numeric, prose="meaning", yields=("unread", "neutral"))
        for e in estimates:
            if _worth_a_line(e):
                cells = (e.name, e.scope or "all", *numbers(e), self.meaning.get(e.name, ""))
                table.add_row(*map(Text, cells), style="bold" if e in bold else "")
                if (why := without_interval(e)) is not None:
                    table.note(f"{e.name}: {why}")
            if (scope := wide_interval(e)) is not None:
                cells = ("", self.wider, "", scope, "", "", "", "wider interval: these resampled as well")
                table.add_row(*map(Text, cells), style="dim")
        return table

    def page_table(self, title: str, estimates: Sequence[Estimate], folded: bool = False) -> Table:
        """Lay estimates out for the page."""
        columns = ("estimate", "for", "value", "95 % interval", "neutral", "n", "unread")
        shown = [e for e in estimates if _worth_a_line(e)]
        remarked = any(map(without_interval, shown))
        rows: list[Line] = []
        for e in shown:
            why = (without_interval(e) or "",) if remarked else ()
            rows.append(Line((e.name, e.scope or "all", *numbers(e), *why), keys(e)))
            if (scope := wide_interval(e)) is not None:
                where = f"{e.scope}, {self.wider}" if e.scope else self.wider
                cells = (e.name, where, number(e.value), scope, *numbers(e)[2:], *(("",) if remarked else ()))
                rows.append(Line(cells, keys(e)))
        return Table(title, (*columns, "why no interval") if remarked else columns, rows, folded)


def known_measure(name: str) -> "type[AnyMeasure] | None":
    """Return the class of a measure; None where it came with a plugin that is no longer there."""
    try:
        return measure_type(name)
    except UserError:
        return None


def keys(estimate: Estimate) -> dict[str, object]:
    """Return what an estimate is for, as the keys that the page filters by."""
    return {key: value for key, value in estimate.keys.items() if key != "stereotype"}


def numbers(estimate: Estimate) -> tuple[str, str, str, str, str]:
    """Return value, interval, neutral point, n and unread as text."""
    neutral = "–" if estimate.neutral is None else f"{estimate.neutral:.3g}"
    return number(estimate.value), interval(estimate), neutral, f"{estimate.n:,}", f"{estimate.unread:,}"


def _worth_a_line(estimate: Estimate) -> bool:
    """Whether there is a value, or readings that gave none and a reason for it."""
    return estimate.value is not None or (estimate.n > 0 and estimate.remark is not None)


def without_interval(estimate: Estimate) -> str | None:
    """Say why an estimate has no interval; None where it has one."""
    return estimate.remark if estimate.low is None else None


def wide_interval(estimate: Estimate) -> str | None:
    """Write the interval over a wider scope; None where there is none, or where the plain one is as wide."""
    if estimate.wide_low is None or estimate.wide_high is None or estimate.wide_low == estimate.low:
        return None
    return f"[{number(estimate.wide_low)}, {number(estimate.wide_high)}]"


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
