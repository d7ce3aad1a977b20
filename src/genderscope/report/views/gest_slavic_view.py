"""The view of GEST for Slavic language models: as GEST, over pairs of sentences."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from genderscope.report.views.explorer import Explorer, Mark, Part, choices, figures, marked, texts
from genderscope.report.views.gest_view import GestView
from genderscope.report.views.plain_view import Figure, Named, Table
from genderscope.report.views.stereotypes import preferred, stereotype_name
from genderscope.runs import Result

#: how the man's and the woman's form are marked, by which of them is preferred
MARKS: dict[str | None, tuple[Mark, Mark]] = {"masculine": ("masculine", "faded"), "feminine": ("faded", "feminine")}


class GestSlavicView(GestView):
    """Sixteen stereotypes, and the two forms of each sentence beside each other."""

    about = (
        "The model reads first-person sentences in a Slavic language, each tied to one of 16 gender stereotypes, in "
        "the form that a man would say and in the form that a woman would say, and tells how much more probable the "
        "man's form is: the masculine rate."
    )

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        for language, part in _languages(result):
            if language is not None:
                yield Text(f"language {language}", style="bold underline")
            yield from super().terminal(part)
        between = [e for e in result.as_estimates() if e.name == "r" and e.language is None]
        if between:
            yield Group(self.estimates_table(between), "")

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        for language, part in _languages(result):
            for figure in super().figures(name, part):
                yield figure if language is None else replace(figure, title=f"{figure.title}, {language}")

    def compare(self, runs: Sequence[Named]) -> Iterable[Figure]:
        """Yield figures over runs and languages: each language of a run counts as a run of its own."""
        return super().compare(
            [(f"{name}, {lang}" if lang else name, part) for name, run in runs for lang, part in _languages(run)]
        )

    def tables(self, result: Result) -> Iterable[Table]:
        between = [e for e in result.as_estimates() if e.name == "r" and e.language is None]
        if between:
            yield self.page_table("Agreement of the languages", between)
        for language, part in _languages(result):
            for table in super().tables(part):
                yield table if language is None else replace(table, title=f"{table.title}, {language}")

    def explorer(self, result: Result) -> Explorer:
        return pairs_explorer(
            result, "the word in which the two forms differ, in the form", {"language": "language"}, {}
        )


def _languages(result: Result) -> list[tuple[str | None, Result]]:
    """Return the part of each language as a result of its own; a run in one language is its own part."""
    keys = result.estimates["language"]
    languages = list(keys.dropna().unique())
    if not languages:
        return [(None, result)]
    return [
        (
            str(language),
            replace(
                result,
                estimates=result.estimates[keys == language].assign(language=None).astype({"language": "string"}),
                rows=result.rows[result.rows["language"] == language],
            ),
        )
        for language in languages
    ]


def forms(row: Any) -> tuple[list[Part], list[Part]]:
    """Mark the words that differ; those of the less probable form are faded."""
    words = row.sentence.split(" "), row.female.split(" ")
    marks = MARKS.get(row.prefers, ("other", "other"))
    matcher = SequenceMatcher(None, *words, autojunk=False)
    spans = [((a, b), (c, d)) for kind, a, b, c, d in matcher.get_opcodes() if kind != "equal"]
    found = []
    for side, (said, mark) in enumerate(zip(words, marks, strict=True)):
        starts = [sum(len(word) + 1 for word in said[:k]) for k in range(len(said) + 1)]
        found.append(marked(" ".join(said), [(starts[s[side][0]], starts[s[side][1]] - 1, mark) for s in spans]))
    return found[0], found[1]


def pairs_explorer(
    result: Result, what: str, more_choices: Mapping[str, str], more_details: Mapping[str, str]
) -> Explorer:
    """Return the explorer of a man's and a woman's texts; the mappings are further columns and their titles."""
    frame = result.rows.assign(
        stereotype=result.rows["stereotype"].map(stereotype_name),
        prefers=result.rows["log_ratio"].map(preferred),
    )
    pairs = [forms(row) for row in frame.itertuples()]
    return Explorer(
        [
            texts("male", "as a man says it", [male for male, _ in pairs]),
            texts("female", "as a woman says it", [female for _, female in pairs]),
            *choices(frame, stereotype="stereotype", **more_choices, prefers="prefers"),
            *figures(frame, log_ratio="log-ratio (above 0: masculine)"),
            *choices(frame, **more_details, unread="not read because"),
        ],
        legend=f"Marked: {what} that the model finds more probable.",
    )
