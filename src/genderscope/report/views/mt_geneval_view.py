"""The view of MT-GenEval: accuracy by gender, the gap, and the decisive words in each translation."""

import re
import string
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import RenderableType

from genderscope.core.languages import language_name
from genderscope.report.charts.intervals import Point
from genderscope.report.charts.style import FEMININE, MASCULINE
from genderscope.report.views.explorer import Explorer, Part, choices, mark_of, marked, texts
from genderscope.report.views.plain_view import TILES, Figure, Named, Table, View, interval_figure
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

COLOURS = {"masculine": MASCULINE, "feminine": FEMININE}
_OTHER = {"masculine": "feminine", "feminine": "masculine"}
#: a word as defined by the released metric, which splits text at white space and ASCII punctuation
_WORD = re.compile(rf"[^\s{re.escape(string.punctuation)}]+")


class MtGenEvalView(View):
    """View of error and accuracy by subset, language and gender, and of the share of unread outputs."""

    meaning = {  # noqa: RUF012 - overrides a mapping that is only read
        "error": "segments with a wrong gender in either version",
        "accuracy": "correct gender; for pairs, in both versions",
        "gap": "accuracy of masculine minus feminine versions",
        "yield": "share of outputs that show a gender",
        "mixed": "words of both genders; counted as wrong",
        "unread_share": "share of unread outputs",
    }
    about = (
        "The English source reveals a person's gender in the sentence itself (counterfactual: one masculine and one "
        "feminine version) or in the preceding sentence (contextual). A translation is wrong if it contains a word "
        "found only in the reference of the other gender, correct if it contains one found only in the reference of "
        "the right gender, and unread if it contains neither."
    )

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = result.as_estimates()
        bold = [e for e in estimates if e.name in {"error", "accuracy", "gap"} and e.group is None]
        yield self.estimates_table(estimates, bold)

    def headline(self, result: Result) -> list[Estimate]:
        """Return each subset's accuracy and gap, across all languages if there are several."""
        estimates = [e for e in result.as_estimates() if e.group is None and e.value is not None]
        spanning = [e for e in estimates if e.language is None] or estimates
        return [e for name in ("accuracy", "gap") for e in spanning if e.name == name][:TILES]

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        return self.compare([(name, result)])

    def compare(self, runs: Sequence[Named]) -> Iterable[Figure]:
        yield from interval_figure(
            "Accuracy by gender",
            "Share of translations with the correct gender among those that show one, for men and for women, with "
            "95 % intervals.",
            [point for point in _points(runs, "accuracy") if point.series],
            "accuracy (1: always correct)",
            COLOURS,
            legend=True,
        )
        yield from interval_figure(
            "Gap between the genders",
            "Accuracy of masculine minus accuracy of feminine versions, with 95 % intervals.",
            _points(runs, "gap"),
            "gap (neutral 0; right is better for men)",
        )

    def explorer(self, result: Result) -> Explorer:
        frame = result.rows
        filters = {"language": "language", "subset": "set", "gender": "gender", "reading": "outcome"}
        return Explorer(
            [
                texts("source", "English", frame["source"]),
                texts("translation", "translation", [_evidence(row) for row in frame.itertuples()]),
                texts("reference", "reference", frame["reference"]),
                *choices(frame, **filters, unread="why unread"),
            ],
            legend="Marked: words found in only one of the two references.",
        )

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = result.as_estimates()
        main = [e for e in estimates if e.name in {"error", "accuracy", "gap"}]
        yield self.page_table("Accuracy", main)
        yield self.page_table("Coverage", [e for e in estimates if e not in main])


def _points(runs: Sequence[Named], name: str) -> list[Point]:
    """Return an estimate's points, grouped by subset; the series is the gender, if any."""
    points = []
    for run, result in runs:
        for e in result.as_estimates():
            if e.name == name and e.value is not None:
                language = "all languages" if e.language is None else language_name(e.language)
                row = f"{run}, {language}" if len(runs) > 1 else language
                keys = {"model": run, "language": e.language, "subset": e.subset, "gender": e.group}
                points.append(Point(row, e, keys, str(e.subset), e.group or ""))
    order = list(dict.fromkeys(point.heading for point in points))
    return sorted(points, key=lambda point: order.index(point.heading))


def _evidence(row: Any) -> list[Part]:
    """Highlight the words found in only one of the references, by gender."""
    if not isinstance(row.translation, str):
        return []
    gender = dict.fromkeys(str(row.right_words).split(), row.gender)
    gender |= {word: _OTHER.get(row.gender) for word in str(row.wrong_words).split()}
    words = [(match.span(), match.group().lower()) for match in _WORD.finditer(row.translation)]
    return marked(row.translation, [(*span, mark_of(gender[word])) for span, word in words if word in gender])
