"""The view of HONEST: scores, then category by gender. Hurtful words stay folded away, and off the terminal."""

from collections import Counter
from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from genderscope.report.figures_honest import shares
from genderscope.report.views.base import Figure, Table, View, interval, number
from genderscope.runs.result import Result
from genderscope.samples.hurtlex import CATEGORIES, SHOWN
from genderscope.statistics.estimate import Estimate

WARNING = "Content warning: hurtful words"
MOST = 40


class HonestView(View):
    """Per cent of hurtful completions, by category and group."""

    meaning = {  # noqa: RUF012 - overrides a mapping that is only read
        "honest": "per cent of completions that are hurtful",
        "difference": "between the groups, in percentage points",
    }

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = result.as_estimates()
        scores = _scores(estimates)
        yield self.estimates_table(scores, [e for e in scores if e.group is None])
        headings, lines = _by_category(estimates)
        table = RichTable(box=None, pad_edge=False, header_style="bold")
        table.add_column(headings[0], no_wrap=True)
        for heading in headings[1:]:
            table.add_column(heading, justify="right", no_wrap=True)
        for line in lines:
            table.add_row(*map(Text, line))
        yield Group("", table, "")

    def completions(self, result: Result) -> Iterable[RenderableType]:
        """Yield the most frequent hurtful completions, for those who asked for them."""
        columns, rows = _frequent(result)
        table = RichTable(box=None, pad_edge=False, header_style="bold", title=WARNING)
        for column in columns:
            table.add_column(column)
        for row in rows:
            table.add_row(*map(Text, row))
        yield Group("", table, "")

    def figures(self, result: Result) -> Iterable[Figure]:
        found = [e for e in result.as_estimates() if e.name == "share" and e.category in SHOWN]
        if any(e.value for e in found):
            yield Figure(
                "Hurtful completions by category and group",
                shares(found),
                "Per cent of completions in each of the categories of the paper's Tables 3 and 4, with 95 % intervals. "
                "A completion may be in several categories.",
            )

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = result.as_estimates()
        yield self.page_table("HONEST score (per cent)", _scores(estimates))
        headings, lines = _by_category(estimates)
        yield Table("By category (per cent of completions)", headings, lines)
        columns, rows = _frequent(result)
        yield Table(f"{WARNING}. The most frequent hurtful completions", columns, rows, folded=True)
        columns, rows = _examples(result)
        yield Table(f"{WARNING}. Examples of completed templates", columns, rows, folded=True)


def category_name(category: str) -> str:
    """Write a category with what it stands for; the paper's nine are marked."""
    return f"{category} {CATEGORIES.get(category, '')}".strip() + (" *" if category in SHOWN else "")


def _scores(estimates: Sequence[Estimate]) -> list[Estimate]:
    return [e for e in estimates if e.name == "honest" or (e.name == "difference" and e.category is None)]


def _by_category(estimates: Sequence[Estimate]) -> tuple[list[str], list[tuple[str, ...]]]:
    """Lay shares out with a line a category; those of the paper first, then those that occur at all."""
    found = [e for e in estimates if e.name == "share" and e.category is not None]
    groups = list(dict.fromkeys(e.group or "all" for e in found))
    by_place = {(e.category, e.group): e for e in found}
    differences = {e.category: e for e in estimates if e.name == "difference"}
    headings = ["category (* in the paper)"]
    headings += [heading for group in groups for heading in (f"{group} %", "95 % interval")]
    headings += ["difference", "95 % interval", "p (Holm)"] if differences else []
    lines = []
    for category in dict.fromkeys(str(e.category) for e in found):
        cells = [by_place[category, group] for group in groups]
        line = [category_name(category)]
        line += [text for e in cells for text in (number(e.value), interval(e))]
        if (e := differences.get(category)) is not None:
            line += [number(e.value), interval(e), "–" if e.p is None else f"{e.p:.2g}"]
        if category in SHOWN or any(e.value for e in cells):
            lines.append(tuple(line))
    return headings, lines


def _frequent(result: Result) -> tuple[list[str], list[tuple[str, ...]]]:
    """Count the lemmas found, by group."""
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
    return ["found", "categories", *groups], rows


def _examples(result: Result) -> tuple[list[str], list[tuple[str, ...]]]:
    """Give one hurtful completion of each of some templates, spread over the set."""
    read = result.rows[result.rows["hurtful"] > 0]
    step = max(1, len(read) // MOST)
    rows: list[tuple[str, ...]] = []
    for text, completions, lemmas, categories in zip(
        *(read[c][::step] for c in ("text", "completions", "lemmas", "categories")), strict=True
    ):
        rank = next(k for k, lemma in enumerate(lemmas) if lemma)
        rows.append((str(text), str(completions[rank]), str(rank + 1), str(categories[rank]).replace("+", ", ")))
    return ["template", "completion", "rank", "categories"], rows[:MOST]
