"""The word-filling measures: group and control group, as in the paper's Tables 1-3 and Figures 1-2."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.text import Text

from genderscope.core.languages import language_name
from genderscope.measures.wordfill import CONTRAST, SCORE_NAMES
from genderscope.report.charts.scatter import histogram, scatter
from genderscope.report.charts.style import Size, label
from genderscope.report.views.plain_view import Figure, KeyedRow, Named, ReportTable, interval, number, terminal_table
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.report.views.declaration import FigureSpec, TableSpec, TerminalSpec
    from genderscope.report.views.declared_view import DeclaredView

CONTRASTS = {SCORE_NAMES["f"], f"{SCORE_NAMES['f']}_share", CONTRAST}
PREFERENCES = {SCORE_NAMES[score] + suffix for score in ("ss", "cs") for suffix in ("", "_share")}
SCORES = ("ss", "csk", "cs")
COLUMNS = ("score", "original µ", "original +", "control µ", "control +", "ρ", "n", "unread")


def headline(result: Result) -> list[Estimate]:
    """Return f and the contrast or, without a control group, ss and cs, which can mislead on their own."""
    estimates = [e for e in result.as_estimates() if e.value is not None]
    contrast = [e for e in estimates if e.name in CONTRASTS]
    leading = contrast or [e for e in estimates if e.name in PREFERENCES and e.group == "original"]
    return [e for e in leading if e.subset is None] or [e for e in leading if e.subset == leading[0].subset]


def part_tables(view: "DeclaredView", result: Result, part: "TerminalSpec") -> Iterable[RenderableType]:
    """Yield the terminal tables of each subset in each language: contrasts, both groups, and other estimates."""
    for title, estimates in _parts(result.as_estimates()).items():
        contrasts = [e for e in estimates if e.name in CONTRASTS]
        if contrasts:
            yield from (view.estimates_table(contrasts, contrasts), "")
        table = terminal_table(COLUMNS, _groups_table(estimates), optional=("unread",))
        yield from (Text(title, style="italic"), table, "")
        if others := _others(estimates):
            yield from (view.estimates_table(others), "")
    yield "; ".join(f"{name}: {count}" for name, count in _sample_counts(result.config["data"])) + "."


def group_tables(view: "DeclaredView", result: Result, part: "TableSpec") -> Iterable[ReportTable]:
    """Yield the page's tables of both groups, of other estimates, and of the numbers of samples."""
    estimates = result.as_estimates()
    rows: list[KeyedRow | Sequence[str]] = []
    for title, own in _parts(estimates).items():
        keys = {key: value for key, value in own[0].keys.items() if key in ("language", "subset")}
        rows += [(title,), *(KeyedRow(row, keys) for row in _groups_table(own))]
    yield ReportTable("Original and control group", COLUMNS, rows)
    if others := _others(estimates):
        yield view.page_table("False positives, agreement and correlations", others)
    yield ReportTable("Samples", ("samples", "count"), _sample_counts(result.config["data"]))


def score_figures(view: "DeclaredView", runs: Sequence[Named], part: "FigureSpec") -> Iterable[Figure]:
    """Yield a scatter plot of each score's two groups or, without a control group, a histogram, for each language."""
    ((name, result),) = runs
    read = result.rows[result.rows["unread"].isna()]
    languages = list(dict.fromkeys(read["language"]))
    for language in languages:
        where = f" in {language_name(language)}" if len(languages) > 1 else ""
        rows = read[read["language"] == language]
        for score, figure in (("ss", 1), ("cs", 2)):
            yield from _score_figure(name, rows, score, figure, where)


def _score_figure(name: str, rows: "pd.DataFrame", score: str, figure: int, where: str) -> Iterable[Figure]:
    control = f"{score}_control"
    pairs = rows.dropna(subset=[score, control]) if control in rows else None
    alone = rows[score].dropna() if score in rows else None
    if pairs is not None and len(pairs) > 2:
        yield Figure(
            f"{score} of the group and its control group{where}",
            lambda size: _dots(pairs, score, name, size),
            f"Each sample's {score} for the control group against that for the group (the paper's Figure {figure}, "
            "with natural logarithms), with the regression line and its 95 % band. On the dashed line, the score does "
            "not depend on the group; samples below it are more stereotypical for the group.",
        )
    elif alone is not None and len(alone):
        yield Figure(
            f"{score} by sample{where}",
            lambda size: histogram(alone, f"{score} (neutral 0)", size),
            f"Distribution of {score} over samples; values above 0 mean that the model prefers the stereotype. Without "
            "a control group, this may reflect word frequency.",
        )


def _sample_counts(data: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return the number of samples and, for each reason, the number of samples dropped or corrected."""
    lines = [(f"samples of {data['name']}", f"{data['samples']:,}")]
    for key, name in (("dropped", "dropped"), ("mended", "corrected")):
        counts = data.get(key)
        if isinstance(counts, Mapping):
            lines += [(f"{name}: {reason}", f"{count:,}") for reason, count in counts.items()]
    return lines if data.get("dropped") else [*lines, ("dropped", "0")]


def _parts(estimates: Sequence[Estimate]) -> dict[str, list[Estimate]]:
    """Return the estimates of each subset in each language, under a title."""
    parts: dict[str, list[Estimate]] = {}
    for e in estimates:
        language = "" if e.language is None else f"{language_name(e.language)}, "
        parts.setdefault(f"{language}{e.subset or 'all'}", []).append(e)
    return parts


def _others(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Return the estimates that are neither contrasts nor in the table of groups."""
    grouped = {SCORE_NAMES[score] + suffix for score in SCORES for suffix in ("", "_share")}
    return [
        e
        for e in estimates
        if e.name not in CONTRASTS and not (e.name in grouped and e.group is not None) and e.category not in SCORES
    ]


def _groups_table(estimates: Sequence[Estimate]) -> list[tuple[str, ...]]:
    """Return one row per score: µ and + of both groups, and ρ."""
    by_key = {(e.name, e.group, e.category): e for e in estimates}
    rows = []
    for score in SCORES:
        cells = [by_key.get((SCORE_NAMES[score] + k, g, None)) for g in ("original", "control") for k in ("", "_share")]
        first = next((e for e in cells if e is not None), None)
        if first is not None:
            cells.append(by_key.get(("score_correlation", None, score)))
            shown = ("–" if e is None else f"{number(e.value)} {interval(e)}" for e in cells)
            rows.append((score, *shown, f"{first.n:,}", f"{first.unread:,}"))
    return rows


def _dots(pairs: "pd.DataFrame", score: str, model: str, size: Size) -> Any:
    labels = [
        label(
            f"{row.s0.replace('<', '').replace('>', '') if isinstance(row.s0, str) else ''}\n"
            f"{score} {getattr(row, score):.3f}, control {getattr(row, f'{score}_control'):.3f}",
            model=model,
            subset=row.subset,
        )
        for row in pairs.itertuples()
    ]
    titles = (f"{score}, original", f"{score}, control")
    return scatter(pairs[score], pairs[f"{score}_control"], labels, *titles, size)
