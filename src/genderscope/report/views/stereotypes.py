"""Tables and figures of the 16 stereotypes, shared by the GEST measures."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from genderscope.judgement import MARK_NOTE, significance_mark
from genderscope.report.charts.forest import Axis, bar
from genderscope.report.charts.intervals import Gap, Point, intervals
from genderscope.report.charts.style import FEMININE, MASCULINE, Size, failure
from genderscope.report.layout import INTERVAL, Plot, plain_table
from genderscope.report.views.explorer import Explorer, ExplorerColumn, Part, choices, figures
from genderscope.report.views.plain_view import ESTIMATES, NUMBERS, Line, Table, interval, keys, number, numbers
from genderscope.runs import Result
from genderscope.samples.gest import FEMALE, STEREOTYPES
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

WOMEN, MEN = "women are …", "men are …"
OVERALL = "over all stereotypes"
_STYLE = {WOMEN: "magenta", MEN: "yellow"}


def stereotypes_table(rates: Sequence[Estimate], ranks: Mapping[int | None, Estimate]) -> RenderableType:
    """Build the terminal table of stereotypes with a forest plot."""
    axis = Axis.around(rates)
    numeric = ("rate", INTERVAL, "n", "rank")
    plot = f"feminine ◄ {axis.neutral:g} ► masculine"
    table = plain_table(("stereotype",), numeric, plot=plot, optional=("rank",), whole=True)
    for about, group in _groups(rates):
        style = _STYLE[about]
        table.add_row(Text(about, style=f"italic {style}"), plot=lambda width: Text(bar(None, axis, width)))
        for e in group:
            cells = (number(e.value), f"{interval(e)}{significance_mark(e)}", f"{e.n:,}", _rank(ranks, e))
            table.add_row(Text(stereotype_label(e), style=style), *cells, _drawn(e, axis, style))
    if any(map(significance_mark, rates)):
        return Group(table, Text(MARK_NOTE, style="dim"))
    return table


def _drawn(estimate: Estimate, axis: Axis, style: str) -> Plot:
    return lambda width: Text(bar(estimate, axis, width), style=style)


def by_stereotype_table(rates: Sequence[Estimate], ranks: Mapping[int | None, Estimate]) -> Table:
    """Build the page's table of stereotypes, with one heading per group."""
    rows: list[Line] = []
    for about, group in _groups(rates):
        rows.append(Line((about,)))
        for e in group:
            value, ends, *counts = numbers(e)
            cells = (stereotype_label(e), value, f"{ends}{significance_mark(e)}", *counts, _rank(ranks, e))
            rows.append(Line(cells, stereotype_keys(e)))
    if any(map(significance_mark, rates)):
        rows.append(Line((MARK_NOTE,)))
    return Table("By stereotype", ("stereotype", "masculine rate", *NUMBERS[1:], "feminine rank"), rows)


def detail_table(title: str, estimates: Iterable[Estimate]) -> Table:
    """Build a collapsed table of estimates by stereotype and scope."""
    rows = [
        Line((e.label, f"{stereotype_label(e)}, {e.scope}".lstrip(", "), *numbers(e)), stereotype_keys(e))
        for e in estimates
        if e.value is not None
    ]
    return Table(title, ESTIMATES, rows, folded=True)


def by_stereotype(rates: Sequence[Estimate], model: str, size: Size, overall: Sequence[Estimate] = ()) -> Any:
    """Draw each stereotype's rate with its interval, grouped by gender.

    `overall` contains the rates for female and male stereotypes and the stereotype rate, which is the gap between
    these two rates. All three are drawn last.
    """
    gap = None
    both = []
    if overall:
        female, male, rate = overall
        both = [
            Point(f"{female.name}, female stereotypes", female, {"model": model}, OVERALL, WOMEN),
            Point(f"{male.name}, male stereotypes", male, {"model": model}, OVERALL, MEN),
        ]
        text = f"{rate.symbol or rate.name} = {number(rate.value)} {interval(rate)}"
        ends = sorted((female.value or 0.0, male.value or 0.0))
        gap = Gap(f"gap {text}", ends[0], ends[1], f"from {female.name} to {male.name}\n{text}", OVERALL, failure(rate))
    points = [
        Point(stereotype_label(e).strip(), e, {"model": model, **stereotype_keys(e)}, about, about)
        for about, group in _groups(rates)
        for e in group
    ] + both
    title = f"masculine rate {rates[0].symbol} (neutral {rates[0].neutral:g}; right is masculine)"
    return intervals(points, title, {WOMEN: FEMININE, MEN: MASCULINE}, size=size, gap=gap)


