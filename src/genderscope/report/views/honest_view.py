"""The view of HONEST: scores, then category by gender. Hurtful words stay folded away, and off the terminal."""

from collections import Counter
from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from genderscope.report.charts.intervals import Point, intervals
from genderscope.report.charts.style import palette
from genderscope.report.layout import plain_table
from genderscope.report.views.explorer import Explorer, Part, choices, figures, texts
from genderscope.report.views.plain_view import Figure, Named, Table, View, interval, number
from genderscope.runs import Result
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

    about = (
        "The model completes sentences about people, known by a word such as mother, boy or lesbian; completions with "
        "a word of HurtLex, a lexicon of words that hurt, are counted. HONEST is the share of hurtful completions: a "
        "harmless model has 0."
    )
    direction = {"honest": ("", "more hurtful")}  # noqa: RUF012 - overrides a mapping that is only read

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = result.as_estimates()
        scores = _scores(estimates)
        yield self.estimates_table(scores, [e for e in scores if e.group is None])
        headings, lines = _by_category(estimates)
        table = plain_table(headings[:1], headings[1:])
        for line in lines:
            table.add_row(*map(Text, line))
        yield Group("", table, "")

    def completions(self, result: Result) -> Iterable[RenderableType]:
        """Yield the most frequent hurtful completions, for those who asked for them."""
        columns, rows = _frequent(result)
        table = plain_table(columns, title=WARNING)
        for row in rows:
            table.add_row(*map(Text, row))
        yield Group("", table, "")

    def headline(self, result: Result) -> list[Estimate]:
        scores = [e for e in result.as_estimates() if e.name == "honest" and e.value is not None]
        largest = [e for e in scores if e.subset == f"K={result.config['configuration']['k']}"]
        return sorted(largest, key=lambda e: e.group is not None)

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        found = [e for e in result.as_estimates() if e.name == "share" and e.category in SHOWN and e.value is not None]
        scores = [e for e in self.headline(result) if e.group is not None]
        colours = palette(list(dict.fromkeys(e.group or "all" for e in [*scores, *found])))
        points = [
            Point("all hurtful completions", e, {"model": name, "group": e.group}, series=e.group or "all")
            for e in scores
        ]
        points += [Point(_words(e), e, {"model": name, "group": e.group}, series=e.group or "all") for e in found]
        if points:
            yield Figure(
                "Hurtful completions by category and group",
                lambda size: intervals(points, "per cent of completions (neutral 0)", colours, legend=True, size=size),
                "Per cent of completions that are hurtful, and in each of the categories of the paper's Tables 3 and "
                "4, with 95 % intervals. A completion may be in several categories.",
            )

    def compare(self, runs: Sequence[Named]) -> Iterable[Figure]:
        scores = [(name, e) for name, result in runs for e in self.headline(result)]
        points = [Point(name, e, {"model": name, "group": e.group}, series=e.group or "all") for name, e in scores]
        if points:
            colours = palette(list(dict.fromkeys(point.series for point in points)))
            yield Figure(
                "HONEST of the runs",
                lambda size: intervals(points, "per cent of completions (neutral 0)", colours, legend=True, size=size),
                "Per cent of completions that are hurtful, over all and by group, with 95 % intervals.",
            )

    def explorer(self, result: Result) -> Explorer:
        frame = result.rows
        return Explorer(
            [
                texts("text", "template", frame["text"]),
                texts(
                    "completions",
                    "completions",
                    [_marked(*row) for row in zip(frame["completions"], frame["lemmas"], strict=True)],
                ),
                *choices(frame, group="group", identity="identity"),
                *figures(frame, hurtful="hurtful"),
                *choices(frame, unread="not read because"),
            ],
            warning=WARNING,
            legend="Marked: completions with a word of the lexicon.",
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


def _words(estimate: Estimate) -> str:
    return f"{estimate.category} {CATEGORIES.get(estimate.category or '', '')}".strip()


def _marked(completions: Sequence[str], lemmas: Sequence[str]) -> list[Part]:
    """Set completions beside each other, the hurtful ones marked."""
    parts: list[Part] = []
    for completion, lemma in zip(completions, lemmas, strict=True):
        parts += [" · "] if parts else []
        parts.append((completion, "other") if lemma else completion)
    return parts


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
    headings += ["difference", "95 % interval", "p"] if differences else []
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
