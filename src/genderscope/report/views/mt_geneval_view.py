"""The view of MT-GenEval: accuracy by gender, the gap, and the words that each translation was read from."""

import re
import string
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import RenderableType

from genderscope.languages import language_name
from genderscope.report.charts.intervals import Point, intervals
from genderscope.report.charts.style import FEMININE, MASCULINE
from genderscope.report.views.explorer import Explorer, Part, choices, mark_of, marked, texts
from genderscope.report.views.plain_view import TILES, Figure, Named, Table, View
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

COLOURS = {"masculine": MASCULINE, "feminine": FEMININE}
_OTHER = {"masculine": "feminine", "feminine": "masculine"}
#: a word as the released metric takes it: what neither white space nor ASCII punctuation cuts
_WORD = re.compile(rf"[^\s{re.escape(string.punctuation)}]+")


class MtGenEvalView(View):
    """Error and accuracy of each set and language, by gender, and what was not read."""

    meaning = {  # noqa: RUF012 - overrides a mapping that is only read
        "error": "segments with a wrong gender, in either version",
        "accuracy": "right gender; of pairs, in both versions",
        "gap": "accuracy of masculine − of feminine versions",
        "yield": "share of outputs that show a gender",
        "mixed": "words of both genders; counted as wrong",
        "not_read": "share of outputs that were not read",
    }

    about = (
        "The English source tells whether a person is a man or a woman, in the sentence itself (counterfactual: each "
        "in a masculine and a feminine version) or in the sentence before it (contextual). A translation is wrong if "
        "it holds a word that only the reference of the other gender has, right if it holds one that only the "
        "reference of its own gender has, and not read if it holds neither."
    )
    direction = {  # noqa: RUF012 - overrides a mapping that is only read
        "error": ("", "wrong gender"),
        "gap": ("better for women", "better for men"),
        "accuracy": ("wrong gender", "right gender"),
    }

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = result.as_estimates()
        bold = [e for e in estimates if e.name in {"error", "accuracy", "gap"} and e.group is None]
        yield self.estimates_table(estimates, bold)

    def headline(self, result: Result) -> list[Estimate]:
        """Accuracy and gap of each set, over all languages where there are several; error is the accuracy's other."""
        found = [e for e in result.as_estimates() if e.group is None and e.value is not None]
        spanning = [e for e in found if e.language is None] or found
        return [e for name in ("accuracy", "gap") for e in spanning if e.name == name][:TILES]

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        yield from _figures([(name, result)])

    def compare(self, runs: Sequence[Named]) -> Iterable[Figure]:
        return _figures(runs)

    def explorer(self, result: Result) -> Explorer:
        frame = result.rows
        return Explorer(
            [
                texts("source", "English", frame["source"]),
                texts("translation", "translation", [_read(row) for row in frame.itertuples()]),
                texts("reference", "reference", frame["reference"]),
                *choices(
                    frame,
                    language="language",
                    subset="set",
                    gender="gender",
                    reading="reading",
                    unread="not read because",
                ),
            ],
            legend="Marked: words that only one of the two references holds.",
        )

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = result.as_estimates()
        main = [e for e in estimates if e.name in {"error", "accuracy", "gap"}]
        yield self.page_table("Accuracy", main)
        yield self.page_table("What was read", [e for e in estimates if e not in main])


def _figures(runs: Sequence[Named]) -> Iterable[Figure]:
    several = len(runs) > 1
    accuracies = [
        Point(_row(name, e, several), e, _keys(name, e), heading=str(e.subset), series=str(e.group))
        for name, result in runs
        for e in result.as_estimates()
        if e.name == "accuracy" and e.group is not None and e.value is not None
    ]
    if accuracies:
        yield Figure(
            "Accuracy by gender",
            lambda size: intervals(
                _sorted(accuracies), "accuracy (1 is always right)", COLOURS, legend=True, size=size
            ),
            "Share of the translations that show a gender whose gender is right, for men and for women, with its 95 % "
            "interval.",
        )
    gaps = [
        Point(_row(name, e, several), e, _keys(name, e), heading=str(e.subset))
        for name, result in runs
        for e in result.as_estimates()
        if e.name == "gap" and e.value is not None
    ]
    if gaps:
        yield Figure(
            "Gap between the genders",
            lambda size: intervals(_sorted(gaps), "gap (neutral 0; right is better for men)", size=size),
            "Accuracy of masculine minus accuracy of feminine versions, with its 95 % interval.",
        )


def _sorted(points: Sequence[Point]) -> list[Point]:
    """Bring the points of a heading together."""
    order = list(dict.fromkeys(point.heading for point in points))
    return sorted(points, key=lambda point: order.index(point.heading))


def _row(name: str, e: Estimate, several: bool) -> str:
    where = "all languages" if e.language is None else language_name(e.language)
    return f"{name}, {where}" if several else where


def _keys(name: str, e: Estimate) -> dict[str, object]:
    return {"model": name, "language": e.language, "subset": e.subset, "gender": e.group}


def _read(row: Any) -> list[Part]:
    """Mark the words of either reference; those of the right one are of the source's gender."""
    if not isinstance(row.translation, str):
        return []
    gender = dict.fromkeys(str(row.right_words).split(), row.gender)
    gender |= {word: _OTHER.get(row.gender) for word in str(row.wrong_words).split()}
    found = ((match.start(), match.end(), match.group().lower()) for match in _WORD.finditer(row.translation))
    return marked(
        row.translation, [(start, end, mark_of(gender[word])) for start, end, word in found if word in gender]
    )
