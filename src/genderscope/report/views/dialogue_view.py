"""The view of the dialogue measure: a block a table of the paper, then neutral renderings and regressions."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from genderscope.measures.dialogue import TABLES, WORDS, Compared
from genderscope.report.charts.intervals import Point, intervals
from genderscope.report.charts.style import FEMININE, MASCULINE, NEITHER, palette
from genderscope.report.layout import plain_table
from genderscope.report.views.explorer import Explorer, Part, choices, mark_of, marked, texts
from genderscope.report.views.plain_view import Figure, Line, Named, Table, View, interval, number, numbers
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

TITLES = {
    "stereo_adverb": "Manner of speaking",
    "stereo_character_ambiguous": "Occupation, gender unknown",
    "stereo_character_determined": "Occupation, gender known",
    "structure_ambiguous": "Unknown beside known gender",
    "structure_determined": "Known genders",
}
COMPARED = {
    "stereo_adverb": "male share: male − female adverb",
    "stereo_character_ambiguous": "male share: male − female character",
    "structure_ambiguous": "male share: beside a man − beside a woman",
    "stereo_character_determined": "accuracy: as − against the stereotype",
    "structure_determined": "accuracy: same − opposite genders",
}
#: what the colours of conditions stand for, by the end of an estimate's name
SERIES = {"M": "male stereotype or man", "F": "female stereotype or woman", "": "neither"}
COLOURS = dict(zip(SERIES.values(), (MASCULINE, FEMININE, NEITHER), strict=True))
GENDERS = {"M": "masculine", "F": "feminine", "N": "neutral"}
COLUMNS = ("condition", "estimate", "value", "95 % interval", "neutral", "n", "unread")


class DialogueView(View):
    """Shares and accuracies by condition with their differences, for each language."""

    meaning = {"located": "share of adjectives found in the translation"}  # noqa: RUF012 - only read

    about = (
        'The system translates short literary dialogues. English adjectives tell nothing of the gender of "I" and '
        '"you"; those of the target language do. The gender of each adjective is read and set against what the '
        "passage says or suggests of the person: a stereotype, an occupation, the other person's gender."
    )
    direction = {  # noqa: RUF012 - overrides a mapping that is only read
        "M": ("female", "male"),
        "delta_M": ("against the stereotype", "as the stereotype"),
        "delta": ("the second is easier", "the first is easier"),
    }

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = result.as_estimates()
        for language in _languages(estimates):
            mine = [e for e in estimates if e.language == language]
            table = plain_table(COLUMNS[:2], COLUMNS[2:], yields=("unread", "neutral"))
            for heading, rows in _blocks(mine):
                table.add_row(Text(heading, style="bold"))
                for words, e in rows:
                    bold = "bold" if e.name in {"delta_M", "delta"} else ""
                    table.add_row(*map(Text, (f"  {words}", e.name, *numbers(e))), style=bold)
            yield Group(Text(f"to {language}", style="bold underline"), table, "")
            yield Group(_neutral_line(mine), "")

    def explain(self, estimate: Estimate) -> str:
        if estimate.name == "M":
            return "share of a lone speaker's adjectives that are made masculine"
        return COMPARED.get(estimate.subset or "", super().explain(estimate))

    def where(self, estimate: Estimate) -> str:
        return estimate.language or ""

    def headline(self, result: Result) -> list[Estimate]:
        """Show for each language how often an unknown speaker is made male, and what moves that."""
        estimates = [e for e in result.as_estimates() if e.value is not None and e.category is None]
        wanted = [("M", "stereo_adverb"), *((n, s) for s in COMPARED for n in ("delta_M", "delta"))]
        found = [e for name, subset in wanted for e in estimates if (e.name, e.subset) == (name, subset)]
        one = len(_languages(estimates)) == 1
        return [e for e in found if one or e.name == "M"]

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        estimates = result.as_estimates()
        several = len(_languages(estimates)) > 1
        for outcome, title, text, neutral in (
            ("male", "Male share by condition", "Share of adjectives made masculine", 0.5),
            ("correct", "Accuracy by condition", "Share of adjectives with the right gender", None),
        ):
            points = []
            for language in _languages(estimates):
                for table in (t for t in TABLES if t.outcome == outcome):
                    heading = f"{language}: {TITLES[table.subset]}" if several else TITLES[table.subset]
                    found = _conditions(estimates, table, language)
                    points += [
                        Point(words, e, {"model": name, "language": language}, heading, _series(e))
                        for words, e in found
                        if not e.name.startswith(("F", "delta"))
                    ]
            if points:
                axis = "male share (neutral 0.5)" if neutral else "accuracy"
                yield Figure(
                    title,
                    lambda size, points=points, axis=axis: intervals(points, axis, COLOURS, (0, 1), size=size),  # type: ignore[misc]
                    f"{text}, over balanced cells of adjectives, with its 95 % interval.",
                )
        yield from self.compare([(name, result)])

    def compare(self, runs: Sequence[Named]) -> Iterable[Figure]:
        points = []
        for name, result in runs:
            estimates = result.as_estimates()
            for subset, words in COMPARED.items():
                for e in estimates:
                    if e.name in {"delta_M", "delta"} and e.subset == subset and e.value is not None:
                        series = f"{name}, {e.language}"
                        points.append(Point(words, e, {"model": name, "language": e.language}, series=series))
        if points:
            order = list(COMPARED.values())
            points.sort(key=lambda point: order.index(point.row))
            colours = palette(list(dict.fromkeys(point.series for point in points)))
            yield Figure(
                "What moves the gender",
                lambda size: intervals(points, "difference (neutral 0)", colours, legend=True, size=size),
                "Differences between conditions with their 95 % intervals. Male share: right of 0 follows the "
                "stereotype or the other person's gender, left of 0 goes against it. Accuracy: right of 0 favours the "
                "first of the two conditions.",
            )

    def explorer(self, result: Result) -> Explorer:
        frame = result.rows.assign(
            gender=result.rows["gender"].map(lambda g: GENDERS.get(g, g)),
            true_gender=result.rows["true_gender"].map(lambda g: GENDERS.get(g, "not told")),
        )
        rows = list(frame.itertuples())
        return Explorer(
            [
                texts("text", "English", [_source(row) for row in rows]),
                texts("translation", "translation", [_read(row) for row in rows]),
                *choices(
                    frame,
                    language="language",
                    subset="part",
                    adjective="adjective",
                    gender="read as",
                    true_gender="true gender",
                    unread="not read because",
                ),
            ],
            legend="Marked: the adjective in question, and the word that its gender was read from.",
        )

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = result.as_estimates()
        for language in _languages(estimates):
            mine = [e for e in estimates if e.language == language]
            rows: list[Line | Sequence[str]] = []
            for heading, found in _blocks(mine):
                rows.append((heading,))
                rows += [Line((words, e.name, *numbers(e)), {"language": language}) for words, e in found]
            yield Table(f"Shares and accuracies, {language}", COLUMNS, rows)
            yield Table(
                f"Neutral renderings, {language}", ("where", "kind", "share", "95 % interval", "n"), _neutral(mine)
            )
            regressions = _regressions(mine)
            if regressions:
                columns = ("variable", "coefficient", "95 % interval", "p", "n", "remark")
                yield Table(f"What makes an adjective feminine: logistic regressions, {language}", columns, regressions)


def _languages(estimates: Sequence[Estimate]) -> list[str]:
    return sorted({e.language for e in estimates if e.language is not None})


def _blocks(estimates: Sequence[Estimate]) -> Iterable[tuple[str, list[tuple[str, Estimate]]]]:
    for table in TABLES:
        found = _conditions(estimates, table, estimates[0].language)
        if found:
            yield f"{TITLES[table.subset]} (Tables {table.tables})", found


def _conditions(estimates: Sequence[Estimate], table: Compared, language: str | None) -> list[tuple[str, Estimate]]:
    """Return the table's estimates with their condition in words; female shares only mirror male ones."""
    found = []
    for e in estimates:
        if (e.subset, e.language) != (table.subset, language) or e.category or e.group or e.value is None:
            continue
        if e.name in {"delta_M", "delta"}:
            found.append(("difference", e))
        elif e.name == "M":
            found.append(("all", e))
        elif not e.name.startswith("F"):
            found.append((WORDS[table.subset, e.name.partition("_")[2]], e))
    return found


