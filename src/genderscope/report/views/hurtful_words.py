"""HONEST's headline, its table of categories, and the hurtful completions behind a warning."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from genderscope.report.charts.intervals import Point
from genderscope.report.charts.style import palette
from genderscope.report.layout import INTERVAL, plain_table
from genderscope.report.views.plain_view import (
    Figure,
    Named,
    ReportTable,
    interval,
    interval_figure,
    number,
    terminal_table,
)
from genderscope.runs import Result
from genderscope.samples.hurtlex import CATEGORIES, SHOWN
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    from genderscope.report.views.declaration import FigureSpec, TableSpec, TerminalSpec
    from genderscope.report.views.declared_view import DeclaredView

WARNING = "Content warning: hurtful words"
MOST = 40


def headline(result: Result) -> list[Estimate]:
    """Return the scores for the largest number of completions, the one for all groups first."""
    scores = [e for e in result.as_estimates() if e.name == "honest_score" and e.value is not None]
    largest = [e for e in scores if e.subset == f"K={result.config['configuration']['k']}"]
    return sorted(largest, key=lambda e: e.group is not None)


def category_figure(view: "DeclaredView", runs: Sequence[Named], part: "FigureSpec") -> Iterable[Figure]:
    """Yield a figure of the scores and of the paper's categories, by group."""
    ((name, result),) = runs
    shares = [e for e in result.as_estimates() if e.name == "share" and e.category in SHOWN and e.value is not None]
    scores = [e for e in view.headline(result) if e.group is not None]
    points = [
        Point(_category(e), e, {"model": name, "group": e.group}, series=e.group or "all") for e in scores + shares
    ]
    colours = palette([point.series for point in points])
    yield from interval_figure(part.title, part.caption, points, part.axis, colours, legend=True)


def category_lines(view: "DeclaredView", result: Result, part: "TerminalSpec") -> Iterable[RenderableType]:
    """Yield the table of categories for the terminal."""
    yield from ("", terminal_table(*_by_category(result.as_estimates())), "")


def category_table(view: "DeclaredView", result: Result, part: "TableSpec") -> Iterable[ReportTable]:
    """Yield the table of categories for the page."""
    yield ReportTable(part.title, *_by_category(result.as_estimates()))


def completion_tables(view: "DeclaredView", result: Result, part: "TableSpec") -> Iterable[ReportTable]:
    """Yield the most frequent hurtful completions and examples of them."""
    yield ReportTable(f"{WARNING}. The most frequent hurtful completions", *_frequent(result), folded=True)
    yield ReportTable(f"{WARNING}. Examples of completed templates", *_examples(result), folded=True)


def completions(result: Result) -> Iterable[RenderableType]:
    """Yield the most frequent hurtful completions for the terminal."""
    columns, rows = _frequent(result)
    table = plain_table(columns, title=WARNING)
    for row in rows:
        table.add_row(*map(Text, row))
    yield from ("", table, "")


def _category(estimate: Estimate) -> str:
    """Return an estimate's category with its description."""
    if estimate.category is None:
        return "all hurtful completions"
    return f"{estimate.category} {CATEGORIES.get(estimate.category, '')}".strip()


def _by_category(estimates: Sequence[Estimate]) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return headings and one row per category: the paper's categories, and all others that occur."""
    shares = [e for e in estimates if e.name == "share" and e.category is not None]
    groups = list(dict.fromkeys(e.group or "all" for e in shares))
    by_place = {(e.category, e.group): e for e in shares}
    differences = {e.category: e for e in estimates if e.name == "difference"}
    headings = ["category (* in the paper)"]
    headings += [heading for group in groups for heading in (f"{group} %", INTERVAL)]
    headings += ["difference", INTERVAL, "p"] if differences else []
    lines = []
    for category in dict.fromkeys(str(e.category) for e in shares):
        cells = [by_place[category, group] for group in groups]
        line = [_category(cells[0]) + (" *" if category in SHOWN else "")]
        line += [text for e in cells for text in (number(e.value), interval(e))]
        if (e := differences.get(category)) is not None:
            line += [number(e.value), interval(e), "–" if e.p is None else f"{e.p:.2g}"]
        if category in SHOWN or any(e.value for e in cells):
            lines.append(tuple(line))
    return headings, lines


def _frequent(result: Result) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return headings and the most frequent lemmas, with counts by group."""
    counts: dict[str, Counter[str]] = {}
    kinds: dict[str, str] = {}
    for group, lemmas, categories in zip(*(result.rows[c] for c in ("group", "lemmas", "categories")), strict=True):
        for lemma, category in zip(lemmas, categories, strict=True):
            if lemma:
                counts.setdefault(str(group), Counter())[lemma] += 1
                kinds[lemma] = category
    groups = sorted(counts)
    total: Counter[str] = sum(counts.values(), Counter())
    rows = [
        (lemma, kinds[lemma].replace("+", ", "), *(str(counts[group][lemma]) for group in groups))
        for lemma, _ in total.most_common(MOST)
    ]
    return ["lemma", "categories", *groups], rows


def _examples(result: Result) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return headings and the first hurtful completion for each of a selection of evenly spaced templates."""
    read = result.rows[result.rows["hurtful"] > 0]
    step = max(1, len(read) // MOST)
    rows: list[tuple[str, ...]] = []
    for text, completed, lemmas, categories in zip(
        *(read[c][::step] for c in ("text", "completions", "lemmas", "categories")), strict=True
    ):
        rank = next(k for k, lemma in enumerate(lemmas) if lemma)
        rows.append((str(text), str(completed[rank]), str(rank + 1), str(categories[rank]).replace("+", ", ")))
    return ["template", "completion", "rank", "categories"], rows[:MOST]
