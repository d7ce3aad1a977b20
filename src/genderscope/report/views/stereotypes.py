"""Tables and figures of the 16 stereotypes, shared by the GEST measures."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.text import Text

from genderscope.judgement import MARK_NOTE, FailedEstimate, describe_left_out, significance_mark
from genderscope.report.charts.forest import Axis, bar
from genderscope.report.charts.intervals import Gap, Point, intervals
from genderscope.report.charts.model_sizes import Sized, by_size, family
from genderscope.report.charts.mt_systems import masculine_against_stereotypical, rank_boxes
from genderscope.report.charts.run_agreement import meaningful_rates, rate_correlations
from genderscope.report.charts.style import FEMININE, MASCULINE, Size, failure
from genderscope.report.layout import INTERVAL, Plot, plain_table
from genderscope.report.views.declaration import FigureSpec, TableSpec, TerminalSpec, declaration_of
from genderscope.report.views.declared_view import DeclaredView
from genderscope.report.views.plain_view import (
    ESTIMATES,
    NUMBERS,
    Figure,
    KeyedRow,
    Named,
    ReportTable,
    interval,
    number,
    numbers,
    stereotype_keys,
    stereotype_label,
    stereotype_name,
)
from genderscope.runs import Result
from genderscope.samples.gest import FEMALE
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

RATE = "masculine_rate_by_stereotype"
WOMEN, MEN = "women are …", "men are …"
OVERALL = "over all stereotypes"
_STYLE = {WOMEN: "magenta", MEN: "yellow"}


def forest_table(view: DeclaredView, result: Result, part: TerminalSpec) -> Iterable[RenderableType]:
    """Yield the terminal table of the selected stereotypes' rates and ranks, with a forest plot."""
    estimates = view.select(part.select, result)
    rates = [e for e in estimates if e.name == RATE]
    if not rates:
        return
    axis = Axis.around(rates)
    plot = f"feminine ◄ {axis.neutral:g} ► masculine"
    table = plain_table(("stereotype",), ("rate", INTERVAL, "n", "rank"), plot=plot, optional=("rank",), whole=True)
    for about, group in _groups(rates):
        style = _STYLE[about]
        table.add_row(Text(about, style=f"italic {style}"), plot=lambda width: Text(bar(None, axis, width)))
        for e in group:
            cells = (number(e.value), f"{interval(e)}{significance_mark(e)}", f"{e.n:,}", _rank(estimates, e))
            table.add_row(Text(stereotype_label(e), style=style), *cells, _drawn(e, axis, style))
    yield table
    if any(map(significance_mark, rates)):
        yield Text(MARK_NOTE, style="dim")


def _drawn(estimate: Estimate, axis: Axis, style: str) -> Plot:
    return lambda width: Text(bar(estimate, axis, width), style=style)


def rates_table(view: DeclaredView, result: Result, part: TableSpec) -> Iterable[ReportTable]:
    """Yield the page's table of the selected stereotypes' rates and ranks, with one heading per group."""
    estimates = view.select(part.select, result)
    rates = [e for e in estimates if e.name == RATE]
    rows: list[KeyedRow] = []
    for about, group in _groups(rates):
        rows.append(KeyedRow((about,)))
        for e in group:
            value, bounds, *counts = numbers(e)
            cells = (stereotype_label(e), value, f"{bounds}{significance_mark(e)}", *counts, _rank(estimates, e))
            rows.append(KeyedRow(cells, stereotype_keys(e)))
    if any(map(significance_mark, rates)):
        rows.append(KeyedRow((MARK_NOTE,)))
    yield ReportTable("By stereotype", ("stereotype", "masculine rate", *NUMBERS[1:], "feminine rank"), rows)


def detail_table(view: DeclaredView, result: Result, part: TableSpec) -> Iterable[ReportTable]:
    """Yield a collapsed table of the selected estimates by stereotype and scope."""
    if estimates := view.select(part.select, result):
        rows = [
            KeyedRow((e.label, f"{stereotype_label(e)}, {e.scope}".lstrip(", "), *numbers(e)), stereotype_keys(e))
            for e in estimates
            if e.value is not None
        ]
        yield ReportTable(part.title, ESTIMATES, rows, folded=True)


