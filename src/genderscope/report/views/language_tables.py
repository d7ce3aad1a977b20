"""EuroGEST's comparison of languages: a table of rates, and heat maps of rates and of their agreement."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType

from genderscope.report.charts.language_heatmaps import (
    agreement_of_languages,
    by_language,
    language_name,
    order_by_similarity,
    rates_by_language,
)
from genderscope.report.layout import INTERVAL
from genderscope.report.views.plain_view import (
    Figure,
    KeyedRow,
    Named,
    ReportTable,
    interval,
    keys,
    number,
    terminal_table,
)
from genderscope.report.views.stereotypes import RATE
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    from genderscope.report.views.declaration import FigureSpec, TableSpec, TerminalSpec
    from genderscope.report.views.declared_view import DeclaredView

COLUMNS = ("language", "g_s", INTERVAL, "q_f", "q_m", "n", "unread", "gendered", "scaffold", "correlation")


def language_lines(view: "DeclaredView", result: Result, part: "TerminalSpec") -> Iterable[RenderableType]:
    """Yield the table of languages for the terminal."""
    yield from ("", terminal_table(COLUMNS, _language_lines(result.as_estimates())), "")


def language_table(view: "DeclaredView", result: Result, part: "TableSpec") -> Iterable[ReportTable]:
    """Yield the table of languages for the page."""
    yield ReportTable("Languages", COLUMNS, _language_lines(result.as_estimates()))


def rates_figure(view: "DeclaredView", runs: Sequence[Named], part: "FigureSpec") -> Iterable[Figure]:
    """Yield a heat map of the stereotypes' rates in each language."""
    rates, order = _ordered(runs)
    if any(e.value is not None for e in rates):
        yield Figure(part.title, lambda size: rates_by_language(rates, order, size), part.caption)


def agreement_figure(view: "DeclaredView", runs: Sequence[Named], part: "FigureSpec") -> Iterable[Figure]:
    """Yield a heat map of the selected correlations between languages."""
    ((_, result),) = runs
    correlations = view.select(part.select, result)
    if any(e.value is not None for e in correlations):
        _, order = _ordered(runs)
        yield Figure(part.title, lambda size: agreement_of_languages(correlations, order, size), part.caption)


def _ordered(runs: Sequence[Named]) -> tuple[list[Estimate], list[str]]:
    """Return the stereotypes' rates in each language, and the languages ordered by their similarity."""
    ((_, result),) = runs
    rates = [e for e in result.as_estimates() if e.name == RATE and e.language and e.subset is None]
    return rates, order_by_similarity(rates)


def _language_lines(estimates: Sequence[Estimate]) -> list[KeyedRow]:
    """Return one row per language: rates, g_s in both conditions, and their correlation."""
    names = ("stereotype_rate", "masculine_rate_female", "masculine_rate_male", "rate_correlation")
    g_s, female, male, correlation = (by_language(estimates, name) for name in names)
    parts = {(e.language, e.subset): e for e in estimates if e.name == "stereotype_rate" and e.subset}
    lines = []
    for code, rate in g_s.items():
        scaffold = parts.get((code, "pronoun")) or parts.get((code, "noun"))
        cells = (
            *(language_name(code), number(rate.value), interval(rate)),
            *(_value(of.get(code)) for of in (female, male)),
            *(f"{rate.n:,}", f"{rate.unread:,}"),
            *(_value(e) for e in (parts.get((code, "gendered")), scaffold, correlation.get(code))),
        )
        lines.append(KeyedRow(cells, keys(rate)))
    return lines


def _value(estimate: Estimate | None) -> str:
    return "–" if estimate is None else number(estimate.value)
