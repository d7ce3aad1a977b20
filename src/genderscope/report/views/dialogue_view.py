"""The view of the dialogue measure: one block per table in the paper, then neutral translations and regressions."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from genderscope.measures.dialogue import TABLES, WORDS, Compared, condition_of
from genderscope.report.charts.intervals import Point
from genderscope.report.charts.style import FEMININE, MASCULINE, NEITHER, palette
from genderscope.report.layout import INTERVAL, plain_table
from genderscope.report.views.explorer import Explorer, Part, choices, mark_of, marked, texts
from genderscope.report.views.plain_view import (
    Figure,
    Line,
    Named,
    Table,
    View,
    interval,
    interval_figure,
    number,
    numbers,
)
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

TITLES = {
    "stereo_adverb": "Manner of speaking",
    "stereo_character_ambiguous": "Occupation, gender unknown",
    "stereo_character_determined": "Occupation, gender known",
    "structure_ambiguous": "Gender unknown, other speaker's gender known",
    "structure_determined": "Gender known",
}
COMPARED = {
    "stereo_adverb": "male share: male − female adverb",
    "stereo_character_ambiguous": "male share: male − female character",
    "structure_ambiguous": "male share: other speaker male − female",
    "stereo_character_determined": "accuracy: stereotypical − counter-stereotypical",
    "structure_determined": "accuracy: same − opposite genders",
}
#: condition -> series
SERIES = {"M": "male stereotype or man", "F": "female stereotype or woman", "": "neither"}
COLOURS = dict(zip(SERIES.values(), (MASCULINE, FEMININE, NEITHER), strict=True))
GENDERS = {"M": "masculine", "F": "feminine", "N": "neutral"}
COLUMNS = ("condition", "estimate", "value", INTERVAL, "neutral", "n", "unread")


class DialogueView(View):
    """View of shares and accuracies by condition, and their differences, for each language."""

    meaning = {"located": "share of adjectives found in the translation"}  # noqa: RUF012 - only read

    about = (
        'The system translates short literary dialogues. English adjectives do not reveal the gender of "I" and '
        '"you"; adjectives in the target language do. The gender of each adjective is compared with what the passage '
        "states or suggests about the person: a stereotype, an occupation or the other speaker's gender."
    )

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = result.as_estimates()
        for language in _languages(estimates):
            mine = [e for e in estimates if e.language == language]
            table = plain_table((*COLUMNS[:2], "symbol"), COLUMNS[2:], optional=("symbol", "unread", "neutral"))
            for heading, rows in _blocks(mine):
                table.add_row(Text(heading, style="bold"))
                for words, e in rows:
                    bold = "bold" if e.name in {"cue_effect", "accuracy_difference"} else ""
                    table.add_row(*map(Text, (f"  {words}", e.name, e.symbol or "", *numbers(e))), style=bold)
            yield Group(Text(f"to {language}", style="bold underline"), table, "")
            yield Group(_neutral_line(mine), "")

    def explain(self, estimate: Estimate) -> str:
        if estimate.name == "masculine_rate":
            return "share of a lone speaker's adjectives translated as masculine"
        return COMPARED.get(estimate.subset or "", super().explain(estimate))

    def where(self, estimate: Estimate) -> str:
        return estimate.language or ""

    def headline(self, result: Result) -> list[Estimate]:
        """Return the male share of lone speakers per language; with a single language, also all differences."""
        estimates = [e for e in result.as_estimates() if e.value is not None and e.category is None]
        wanted = [
            ("masculine_rate", "stereo_adverb"),
            *((n, s) for s in COMPARED for n in ("cue_effect", "accuracy_difference")),
        ]
        found = [e for name, subset in wanted for e in estimates if (e.name, e.subset) == (name, subset)]
        one = len(_languages(estimates)) == 1
        return [e for e in found if one or e.name == "masculine_rate"]

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        estimates = result.as_estimates()
        several = len(_languages(estimates)) > 1
        for outcome, title, text, neutral in (
            ("male", "Male share by condition", "Share of adjectives translated as masculine", 0.5),
            ("correct", "Accuracy by condition", "Share of adjectives with the correct gender", None),
        ):
            points = []
            for language in _languages(estimates):
                for table in (t for t in TABLES if t.outcome == outcome):
                    heading = f"{language}: {TITLES[table.subset]}" if several else TITLES[table.subset]
                    found, keys = _conditions(estimates, table, language), {"model": name, "language": language}
                    points += [
                        Point(
                            words,
                            e,
                            keys,
                            heading,
                            SERIES.get(condition_of(e.name), SERIES[""]),
                        )
                        for words, e in found
                        if not e.name.startswith(("feminine_rate", "accuracy_difference"))
                    ]
            axis = "male share (neutral 0.5)" if neutral else "accuracy"
            caption = f"{text}, averaged over balanced cells of adjectives, with 95 % intervals."
            yield from interval_figure(title, caption, points, axis, COLOURS, domain=(0, 1))
        yield from self.compare([(name, result)])

    def compare(self, runs: Sequence[Named]) -> Iterable[Figure]:
        points = []
        for name, result in runs:
            estimates = result.as_estimates()
            for subset, words in COMPARED.items():
                for e in estimates:
                    if e.name in {"cue_effect", "accuracy_difference"} and e.subset == subset and e.value is not None:
                        series = f"{name}, {e.language}"
                        points.append(Point(words, e, {"model": name, "language": e.language}, series=series))
        order = list(COMPARED.values())
        points.sort(key=lambda point: order.index(point.row))
        yield from interval_figure(
            "Differences between conditions",
            "Differences between conditions with 95 % intervals. For male shares, values above 0 mean that "
            "translations follow the stereotype or the other speaker's gender, values below 0 that they contradict it. "
            "For accuracies, values above 0 mean that the first condition is easier.",
            points,
            "difference (neutral 0)",
            palette([point.series for point in points]),
            legend=True,
        )

    def explorer(self, result: Result) -> Explorer:
        frame = result.rows.assign(
            gender=result.rows["gender"].map(lambda g: GENDERS.get(g, g)),
            true_gender=result.rows["true_gender"].map(lambda g: GENDERS.get(g, "unknown")),
        )
        rows = list(frame.itertuples())
        return Explorer(
            [
                texts("text", "English", [_source(row) for row in rows]),
                texts("translation", "translation", [_evidence(row) for row in rows]),
                *choices(frame, language="language", subset="part", adjective="adjective"),
                *choices(frame, gender="gender", true_gender="true gender", unread="why unread"),
            ],
            legend="Marked: the adjective, and the word that reveals its gender.",
        )

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = result.as_estimates()
        for language in _languages(estimates):
            mine = [e for e in estimates if e.language == language]
            rows: list[Line | Sequence[str]] = []
            for heading, found in _blocks(mine):
                rows.append((heading,))
                rows += [Line((words, e.label, *numbers(e)), {"language": language}) for words, e in found]
            yield Table(f"Shares and accuracies, {language}", COLUMNS, rows)
            columns: tuple[str, ...] = ("condition", "kind", "share", INTERVAL, "n")
            yield Table(f"Neutral translations, {language}", columns, _neutral(mine))
            if regressions := _regressions(mine):
                columns = ("variable", "coefficient", INTERVAL, "p", "n", "remark")
                yield Table(f"Logistic regressions of feminine adjectives, {language}", columns, regressions)


def _languages(estimates: Sequence[Estimate]) -> list[str]:
    return sorted({e.language for e in estimates if e.language is not None})


def _blocks(estimates: Sequence[Estimate]) -> Iterable[tuple[str, list[tuple[str, Estimate]]]]:
    for table in TABLES:
        found = _conditions(estimates, table, estimates[0].language)
        if found:
            yield f"{TITLES[table.subset]} (Tables {table.tables})", found


def _conditions(estimates: Sequence[Estimate], table: Compared, language: str | None) -> list[tuple[str, Estimate]]:
    """Return a table's estimates with their conditions, omitting female shares, which mirror male shares."""
    conditions = []
    for e in estimates:
        if (e.subset, e.language) != (table.subset, language) or e.category or e.group or e.value is None:
            continue
        if e.name in {"cue_effect", "accuracy_difference"}:
            conditions.append(("difference", e))
        elif e.name == "masculine_rate":
            conditions.append(("all", e))
        elif not e.name.startswith("feminine_rate"):
            conditions.append((WORDS[table.subset, condition_of(e.name)], e))
    return conditions