def language_rates(view: DeclaredView, result: Result, part: TableSpec) -> Iterable[ReportTable]:
    """Yield a collapsed table of the rates in each language, unless the only language is in the table above."""
    rates = [e for e in result.as_estimates() if e.name == RATE]
    if any(e.language is None for e in rates) and (
        lines := [
            KeyedRow((f"{e.stereotype}", e.scope, *numbers(e)), stereotype_keys(e))
            for e in rates
            if e.language is not None and e.value is not None
        ]
    ):
        yield ReportTable(part.title, ("stereotype", "language", "masculine rate", *NUMBERS[1:]), lines, folded=True)


def rates_figure(view: DeclaredView, runs: Sequence[Named], part: FigureSpec) -> Iterable[Figure]:
    """Yield a figure of the selected rates, followed by those for female and male stereotypes and their gap."""
    ((name, result),) = runs
    rates = [e for e in view.select(part.select, result) if e.value is not None]
    if rates:
        language = rates[0].language
        overall = {
            e.name: e
            for e in reversed(result.as_estimates())
            if e.value is not None and e.with_keys(language=None).number_of_keys == 0 and e.language == language
        }
        yield Figure(part.title, lambda size: _by_stereotype(rates, name, size, overall), part.caption)


def _by_stereotype(rates: Sequence[Estimate], model: str, size: Size, overall: dict[str, Estimate]) -> Any:
    """Draw each stereotype's rate with its interval, grouped by gender.

    The rates for female and male stereotypes and the stereotype rate, which is the gap between the two, are drawn last
    unless one of them has no value.
    """
    gap = None
    points = [
        Point(stereotype_label(e).strip(), e, {"model": model, **stereotype_keys(e)}, about, about)
        for about, group in _groups(rates)
        for e in group
    ]
    if overall.keys() >= {"masculine_rate_female", "masculine_rate_male", "stereotype_rate"}:
        female, male = overall["masculine_rate_female"], overall["masculine_rate_male"]
        rate = overall["stereotype_rate"]
        points += [
            Point(f"{female.name}, female stereotypes", female, {"model": model}, OVERALL, WOMEN),
            Point(f"{male.name}, male stereotypes", male, {"model": model}, OVERALL, MEN),
        ]
        text = f"{rate.symbol or rate.name} = {number(rate.value)} {interval(rate)}"
        bounds = sorted((female.value or 0.0, male.value or 0.0))
        gap = Gap(
            f"gap {text}", bounds[0], bounds[1], f"from {female.name} to {male.name}\n{text}", OVERALL, failure(rate)
        )
    title = f"masculine rate {rates[0].symbol} (neutral {rates[0].neutral:g}; right is masculine)"
    return intervals(points, title, {WOMEN: FEMININE, MEN: MASCULINE}, size=size, gap=gap)


def size_figure(view: DeclaredView, runs: Sequence[Named], part: FigureSpec) -> Iterable[Figure]:
    """Yield the paper's Figure 4; its caption gives the number of runs left out because the model's size is unknown."""
    models = [
        Sized(name, family(result.config["model"]), int(result.config["model"]["parameters"]), rate)
        for name, result in runs
        for rate in view.select(part.select, result)
        if result.config["model"].get("parameters")
    ]
    if models:
        missing = len(runs) - len(models)
        without = (
            f" {missing} of {len(runs)} runs are not shown because the size of the model is unknown." if missing else ""
        )
        axis = part.axis.format(neutral=f"{models[0].estimate.neutral:g}")
        yield Figure(part.title, lambda size: by_size(models, axis, size), part.caption + without)


def agreement_figure(view: DeclaredView, runs: Sequence[Named], part: FigureSpec) -> Iterable[Figure]:
    """Yield a figure of the correlations between the runs' rates, if there are any."""
    if rate_correlations(runs, RATE) is not None:
        left_out = describe_left_out(len(runs) - len(meaningful_rates(runs, RATE)), len(runs))
        yield Figure(part.title, lambda size: rate_correlations(runs, RATE, size), part.caption + left_out)


def system_figure(view: DeclaredView, runs: Sequence[Named], part: FigureSpec) -> Iterable[Figure]:
    """Yield a figure with one point per system and language."""
    if points := _systems(runs):
        yield Figure(part.title, lambda size: masculine_against_stereotypical(points, size), part.caption)