def _neutral_line(estimates: Sequence[Estimate]) -> Text:
    located = next(e for e in estimates if e.name == "located")
    shares = [e.value for e in estimates if e.name == "neutral" and e.category is None and e.value is not None]
    told = f"; {min(shares):.0%} to {max(shares):.0%} of them are neutral, by condition" if shares else ""
    return Text(f"{number(located.value)} of {located.n:,} adjectives located{told} (report.html has the kinds).")


def _neutral(estimates: Sequence[Estimate]) -> list[Sequence[str]]:
    rows: list[Sequence[str]] = []
    for e in estimates:
        if e.name == "neutral":
            where = "" if e.category else WORDS[e.subset or "", e.group or ""]
            rows.append((where, e.category or "all", number(e.value), interval(e), f"{e.n:,}"))
    return rows


def _regressions(estimates: Sequence[Estimate]) -> list[Sequence[str]]:
    p = {(e.subset, e.category): e.value for e in estimates if e.name == "p"}
    rows: list[Sequence[str]] = []
    subset = None
    for e in (e for e in estimates if e.name == "beta"):
        if e.subset != subset:
            subset = e.subset
            rows.append((TITLES[subset or ""],))
        remark = "" if e.value is not None else e.method.rpartition(": ")[2]
        told = p.get((e.subset, e.category))
        chance = "–" if told is None else f"{told:.1e}" if told < 0.001 else f"{told:.3f}"
        rows.append((e.category or "", number(e.value), interval(e), chance, f"{e.n:,}", remark))
    return rows


def _series(estimate: Estimate) -> str:
    return SERIES[{"_M": "M", "_F": "F"}.get(estimate.name[-2:], "")]


def _source(row: Any) -> list[Part]:
    """Mark the adjective where it first stands."""
    at = row.text.find(row.adjective)
    return marked(row.text, [(at, at + len(row.adjective), "other")] if at >= 0 else [])


def _read(row: Any) -> list[Part]:
    """Mark the word that the gender was read from."""
    if not isinstance(row.translation, str):
        return []
    if row.start is None or math.isnan(row.start):
        return [row.translation]
    return marked(row.translation, [(int(row.start), int(row.end), mark_of(row.gender))])
