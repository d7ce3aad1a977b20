"""The view of the dialogue measure: a block a table of the paper, then neutral renderings and regressions."""

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from genderscope.measures.dialogue_tables import TABLES, WORDS, Compared
from genderscope.report.dialogue_figures import conditions, differences
from genderscope.report.views.base import Figure, Table, View, interval, number, numbers
from genderscope.runs.result import Result
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
COLUMNS = ("condition", "estimate", "value", "95 % interval", "neutral", "n", "unread")


class DialogueView(View):
    """Shares and accuracies by condition with their differences, for each language."""

    meaning = {"located": "share of adjectives found in the translation"}  # noqa: RUF012 - only read

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = result.as_estimates()
        for language in _languages(estimates):
            mine = [e for e in estimates if e.language == language]
            table = RichTable(box=None, pad_edge=False, header_style="bold")
            for column in COLUMNS[:2]:
                table.add_column(column, no_wrap=True)
            for column in COLUMNS[2:]:
                table.add_column(column, justify="right", no_wrap=True)
            for heading, rows in _blocks(mine):
                table.add_row(Text(heading, style="bold"))
                for words, e in rows:
                    bold = "bold" if e.name in {"delta_M", "delta"} else ""
                    table.add_row(*map(Text, (f"  {words}", e.name, *numbers(e))), style=bold)
            yield Group(Text(f"to {language}", style="bold underline"), table, "")
            yield Group(_neutral_line(mine), "")

    def figures(self, result: Result) -> Iterable[Figure]:
        estimates = result.as_estimates()
        several = len(_languages(estimates)) > 1
        for outcome, title, text, neutral in (
            ("male", "Male share by condition", "Share of adjectives made masculine", 0.5),
            ("correct", "Accuracy by condition", "Share of adjectives with the right gender", None),
        ):
            points = []
            for language in _languages(estimates):
                for table in (t for t in TABLES if t.outcome == outcome):
                    facet = f"{language}: {TITLES[table.subset]}" if several else TITLES[table.subset]
                    found = _conditions(estimates, table, language)
                    points += [(facet, words, e) for words, e in found if not e.name.startswith(("F", "delta"))]
            if points:
                axis = "male share (neutral 0.5)" if neutral else "accuracy"
                caption = f"{text}, over balanced cells of adjectives, with its 95 % interval."
                yield Figure(title, conditions(points, axis, neutral), caption)
        yield from self.compare([result])

    def compare(self, results: Sequence[Result]) -> Iterable[Figure]:
        points = []
        for result in results:
            estimates = result.as_estimates()
            for subset, words in COMPARED.items():
                for e in estimates:
                    if e.name in {"delta_M", "delta"} and e.subset == subset and e.value is not None:
                        points.append((f"{result.config['model']['name']}, {e.language}", words, e))
        if points:
            yield Figure(
                "What moves the gender",
                differences(points),
                "Differences between conditions with their 95 % intervals. Male share: right of 0 follows the "
                "stereotype or the other person's gender, left of 0 goes against it. Accuracy: right of 0 favours the "
                "first of the two conditions.",
            )

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = result.as_estimates()
        for language in _languages(estimates):
            mine = [e for e in estimates if e.language == language]
            rows: list[Sequence[str]] = []
            for heading, found in _blocks(mine):
                rows.append((heading,))
                rows += [(words, e.name, *numbers(e)) for words, e in found]
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
