"""The dialogue suite's blocks, one per table in the paper, then neutral translations and regressions."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from genderscope.measures.dialogue import TABLES, Compared, condition_of, table_of
from genderscope.report.charts.intervals import Point
from genderscope.report.layout import INTERVAL, plain_table
from genderscope.report.views.plain_view import (
    Figure,
    KeyedRow,
    Named,
    ReportTable,
    interval,
    interval_figure,
    number,
    numbers,
)
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.report.views.declaration import FigureSpec, TableSpec, TerminalSpec
    from genderscope.report.views.declared_view import DeclaredView

GENDERS = {"M": "masculine", "F": "feminine", "N": "neutral"}
DIFFERENCES = ("cue_effect", "accuracy_difference")
COLUMNS = ("condition", "estimate", "value", INTERVAL, "neutral", "n", "unread")


def headline(result: Result) -> list[Estimate]:
    """Return the male share of lone speakers per language; with a single language, also all differences."""
    estimates = [e for e in result.as_estimates() if e.value is not None and e.category is None]
    subsets = sorted((table.subset for table in TABLES), key=lambda subset: subset.endswith("determined"))
    wanted = [("masculine_rate", "stereo_adverb"), *((name, s) for s in subsets for name in DIFFERENCES)]
    leading = [e for name, subset in wanted for e in estimates if (e.name, e.subset) == (name, subset)]
    one = len(_languages(estimates)) == 1
    return [e for e in leading if one or e.name == "masculine_rate"]


def condition_lines(view: "DeclaredView", result: Result, part: "TerminalSpec") -> Iterable[RenderableType]:
    """Yield the terminal table of each language, with a line on located and neutral adjectives."""
    for language, estimates in _by_language(result):
        table = plain_table((*COLUMNS[:2], "symbol"), COLUMNS[2:], optional=("symbol", "unread", "neutral"))
        for heading, rows in _blocks(view, estimates):
            table.add_row(Text(heading, style="bold"))
            for words, e in rows:
                bold = "bold" if e.name in DIFFERENCES else ""
                table.add_row(*map(Text, (f"  {words}", e.name, e.symbol or "", *numbers(e))), style=bold)
        yield from (Text(f"to {language}", style="bold underline"), table, "", _neutral_line(estimates), "")


def condition_tables(view: "DeclaredView", result: Result, part: "TableSpec") -> Iterable[ReportTable]:
    """Yield the page's tables of each language."""
    for language, estimates in _by_language(result):
        rows: list[KeyedRow | Sequence[str]] = []
        for heading, conditions in _blocks(view, estimates):
            rows.append((heading,))
            rows += [KeyedRow((words, e.label, *numbers(e)), {"language": language}) for words, e in conditions]
        yield ReportTable(f"Shares and accuracies, {language}", COLUMNS, rows)
        columns: tuple[str, ...] = ("condition", "kind", "share", INTERVAL, "n")
        yield ReportTable(f"Neutral translations, {language}", columns, _neutral(estimates))
        if regressions := _regressions(view, estimates):
            columns = ("variable", "coefficient", INTERVAL, "p", "n", "remark")
            yield ReportTable(f"Logistic regressions of feminine adjectives, {language}", columns, regressions)


def condition_figure(view: "DeclaredView", runs: Sequence[Named], part: "FigureSpec") -> Iterable[Figure]:
    """Yield a figure of male shares or accuracies, as the part's title says, by language and condition."""
    ((name, result),) = runs
    estimates = result.as_estimates()
    languages = _languages(estimates)
    colours = view.colours(part.colours)
    man, woman, neither = colours
    series = {"M": man, "F": woman}
    points = []
    for language in languages:
        for table in (t for t in TABLES if (t.outcome == "male") is part.title.startswith("Male")):
            title = view.declared.words["table"][table.subset]
            points += [
                Point(
                    words,
                    e,
                    {"model": name, "language": language},
                    f"{language}: {title}" if len(languages) > 1 else title,
                    series.get(condition_of(e.name), neither),
                )
                for words, e in _conditions(estimates, table, language)
                if e.name != "accuracy_difference"
            ]
    yield from interval_figure(part.title, part.caption, points, part.axis, colours, domain=part.domain)


def named_genders(result: Result) -> "pd.DataFrame":
    """Return a result's rows with names instead of letters for genders."""
    return result.rows.assign(
        gender=result.rows["gender"].map(lambda g: GENDERS.get(g, g)),
        true_gender=result.rows["true_gender"].map(lambda g: GENDERS.get(g, "unknown")),
    )


def _languages(estimates: Sequence[Estimate]) -> list[str]:
    return sorted({e.language for e in estimates if e.language is not None})


def _by_language(result: Result) -> list[tuple[str, list[Estimate]]]:
    estimates = result.as_estimates()
    return [(language, [e for e in estimates if e.language == language]) for language in _languages(estimates)]


def _blocks(view: "DeclaredView", estimates: Sequence[Estimate]) -> Iterable[tuple[str, list[tuple[str, Estimate]]]]:
    for table in TABLES:
        if conditions := _conditions(estimates, table, estimates[0].language):
            yield f"{view.declared.words['table'][table.subset]} (Tables {table.tables})", conditions


def _conditions(estimates: Sequence[Estimate], table: Compared, language: str | None) -> list[tuple[str, Estimate]]:
    """Return a table's estimates with their conditions, omitting female shares, which mirror male shares."""
    conditions = []
    for e in estimates:
        if (e.subset, e.language) != (table.subset, language) or e.category or e.group or e.value is None:
            continue
        if e.name in DIFFERENCES:
            conditions.append(("difference", e))
        elif e.name == "masculine_rate":
            conditions.append(("all", e))
        elif not e.name.startswith("feminine_rate"):
            conditions.append((table.label(condition_of(e.name)), e))
    return conditions


def _neutral_line(estimates: Sequence[Estimate]) -> Text:
    located = next(e for e in estimates if e.name == "located")
    shares = [e.value for e in estimates if e.name == "neutral" and e.category is None and e.value is not None]
    reach = f"{min(shares):.0%} to {max(shares):.0%}" if shares else ""
    neutral = f"; {reach} of them are neutral, depending on the condition (see report.html)" if shares else ""
    return Text(f"{number(located.value)} of {located.n:,} adjectives located{neutral}.")


def _neutral(estimates: Sequence[Estimate]) -> list[Sequence[str]]:
    return [
        (
            "" if e.category else table_of(e.subset or "").label(e.group or ""),
            e.category or "all",
            *numbers(e)[:2],
            f"{e.n:,}",
        )
        for e in estimates
        if e.name == "neutral"
    ]


def _regressions(view: "DeclaredView", estimates: Sequence[Estimate]) -> list[Sequence[str]]:
    p = {(e.subset, e.category): e.value for e in estimates if e.name == "p_value"}
    rows: list[Sequence[str]] = []
    subset = None
    for e in (e for e in estimates if e.name == "log_odds"):
        if e.subset != subset:
            subset = e.subset
            rows.append((view.declared.words["table"][subset or ""],))
        remark = "" if e.value is not None else e.method.rpartition(": ")[2]
        value = p.get((e.subset, e.category))
        chance = "–" if value is None else f"{value:.1e}" if value < 0.001 else f"{value:.3f}"
        rows.append((e.category or "", number(e.value), interval(e), chance, f"{e.n:,}", remark))
    return rows
