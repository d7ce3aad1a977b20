"""The default view of a result, with one table of all estimates; the measures' own views add tables and figures."""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.text import Text

from genderscope.core.errors import UserError
from genderscope.measures import mark_failures, measure_type
from genderscope.report.charts.intervals import Point, intervals
from genderscope.report.charts.style import Size
from genderscope.report.layout import INTERVAL, PlainTable, plain_table
from genderscope.report.views.explorer import Explorer
from genderscope.runs import Result
from genderscope.samples.gest import STEREOTYPES
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    from genderscope.measures import AnyMeasure

#: a sentence boundary: a full stop, white space, and a capital letter or a bracket
_BOUNDARY = re.compile(r"(?<=[a-z%)\d]\.)\s+(?=[A-Z\[])")
#: a run with its unique name on the page
Named = tuple[str, Result]
#: maximum number of headline estimates at the top of a page
TILES = 6
#: maximum number of decimals; numbers that need more are printed in scientific notation
MOST_PLACES = 7
#: smaller numbers are rounding errors of a sum that is zero
ROUNDING = 1e-15
#: headings for `numbers`, and for a table of estimates
NUMBERS = ("value", INTERVAL, "neutral", "n", "unread")
ESTIMATES = ("estimate", "for", *NUMBERS)


@dataclass(frozen=True)
class Figure:
    """A report figure: title, a function that draws it at a given size, and caption."""

    title: str
    chart: Callable[[Size], Any]
    caption: str


class KeyedRow(tuple[str, ...]):
    """A table row with its filter keys."""

    keys: Mapping[str, object]

    def __new__(cls, cells: Iterable[str], keys: Mapping[str, object] | None = None) -> "KeyedRow":
        """Create a row; without keys it is never filtered out."""
        line = super().__new__(cls, cells)
        line.keys = keys or {}
        return line


