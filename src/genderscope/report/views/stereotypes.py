"""How the sixteen stereotypes are laid out, for every measure that is about them."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from genderscope.judgement import MARK_NOTE, significance_mark
from genderscope.report.charts.forest import Axis, bar
from genderscope.report.charts.intervals import Gap, Point, intervals
from genderscope.report.charts.style import FEMININE, MASCULINE, Size
from genderscope.report.layout import Plot, plain_table
from genderscope.report.views.explorer import Part
from genderscope.report.views.plain_view import Line, interval, keys, number, numbers
from genderscope.samples.gest import FEMALE, STEREOTYPES
from genderscope.statistics.estimate import Estimate

WOMEN, MEN = "women are …", "men are …"
OVER = "over all stereotypes"
_STYLE = {WOMEN: "magenta", MEN: "yellow"}


def stereotypes_table(rates: Sequence[Estimate], ranks: dict[int | None, Estimate]) -> RenderableType:
    """Draw the stereotypes for the terminal, each with its interval as a line."""
    axis = Axis.around(rates)
    numeric = (rates[0].name if rates else "rate", "95 % interval", "n", "rank")
    plot = f"feminine ◄ {axis.neutral:g} ► masculine"
    table = plain_table(("stereotype",), numeric, plot=plot, yields=("rank",), whole=True)
    for about, group in _groups(rates):
        style = _STYLE[about]
        table.add_row(Text(about, style=f"italic {style}"), plot=lambda width: Text(bar(None, axis, width)))
        for e in group:
            told = (number(e.value), f"{interval(e)}{significance_mark(e)}", f"{e.n:,}", _rank(ranks, e))
            table.add_row(Text(stereotype_label(e), style=style), *told, _drawn(e, axis, style))
    if any(map(significance_mark, rates)):
        return Group(table, Text(MARK_NOTE, style="dim"))
    return table


def _drawn(estimate: Estimate, axis: Axis, style: str) -> Plot:
    return lambda width: Text(bar(estimate, axis, width), style=style)


def stereotype_rows(rates: Sequence[Estimate], ranks: dict[int | None, Estimate]) -> list[Line]:
    """Lay the stereotypes out for a table of the page, under a heading for each group."""
    rows: list[Line] = []
    for about, group in _groups(rates):
        rows.append(Line((about,)))
        for e in group:
            value, within, *counts = numbers(e)
            marked = f"{within}{significance_mark(e)}"
            rows.append(Line((stereotype_label(e), value, marked, *counts, _rank(ranks, e)), stereotype_keys(e)))
    if any(map(significance_mark, rates)):
        rows.append(Line((MARK_NOTE,)))
    return rows


def by_stereotype(rates: Sequence[Estimate], model: str, size: Size, overall: Sequence[Estimate | None] = ()) -> Any:
    """Draw each stereotype's rate with its interval, female and male set apart.

    `overall` are the rates over female and over male stereotypes and the stereotype rate, which is the gap between the
    two: they end the figure.
    """
    female, male, rate = overall or (None, None, None)
    gap = None
    both = []
    if female is not None and male is not None and rate is not None:
        both = [
            Point(f"{female.name}, female stereotypes", female, {"model": model}, OVER, WOMEN),
            Point(f"{male.name}, male stereotypes", male, {"model": model}, OVER, MEN),
        ]
        told = f"{rate.name} = {number(rate.value)} {interval(rate)}"
        ends = sorted((female.value or 0.0, male.value or 0.0))
        gap = Gap(f"gap {told}", ends[0], ends[1], f"from {female.name} to {male.name}\n{told}", OVER)
    points = [
        Point(stereotype_label(e).strip(), e, {"model": model, **stereotype_keys(e)}, about, about)
        for about, group in _groups(rates)
        for e in group
    ] + both
    title = f"masculine rate {rates[0].name} (neutral {rates[0].neutral:g}; right is masculine)"
    return intervals(points, title, {WOMEN: FEMININE, MEN: MASCULINE}, size=size, gap=gap)


def over_groups(estimates: Sequence[Estimate], names: Sequence[str]) -> list[Estimate | None]:
    """Return the estimates of these names, or nothing where one has no value."""
    found = [next((e for e in estimates if e.name == name and e.value is not None), None) for name in names]
    return found if None not in found else []


def stereotype_keys(estimate: Estimate) -> dict[str, object]:
    """Return the keys of an estimate, the stereotype by its name."""
    known = {} if estimate.stereotype is None else {"stereotype": stereotype_name(estimate.stereotype)}
    return {**keys(estimate), **known}


def stereotype_name(number: int) -> str:
    """Write a stereotype with its number."""
    return f"{number} {STEREOTYPES[number]}"


def preferred(log_ratio: float) -> str | None:
    """Say which gender a log-ratio is for."""
    if math.isnan(log_ratio):
        return None
    return "masculine" if log_ratio > 0 else "feminine" if log_ratio < 0 else "tie"


def choice_parts(log_ratio: float, male: str, female: str) -> list[Part]:
    """Write two words beside each other, the more probable one marked."""
    if math.isnan(log_ratio) or log_ratio == 0:
        return [male, " / ", female]
    if log_ratio > 0:
        return [(male, "masculine"), (f" / {female}", "faded")]
    return [(f"{male} / ", "faded"), (female, "feminine")]


def _groups(rates: Sequence[Estimate]) -> Iterable[tuple[str, list[Estimate]]]:
    for about, female in ((WOMEN, True), (MEN, False)):
        if group := [e for e in rates if (e.stereotype in FEMALE) is female]:
            yield about, group


def feminine_ranks(estimates: Sequence[Estimate]) -> dict[int | None, Estimate]:
    """Return the feminine rank of each stereotype over everything."""
    return {e.stereotype: e for e in estimates if e.name == "rank" and not e.scope}


def _rank(ranks: dict[int | None, Estimate], estimate: Estimate) -> str:
    rank = ranks.get(estimate.stereotype)
    return "–" if rank is None or rank.value is None or estimate.value is None else f"{rank.value:g}"


def stereotype_label(estimate: Estimate) -> str:
    """Write the stereotype of an estimate, numbers below each other; nothing where it spans all."""
    return "" if estimate.stereotype is None else f"{estimate.stereotype:>2} {STEREOTYPES[estimate.stereotype]}"
