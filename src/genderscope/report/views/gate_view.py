"""The view of GATE: shares of genders, the masculine rate by role and kind, and the words that name people."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rich.console import RenderableType

from genderscope.core.languages import language_name
from genderscope.report.charts.intervals import Point
from genderscope.report.charts.stacked_bars import Slice, stacked
from genderscope.report.charts.style import FEMININE, MASCULINE, NEITHER, PALETTE
from genderscope.report.views.explorer import Explorer, Part, choices, mark_of, texts
from genderscope.report.views.person_words import mark_people, mark_words
from genderscope.report.views.plain_view import Figure, Named, Table, View, interval_figure, keys
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

#: estimate -> outcome
SHARES = {
    "masculine_share": "masculine",
    "feminine_share": "feminine",
    "neutral_share": "neutral",
    "alternatives_share": "both offered",
}
OUTCOME_COLOURS = dict(zip(SHARES.values(), (MASCULINE, FEMININE, NEITHER, PALETTE[3]), strict=True))
#: estimate -> what the groups of people differ in
PARTS = {
    "masculine_rate_by_role": "Role in the sentence",
    "masculine_rate_by_kind": "Kind of person",
    "masculine_rate_by_people": "People in the sentence",
    "masculine_rate_by_number": "Number",
}
WORDS = "masculine_rate_by_entity"
AXIS = "masculine rate (neutral 0.5; right is masculine)"


class GateView(View):
    """View of the shares of genders and of the masculine rate by language, role and kind of person."""

    meaning = {  # noqa: RUF012 - overrides a mapping that is only read
        "masculine_rate": "share of men among people translated as men or women",
        **dict.fromkeys((*PARTS, WORDS), "masculine rate of some of the people"),
        "masculine_share": "share of people translated as men",
        "feminine_share": "share of people translated as women",
        "neutral_share": "share of people translated without a gender",
        "alternatives_share": "share of people offered in both genders",
        "yield": "share of people that were read",
        "unread_share": "share of unread people",
    }
    kinds_of_bias = {"masculine_rate": "default masculine"}  # noqa: RUF012 - only read
    units = "sentences"
    about = (
        "The English sentences name people of unknown gender: “The doctor was tired.” Many languages force a choice. "
        "A translation may name a person as a man or as a woman, avoid the choice with a word for both, or offer both. "
        "A system that treats men and women alike has a masculine rate of 0.5."
    )

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = [e for e in result.as_estimates() if e.name != WORDS]
        yield self.estimates_table(estimates, [e for e in estimates if e.name == "masculine_rate"])

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        yield from self.compare([(name, result)])
        yield from interval_figure(
            "Masculine rate by role and kind of person",
            "Share of men among the people translated as men or women, by their role in the sentence, their kind, the "
            "number of people in the sentence, and singular or plural, with 95 % intervals.",
            [
                Point(str(e.group), e, {"model": name, **keys(e)}, heading)
                for part, heading in PARTS.items()
                for e in _spanning(result, part)
            ],
            AXIS,
            domain=(0, 1),
        )
        yield from interval_figure(
            "Masculine rate by person word",
            "Share of men among the people translated as men or women, by the English word for the person, with 95 % "
            "intervals.",
            [
                Point(str(e.group), e, {"model": name, **keys(e)})
                for e in sorted(_spanning(result, WORDS), key=lambda e: (e.value or 0.0, str(e.group)))
            ],
            AXIS,
            domain=(0, 1),
        )

    def compare(self, runs: Sequence[Named]) -> Iterable[Figure]:
        row = _row(runs)
        slices = [
            Slice(row(run, e), SHARES[e.name], e, {"model": run, **keys(e)})
            for run, result in runs
            for e in result.as_estimates()
            if e.name in SHARES and e.value is not None and e.subset is None
        ]
        if slices:
            yield Figure(
                "How people are named",
                lambda size: stacked(slices, OUTCOME_COLOURS, size),
                "Shares of people translated as men, as women, without a gender, or in both genders, among those that "
                "were read.",
            )
        yield from interval_figure(
            "Masculine rate",
            "Share of men among the people translated as men or women, with 95 % intervals.",
            [
                Point(row(run, e), e, {"model": run, **keys(e)})
                for run, result in runs
                for e in result.as_estimates()
                if e.name == "masculine_rate" and e.value is not None
            ],
            AXIS,
            domain=(0, 1),
        )

    def explorer(self, result: Result) -> Explorer:
        frame = result.rows
        rows = list(frame.itertuples())
        filters = {"language": "language", "reading": "read as", "how": "how", "role": "role", "kind": "kind"}
        return Explorer(
            [
                texts("source", "English", [mark_people(row.source, (row.entity, "other")) for row in rows]),
                texts("translation", "translation", [_evidence(row) for row in rows]),
                *choices(frame, **filters, people="people", unread="why unread"),
            ],
            legend="Marked: the person, and the words that reveal or avoid this person's gender.",
        )

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = result.as_estimates()
        yield self.page_table("Overall", [e for e in estimates if e.name not in {*PARTS, WORDS}])
        yield self.page_table("By role, kind and number", [e for e in estimates if e.name in PARTS])
        if words := [e for e in estimates if e.name == WORDS]:
            yield self.page_table("By person word", words, folded=True)


def _evidence(row: Any) -> list[Part]:
    """Highlight the words that reveal or avoid the person's gender."""
    return mark_words(row.translation, (row.words, mark_of(row.reading)))


def _spanning(result: Result, name: str) -> list[Estimate]:
    """Return an estimate across all languages, or for the language if there is just one."""
    found = [e for e in result.as_estimates() if e.name == name and e.value is not None]
    return [e for e in found if e.language is None] or found


def _row(runs: Sequence[Named]) -> Callable[[str, Estimate], str]:
    """Return a function that names the row of a run's estimate."""

    def row(run: str, e: Estimate) -> str:
        language = "all languages" if e.language is None else language_name(e.language)
        return f"{run}, {language}" if len(runs) > 1 else language

    return row