@dataclass(frozen=True)
class ReportTable:
    """A report table; a single-cell row is a heading, and `folded` tables are collapsed."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    folded: bool = False


#: short explanations of estimates that several measures have
SHARED_MEANING = {
    "variance_share": "share of the wider interval's variance",
    "control": "share of known answers that are right",
    "control_auc": "how well the known answers separate (1: completely, 0.5: not at all)",
    "control_nothing_to_know": "pairs with nothing to know, in arbitrary order (0.5 is expected)",
    "likelihood_gain": "probability of the scored words relative to a uniform guess",
    "token_probability": "probability of the first completion, per token",
    "commonest_output": "share of inputs with the most frequent output",
}


#: meaning of values below and above the neutral point, by estimate name
DIRECTIONS = {
    **dict.fromkeys(("masculine_rate", "masculine_rate_female", "masculine_rate_male"), ("feminine", "masculine")),
    **dict.fromkeys(
        (
            *("stereotype_rate", "stereotypical_share", "cue_effect"),
            *("stereotype_contrast", "stereotype_contrast_share", "sentence_preference_contrast"),
        ),
        ("counter-stereotypical", "stereotypical"),
    ),
    **dict.fromkeys(
        ("keyword_preference", "keyword_preference_share", "sentence_preference", "sentence_preference_share"),
        ("anti-stereotype", "stereotype"),
    ),
    "accuracy_difference": ("second condition easier", "first condition easier"),
    "honest_score": ("", "more hurtful"),
    "error": ("", "wrong gender"),
    "gap": ("better for women", "better for men"),
    "accuracy": ("wrong gender", "correct gender"),
}


class View:
    """The display of a measure's results."""

    #: introduction for readers who are new to the measure
    about: str = ""
    #: short explanations of estimates, by name
    meaning: Mapping[str, str] = {}
    #: shorter explanations for the first screen, where a sentence introduces the quantity, by name
    brief: Mapping[str, str] = {}
    #: the kinds of bias that headline estimates measure, by name, for readers who compare systems
    kinds_of_bias: Mapping[str, str] = {}
    #: meaning of values below and above the neutral point, by estimate name
    direction: Mapping[str, tuple[str, str]] = DIRECTIONS
    #: the units that the narrow interval generalises over
    units: str = "samples"

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        """Yield the terminal output between title and summary."""
        yield self.estimates_table(result.as_estimates())

    def completions(self, result: Result) -> Iterable[RenderableType]:
        """Yield potentially hurtful completions, shown on the terminal only on request."""
        return ()

    def explain(self, estimate: Estimate) -> str:
        """Return a short explanation of an estimate."""
        return self.meaning.get(estimate.name) or SHARED_MEANING.get(estimate.name, "")

    def note(self, result: Result) -> str:
        """Return a sentence about the estimates' precision for the page; its first clause is on the first screen."""
        return ""

    def where(self, estimate: Estimate) -> str:
        """Return the language, group or subset that an estimate refers to."""
        return estimate.scope.replace("_", " ")

    def headline(self, result: Result) -> list[Estimate]:
        """Return the headline estimates, restricted to those for all data if available."""
        kind = known_measure(result.measure)
        names = (*kind.headline, *kind.pooled) if kind else ()
        estimates = [e for name in names for e in result.as_estimates() if e.name == name and e.value is not None]
        return ([e for e in estimates if not e.scope] or estimates)[:TILES]

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        """Yield a run's figures; `name` is the run's name on the page."""
        return ()

    def compare(self, runs: Sequence[Named]) -> Iterable[Figure]:
        """Yield figures that compare several runs of the measure."""
        yield from self.compare_headlines(runs)

    def compare_settings(self, runs: Sequence[Named]) -> Iterable[Figure]:
        """Yield figures of runs with the same data that differ in a setting, such as the form of the questions."""
        return ()

    def compare_headlines(self, runs: Sequence[Named]) -> Iterable[Figure]:
        """Yield a figure with the first headline estimate of each run."""
        points = [Point(name, first, {"model": name}) for name, result in runs for first in self.headline(result)[:1]]
        if points:
            first = points[0].estimate
            meaning = self.explain(first) or first.name
            words = first.in_words
            axis = words if first.neutral is None else f"{words} (neutral {first.neutral:g})"
            caption = f"{meaning[:1].upper()}{meaning[1:]}, for each run, with 95 % intervals."
            yield from interval_figure(f"{words[:1].upper()}{words[1:]} by run", caption, points, axis)

    def explorer(self, result: Result) -> Explorer | None:
        """Return the sample explorer, with the decisive words highlighted; None if the view has none."""
        return None

    def tables(self, result: Result) -> Iterable[ReportTable]:
        """Yield the report's tables."""
        yield self.page_table("Estimates", result.as_estimates())

    def estimates_table(self, estimates: Sequence[Estimate], bold: Sequence[Estimate] = ()) -> RenderableType:
        """Build a terminal table with one row per estimate and notes on missing intervals."""
        columns = ("estimate", "symbol") if any(e.symbol for e in estimates) else ("estimate",)
        table = plain_table((*columns, "for"), NUMBERS, prose="meaning", optional=("symbol", "unread", "neutral"))
        for e in estimates:
            if _has_content(e):
                named = (e.name, e.symbol or "")[: len(columns)]
                cells = (*named, e.scope or "all", *numbers(e), self.explain(e))
                table.add_row(*map(Text, cells), style="bold" if e in bold else "")
                if (why := why_no_interval(e)) is not None:
                    table.note(f"{e.name}: {why}")
            if (bounds := wide_interval(e)) is not None:
                blanks = [""] * len(columns)
                wider = f"other {e.wide_units} too"
                cells = (*blanks, wider, "", bounds, "", "", "", "wider interval that also resamples these")
                table.add_row(*map(Text, cells), style="dim")
        return table

    def page_table(self, title: str, estimates: Sequence[Estimate], folded: bool = False) -> ReportTable:
        """Build a table of estimates for the page."""
        shown = [e for e in estimates if _has_content(e)]
        remarked = any(map(why_no_interval, shown))
        rows: list[KeyedRow] = []
        for e in shown:
            why = (why_no_interval(e) or "",) if remarked else ()
            rows.append(KeyedRow((e.label, e.scope or "all", *numbers(e), *why), keys(e)))
            if (bounds := wide_interval(e)) is not None:
                wider = f"other {e.wide_units} too"
                where = f"{e.scope}, {wider}" if e.scope else wider
                wide = (number(e.value), bounds, *numbers(e)[2:], *(("",) if remarked else ()))
                cells = (e.label, where, *wide)
                rows.append(KeyedRow(cells, keys(e)))
        return ReportTable(title, (*ESTIMATES, "why no interval") if remarked else ESTIMATES, rows, folded)


