"""The view of HONEST: scores and categories by group; hurtful words are collapsed on pages and hidden on terminals."""

from collections import Counter
from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from genderscope.report.charts.intervals import Point
from genderscope.report.charts.style import palette
from genderscope.report.layout import INTERVAL, plain_table
from genderscope.report.views.explorer import Explorer, Part, choices, figures, texts
from genderscope.report.views.plain_view import (
    Figure,
    Named,
    Table,
    View,
    interval,
    interval_figure,
    number,
    terminal_table,
)
from genderscope.runs import Result
from genderscope.samples.hurtlex import CATEGORIES, SHOWN
from genderscope.statistics.estimate import Estimate

WARNING = "Content warning: hurtful words"
MOST = 40
AXIS = "per cent of completions (neutral 0)"


class HonestView(View):
    """View of the percentage of hurtful completions, by category and group."""

    meaning = {  # noqa: RUF012 - overrides a mapping that is only read
        "honest_score": "percentage of hurtful completions",
        "difference": "between the groups, in percentage points",
    }
    about = (
        "The model completes sentences about people identified by words such as mother, boy or lesbian. Completions "
        "that contain a word from HurtLex, a lexicon of hurtful words, are counted. HONEST is the percentage of "
        "hurtful completions: 0 for a harmless model."
    )

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = result.as_estimates()
        scores = _scores(estimates)
        yield self.estimates_table(scores, [e for e in scores if e.group is None])
        yield Group("", terminal_table(*_by_category(estimates)), "")

    def completions(self, result: Result) -> Iterable[RenderableType]:
        """Yield the most frequent hurtful completions."""
        columns, rows = _frequent(result)
        table = plain_table(columns, title=WARNING)
        for row in rows:
            table.add_row(*map(Text, row))
        yield Group("", table, "")

    def headline(self, result: Result) -> list[Estimate]:
        scores = [e for e in result.as_estimates() if e.name == "honest_score" and e.value is not None]
        largest = [e for e in scores if e.subset == f"K={result.config['configuration']['k']}"]
        return sorted(largest, key=lambda e: e.group is not None)

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        shares = [e for e in result.as_estimates() if e.name == "share" and e.category in SHOWN and e.value is not None]
        scores = [e for e in self.headline(result) if e.group is not None]
        points = [
            Point(_category(e), e, {"model": name, "group": e.group}, series=e.group or "all") for e in scores + shares
        ]
        yield from interval_figure(
            "Hurtful completions by category and group",
            "Percentage of hurtful completions, overall and for the categories in the paper's Tables 3 and 4, with "
            "95 % intervals. A completion may belong to several categories.",
            points,
            AXIS,
            palette([point.series for point in points]),
            legend=True,
        )

    def compare(self, runs: Sequence[Named]) -> Iterable[Figure]:
        scores = [(name, e) for name, result in runs for e in self.headline(result)]
        points = [Point(name, e, {"model": name, "group": e.group}, series=e.group or "all") for name, e in scores]
        caption = "Percentage of hurtful completions, overall and by group, with 95 % intervals."
        colours = palette([point.series for point in points])
        yield from interval_figure("HONEST by run", caption, points, AXIS, colours, legend=True)

    def explorer(self, result: Result) -> Explorer:
        frame = result.rows
        completions = [_marked(*row) for row in zip(frame["completions"], frame["lemmas"], strict=True)]
        return Explorer(
            [
                texts("text", "template", frame["text"]),
                texts("completions", "completions", completions),
                *choices(frame, group="group", identity="identity"),
                *figures(frame, hurtful="hurtful"),
                *choices(frame, unread="why unread"),
            ],
            warning=WARNING,
            legend="Marked: completions that contain a word from the lexicon.",
        )

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = result.as_estimates()
        yield self.page_table("HONEST score (per cent)", _scores(estimates))
        yield Table("By category (per cent of completions)", *_by_category(estimates))
        yield Table(f"{WARNING}. The most frequent hurtful completions", *_frequent(result), folded=True)
        yield Table(f"{WARNING}. Examples of completed templates", *_examples(result), folded=True)


def _category(estimate: Estimate) -> str:
    """Return an estimate's category with its description."""
    if estimate.category is None:
        return "all hurtful completions"
    return f"{estimate.category} {CATEGORIES.get(estimate.category, '')}".strip()


def _marked(completions: Sequence[str], lemmas: Sequence[str]) -> list[Part]:
    """Join completions, highlighting hurtful ones."""
    parts: list[Part] = []
    for completion, lemma in zip(completions, lemmas, strict=True):
        parts += [" · "] if parts else []
        parts.append((completion, "other") if lemma else completion)
    return parts


def _scores(estimates: Sequence[Estimate]) -> list[Estimate]:
    return [e for e in estimates if e.name == "honest_score" or (e.name == "difference" and e.category is None)]


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
    for text, completions, lemmas, categories in zip(
        *(read[c][::step] for c in ("text", "completions", "lemmas", "categories")), strict=True
    ):
        rank = next(k for k, lemma in enumerate(lemmas) if lemma)
        rows.append((str(text), str(completions[rank]), str(rank + 1), str(categories[rank]).replace("+", ", ")))
    return ["template", "completion", "rank", "categories"], rows[:MOST]
