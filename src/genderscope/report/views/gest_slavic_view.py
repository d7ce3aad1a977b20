"""The view of gest-slavic: like GEST's, but for sentence pairs."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from genderscope.report.views.explorer import Explorer, Mark, Part, marked, texts
from genderscope.report.views.gest_view import GestView
from genderscope.report.views.plain_view import Figure, Named, Table
from genderscope.report.views.stereotypes import preference_explorer, with_names
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

#: marks of the masculine and feminine forms, by preferred gender
MARKS: dict[str | None, tuple[Mark, Mark]] = {"masculine": ("masculine", "faded"), "feminine": ("faded", "feminine")}


class GestSlavicView(GestView):
    """View of the 16 stereotypes' rates, with both forms of each sentence."""

    about = (
        "The model scores first-person sentences in a Slavic language, each expressing one of 16 gender stereotypes, "
        "in the form a man would use and in the form a woman would use. The masculine rate is the ratio of the two "
        "probabilities."
    )

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        for language, part in _languages(result):
            if language is not None:
                yield Text(f"language {language}", style="bold underline")
            yield from super().terminal(part)
        if between := _between_languages(result):
            yield Group(self.estimates_table(between), "")

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        for language, part in _languages(result):
            for figure in super().figures(name, part):
                yield figure if language is None else replace(figure, title=f"{figure.title}, {language}")

    def compare(self, runs: Sequence[Named]) -> Iterable[Figure]:
        """Yield figures that treat each language of a run as a separate run."""
        return super().compare(
            [(f"{name}, {lang}" if lang else name, part) for name, run in runs for lang, part in _languages(run)]
        )

    def tables(self, result: Result) -> Iterable[Table]:
        if between := _between_languages(result):
            yield self.page_table("Agreement between languages", between)
        for language, part in _languages(result):
            for table in super().tables(part):
                yield table if language is None else replace(table, title=f"{table.title}, {language}")

    def explorer(self, result: Result) -> Explorer:
        return pairs_explorer(result, language="language")


def _between_languages(result: Result) -> list[Estimate]:
    return [e for e in result.as_estimates() if e.name == "rate_correlation" and e.language is None]


def _languages(result: Result) -> list[tuple[str | None, Result]]:
    """Split a result by language; a single-language result is returned unchanged."""
    estimates = result.as_estimates()
    languages = list(dict.fromkeys(e.language for e in estimates if e.language))
    return [(language, _only(result, language)) for language in languages] or [(None, result)]


def _only(result: Result, language: str) -> Result:
    mine = [e.at(language=None) for e in result.as_estimates() if e.language == language]
    return result.estimated(mine).selecting(lambda rows: rows[rows["language"] == language])


def _forms(row: Any) -> tuple[list[Part], list[Part]]:
    """Highlight the words in which the two forms differ, fading those of the less probable form."""
    words = row.sentence.split(" "), row.female.split(" ")
    marks = MARKS.get(row.prefers, ("other", "other"))
    matcher = SequenceMatcher(None, *words, autojunk=False)
    spans = [((a, b), (c, d)) for kind, a, b, c, d in matcher.get_opcodes() if kind != "equal"]
    forms = []
    for side, (form, mark) in enumerate(zip(words, marks, strict=True)):
        starts = [sum(len(word) + 1 for word in form[:k]) for k in range(len(form) + 1)]
        forms.append(marked(" ".join(form), [(starts[s[side][0]], starts[s[side][1]] - 1, mark) for s in spans]))
    return forms[0], forms[1]


def pairs_explorer(result: Result, **filters: str) -> Explorer:
    """Build the explorer of masculine and feminine forms; `filters` are additional columns with their titles."""
    frame = with_names(result)
    pairs = [_forms(row) for row in frame.itertuples()]
    columns = [
        texts("male", "masculine form", [male for male, _ in pairs]),
        texts("female", "feminine form", [female for _, female in pairs]),
    ]
    marked_words = "the words that differ between the two forms, in the form"
    return preference_explorer(frame, columns, marked_words, stereotype="stereotype", **filters)