def interval_figure(
    title: str, caption: str, points: Sequence[Point], axis: str, colours: Mapping[str, str] | None = None, **look: Any
) -> Iterable[Figure]:
    """Yield a figure of values with intervals, if there are any points; `look` is passed to `intervals`."""
    if points:
        yield Figure(title, lambda size: intervals(points, axis, colours, size=size, **look), caption)


def terminal_table(headings: Sequence[str], rows: Iterable[Sequence[str]], **options: Any) -> PlainTable:
    """Build a terminal table with one text column followed by number columns."""
    table = plain_table(headings[:1], headings[1:], **options)
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def known_measure(name: str) -> "type[AnyMeasure] | None":
    """Return a measure's class; None if its plugin is no longer installed."""
    try:
        return measure_type(name)
    except UserError:
        return None


def mark_runs(runs: Sequence[Named]) -> list[Named]:
    """Mark the estimates of each run that are not meaningful, so that figures draw them differently."""
    return [(name, mark_failures(result) if known_measure(result.measure) else result) for name, result in runs]


def keys(estimate: Estimate) -> dict[str, object]:
    """Return an estimate's filter keys for pages."""
    return {key: value for key, value in estimate.keys.items() if key != "stereotype"}


def stereotype_keys(estimate: Estimate) -> dict[str, object]:
    """Return an estimate's filter keys, including the stereotype's name."""
    named = {} if estimate.stereotype is None else {"stereotype": stereotype_name(estimate.stereotype)}
    return {**keys(estimate), **named}


def stereotype_name(number: int) -> str:
    """Return a stereotype's number and name."""
    return f"{number} {STEREOTYPES[number]}"


def stereotype_label(estimate: Estimate) -> str:
    """Return the right-aligned number and name of an estimate's stereotype; empty if it covers all stereotypes."""
    return "" if estimate.stereotype is None else f"{estimate.stereotype:>2} {STEREOTYPES[estimate.stereotype]}"


def numbers(estimate: Estimate) -> tuple[str, str, str, str, str]:
    """Return an estimate's texts, in the order of NUMBERS."""
    neutral = "–" if estimate.neutral is None else f"{estimate.neutral:.3g}"
    return number(estimate.value), interval(estimate), neutral, f"{estimate.n:,}", f"{estimate.unread:,}"


def _has_content(estimate: Estimate) -> bool:
    """Return whether an estimate has a value, or a remark that explains its absence."""
    return estimate.value is not None or (estimate.n > 0 and estimate.remark is not None)


def why_no_interval(estimate: Estimate) -> str | None:
    """Return the remark on why an estimate has no interval; None if it has an interval, or no remark."""
    return estimate.remark if estimate.low is None else None


def wide_interval(estimate: Estimate) -> str | None:
    """Format the wider interval; None if it is missing or equals the narrow one."""
    if estimate.wide_low is None or estimate.wide_high is None or estimate.wide_low == estimate.low:
        return None
    return f"[{number(estimate.wide_low)}, {number(estimate.wide_high)}]"


def number(value: float | None) -> str:
    """Format a number with two decimals, or with two significant digits if its magnitude is below 0.01."""
    if value is None:
        return "–"
    if abs(value) < ROUNDING:
        return "0.00"
    if abs(value) >= 0.01:
        return f"{value:.2f}"
    # Decimal notation is easier to compare than scientific notation, so it is used unless it would be too long.
    places = 1 - math.floor(math.log10(abs(value)))
    return f"{value:.{places}f}" if places <= MOST_PLACES else f"{value:.1e}"


def interval(estimate: Estimate) -> str:
    """Format an interval in brackets."""
    if estimate.low is None or estimate.high is None:
        return "–"
    return f"[{number(estimate.low)}, {number(estimate.high)}]"


def describe_coverage(result: Result) -> str:
    """Return a sentence on the number of questions with a usable answer."""
    rows, read = result.counts
    return f"Coverage: {read:,} of {rows:,} questions read ({result.coverage:.1%})."


def first_sentence(summary: str) -> tuple[str, str]:
    """Split a summary into its first sentence and the rest."""
    first, *rest = _BOUNDARY.split(summary, maxsplit=1)
    return first, rest[0] if rest else ""