def _neutral_line(estimates: Sequence[Estimate]) -> Text:
    located = next(e for e in estimates if e.name == "located")
    shares = [e.value for e in estimates if e.name == "neutral" and e.category is None and e.value is not None]
    reach = f"{min(shares):.0%} to {max(shares):.0%}" if shares else ""
    neutral = f"; {reach} of them are neutral, depending on the condition (see report.html)" if shares else ""
    return Text(f"{number(located.value)} of {located.n:,} adjectives located{neutral}.")


def _neutral(estimates: Sequence[Estimate]) -> list[Sequence[str]]:
    return [
        ("" if e.category else WORDS[e.subset or "", e.group or ""], e.category or "all", *numbers(e)[:2], f"{e.n:,}")
        for e in estimates
        if e.name == "neutral"
    ]


def _regressions(estimates: Sequence[Estimate]) -> list[Sequence[str]]:
    p = {(e.subset, e.category): e.value for e in estimates if e.name == "p_value"}
    rows: list[Sequence[str]] = []
    subset = None
    for e in (e for e in estimates if e.name == "log_odds"):
        if e.subset != subset:
            subset = e.subset
            rows.append((TITLES[subset or ""],))
        remark = "" if e.value is not None else e.method.rpartition(": ")[2]
        value = p.get((e.subset, e.category))
        chance = "–" if value is None else f"{value:.1e}" if value < 0.001 else f"{value:.3f}"
        rows.append((e.category or "", number(e.value), interval(e), chance, f"{e.n:,}", remark))
    return rows


def _source(row: Any) -> list[Part]:
    """Highlight the first occurrence of the adjective."""
    at = row.text.find(row.adjective)
    return marked(row.text, [(at, at + len(row.adjective), "other")] if at >= 0 else [])


def _evidence(row: Any) -> list[Part]:
    """Highlight the word that reveals the gender."""
    if not isinstance(row.translation, str):
        return []
    if row.start is None or math.isnan(row.start):
        return [row.translation]
    return marked(row.translation, [(int(row.start), int(row.end), mark_of(row.gender))])