def ranks_figure(view: DeclaredView, runs: Sequence[Named], part: FigureSpec) -> Iterable[Figure]:
    """Yield box plots of ranks, if there are several systems or languages."""
    if len(_systems(runs)) > 1:
        estimates = [e for _, result in runs for e in result.as_estimates() if e.name == "rank" and e.language]
        ranks = [e for e in estimates if e.value is not None and not isinstance(e, FailedEstimate)]
        yield Figure(part.title, lambda size: rank_boxes(ranks, size), part.caption)


def _systems(runs: Sequence[Named]) -> list[tuple[str, str, dict[str, Estimate]]]:
    return [
        (name, e.language, {k.name: k for k in result.as_estimates() if k.language == e.language})
        for name, result in runs
        for e in result.as_estimates()
        if e.name == "stereotype_rate" and e.language is not None and e.value is not None
    ]


def terminal_by_language(view: DeclaredView, result: Result, part: TerminalSpec) -> Iterable[RenderableType]:
    """Yield what is shown for GEST, for each language."""
    for language, one in _languages(result):
        if language is not None:
            yield Text(f"language {language}", style="bold underline")
        yield from _gest_view().terminal(one)
    if between := view.select(part.select, result):
        yield from (view.estimates_table(between), "")


def tables_by_language(view: DeclaredView, result: Result, part: TableSpec) -> Iterable[ReportTable]:
    """Yield GEST's tables for each language."""
    for language, one in _languages(result):
        for table in _gest_view().tables(one):
            yield table if language is None else replace(table, title=f"{table.title}, {language}")


def figures_by_language(view: DeclaredView, runs: Sequence[Named], part: FigureSpec) -> Iterable[Figure]:
    """Yield GEST's figures for each language."""
    ((name, result),) = runs
    for language, one in _languages(result):
        for figure in _gest_view().figures(name, one):
            yield figure if language is None else replace(figure, title=f"{figure.title}, {language}")


def languages_compared(view: DeclaredView, runs: Sequence[Named], part: FigureSpec) -> Iterable[Figure]:
    """Yield GEST's figures over several runs, with each language of a run as a separate run."""
    return _gest_view().compare(
        [(f"{name}, {code}" if code else name, one) for name, run in runs for code, one in _languages(run)]
    )


def _gest_view() -> DeclaredView:
    declared = declaration_of("gest")
    assert declared is not None
    return DeclaredView(declared)


def _languages(result: Result) -> list[tuple[str | None, Result]]:
    """Split a result by language; a single-language result is returned unchanged."""
    languages = list(dict.fromkeys(e.language for e in result.as_estimates() if e.language))
    return [(language, _only(result, language)) for language in languages] or [(None, result)]


def _only(result: Result, language: str) -> Result:
    own = [e.with_keys(language=None) for e in result.as_estimates() if e.language == language]
    return result.estimated(own).selecting(lambda rows: rows[rows["language"] == language])


def with_names(result: Result) -> "pd.DataFrame":
    """Return a result's rows with stereotype names and, if log-ratios are present, the preferred gender."""
    rows = result.rows
    frame = rows.assign(stereotype=rows["stereotype"].map(stereotype_name)) if "stereotype" in rows else rows
    return frame.assign(prefers=frame["log_ratio"].map(_preferred)) if "log_ratio" in frame else frame


def _preferred(log_ratio: float) -> str | None:
    if math.isnan(log_ratio):
        return None
    return "masculine" if log_ratio > 0 else "feminine" if log_ratio < 0 else "tie"


def _groups(rates: Sequence[Estimate]) -> Iterable[tuple[str, list[Estimate]]]:
    for about, female in ((WOMEN, True), (MEN, False)):
        if group := [e for e in rates if (e.stereotype in FEMALE) is female]:
            yield about, group


def _rank(estimates: Sequence[Estimate], rate: Estimate) -> str:
    """Return the feminine rank of a rate's stereotype."""
    rank = next((e for e in reversed(estimates) if e.name == "rank" and e.stereotype == rate.stereotype), None)
    return "–" if rank is None or rank.value is None or rate.value is None else f"{rank.value:g}"