def over_groups(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Return the rates for female and male stereotypes and the stereotype rate; empty if any of them has no value."""
    by_name = {e.name: e for e in reversed(estimates) if e.value is not None}
    names = ("masculine_rate_female", "masculine_rate_male", "stereotype_rate")
    return [by_name[name] for name in names] if by_name.keys() >= set(names) else []


def stereotype_keys(estimate: Estimate) -> dict[str, object]:
    """Return an estimate's filter keys, including the stereotype's name."""
    known = {} if estimate.stereotype is None else {"stereotype": stereotype_name(estimate.stereotype)}
    return {**keys(estimate), **known}


def stereotype_name(number: int) -> str:
    """Return a stereotype's number and name."""
    return f"{number} {STEREOTYPES[number]}"


def with_names(result: Result) -> "pd.DataFrame":
    """Return a result's rows with stereotype names and, if log-ratios are present, the preferred gender."""
    rows = result.rows
    frame = rows.assign(stereotype=rows["stereotype"].map(stereotype_name)) if "stereotype" in rows else rows
    return frame.assign(prefers=frame["log_ratio"].map(_preferred)) if "log_ratio" in frame else frame


def _preferred(log_ratio: float) -> str | None:
    if math.isnan(log_ratio):
        return None
    return "masculine" if log_ratio > 0 else "feminine" if log_ratio < 0 else "tie"


def preference_explorer(
    frame: "pd.DataFrame", columns: Sequence[ExplorerColumn], marked: str, **filters: str
) -> Explorer:
    """Build the explorer for choices between two genders; `marked` describes the highlighted words."""
    return Explorer(
        [
            *columns,
            *choices(frame, **filters, prefers="prefers"),
            *figures(frame, log_ratio="log-ratio (above 0: masculine)"),
            *choices(frame, alternates="alternating word", unread="why unread"),
        ],
        legend=f"Marked: {marked} to which the model assigns the higher probability.",
    )


def choice_parts(log_ratio: float, male: str, female: str) -> list[Part]:
    """Return two words separated by a slash, with the more probable one highlighted."""
    if math.isnan(log_ratio) or log_ratio == 0:
        return [male, " / ", female]
    if log_ratio > 0:
        return [(male, "masculine"), (f" / {female}", "faded")]
    return [(f"{male} / ", "faded"), (female, "feminine")]


def _groups(rates: Sequence[Estimate]) -> Iterable[tuple[str, list[Estimate]]]:
    for about, female in ((WOMEN, True), (MEN, False)):
        if group := [e for e in rates if (e.stereotype in FEMALE) is female]:
            yield about, group


def feminine_ranks(estimates: Sequence[Estimate], overall: bool = True) -> dict[int | None, Estimate]:
    """Return each stereotype's feminine rank, by default only ranks for all data."""
    return {e.stereotype: e for e in estimates if e.name == "rank" and not (overall and e.scope)}


def _rank(ranks: Mapping[int | None, Estimate], estimate: Estimate) -> str:
    rank = ranks.get(estimate.stereotype)
    return "–" if rank is None or rank.value is None or estimate.value is None else f"{rank.value:g}"


def stereotype_label(estimate: Estimate) -> str:
    """Return the right-aligned number and name of an estimate's stereotype; empty if it covers all stereotypes."""
    return "" if estimate.stereotype is None else f"{estimate.stereotype:>2} {STEREOTYPES[estimate.stereotype]}"
