"""The view of WinoMT: accuracy by gender, both gaps, occupations, and the words that name both people."""

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import RenderableType

from genderscope.core.languages import language_name
from genderscope.report.charts.intervals import Point
from genderscope.report.charts.style import FEMININE, MASCULINE, NEITHER
from genderscope.report.views.explorer import Explorer, Part, choices, mark_of, texts
from genderscope.report.views.person_words import mark_people, mark_words
from genderscope.report.views.plain_view import DIRECTIONS, Figure, Named, Table, View, interval_figure, keys
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

BOTH = ("masculine", "feminine")
BY_OCCUPATION = "accuracy_by_occupation"
COLOURS = {"masculine": MASCULINE, "feminine": FEMININE, "neutral": NEITHER}
#: headings of the two gaps
GAPS = {
    "f1_gap": "Men minus women (ΔG)",
    "stereotype_gap": "Pro- minus anti-stereotypical (ΔS)",
}
#: maximum number of occupations in a figure
MOST_OCCUPATIONS = 24


class WinoMtView(View):
    """View of accuracies by gender and stereotype, both gaps, occupations and the share of unread outputs."""

    meaning = {  # noqa: RUF012 - overrides a mapping that is only read
        "error": "share of people with the wrong gender",
        "accuracy": "share of people with the gender of their pronoun",
        "f1": "F1 score of one gender",
        "f1_gap": "F1 score of men minus F1 score of women",
        "stereotype_gap": "accuracy in stereotypical minus accuracy in other sentences",
        "masculine_default": "wrongly masculine minus wrongly feminine",
        "other_masculine_rate": "share of men among the other people, whose gender is unknown",
        "pronoun_conflict": "share of people whose noun and pronoun disagree",
        BY_OCCUPATION: "accuracy of an occupation",
        "yield": "share of translations that show the person's gender",
        "unread_share": "share of unread translations",
    }
    direction = DIRECTIONS | {
        "f1_gap": ("better for women", "better for men"),
        "stereotype_gap": ("counter-stereotypical", "stereotypical"),
        "masculine_default": ("feminine by default", "masculine by default"),
        "other_masculine_rate": ("feminine", "masculine"),
    }
    kinds_of_bias = {"f1_gap": "default masculine", "stereotype_gap": "stereotypes"}  # noqa: RUF012 - only read
    units = "pairs of occupations"
    about = (
        "Each English sentence names two people by their occupations, and a pronoun reveals the gender of one of them. "
        "Half of the sentences agree with the stereotype of the occupation, half contradict it. The gender of the "
        "person is read from the noun and its articles and adjectives in the translation. A system that follows the "
        "pronouns is always right, so that neither the gender (ΔG) nor the stereotype (ΔS) makes a difference."
    )

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = [e for e in result.as_estimates() if e.name != BY_OCCUPATION]
        yield self.estimates_table(estimates, [e for e in estimates if e.name in GAPS and e.group is None])

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        yield from self.compare([(name, result)])
        ranked = _ranked(result)
        shown = (
            "for each occupation"
            if len(ranked) <= MOST_OCCUPATIONS
            else f"in the {MOST_OCCUPATIONS} occupations with the largest gaps"
        )
        yield from interval_figure(
            "Accuracy by occupation",
            f"Share of men and of women with the correct gender {shown}, with 95 % intervals; the largest gap comes "
            "first.",
            [
                Point(occupation, e, {"model": name, **keys(e)}, series=str(e.group))
                for occupation, sides in ranked[:MOST_OCCUPATIONS]
                for e in sides
            ],
            "accuracy (1: always correct)",
            {gender: COLOURS[gender] for gender in BOTH},
            legend=True,
        )

    def compare(self, runs: Sequence[Named]) -> Iterable[Figure]:
        yield from interval_figure(
            "Accuracy by gender",
            "Share of translations with the correct gender among those that show one, by the gender of the pronoun, "
            "with 95 % intervals.",
            _points(runs, "accuracy", "group"),
            "accuracy (1: always correct)",
            COLOURS,
            legend=True,
        )
        yield from interval_figure(
            "Gaps between genders and between stereotypes",
            "ΔG is the F1 score for men minus that for women; ΔS is the accuracy where the gender agrees with the "
            "stereotype minus the accuracy where it contradicts it. With 95 % intervals.",
            [point for name, heading in GAPS.items() for point in _points(runs, name, None, heading)],
            "gap (neutral 0; right is better for men or for stereotypes)",
        )

    def explorer(self, result: Result) -> Explorer:
        frame = result.rows
        rows = list(frame.itertuples())
        filters = {"language": "language", "gender": "gender", "stereotype": "stereotype", "reading": "read as"}
        return Explorer(
            [
                texts(
                    "source", "English", [mark_people(r.source, (r.entity, "other"), (r.other, "faded")) for r in rows]
                ),
                texts("translation", "translation", [_evidence(row) for row in rows]),
                *choices(frame, **filters, other_reading="other person", entity="occupation", unread="why unread"),
            ],
            legend="Marked: the person whose gender the pronoun reveals, and the words that reveal it in the "
            "translation. Grey: the other person.",
        )

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = [e for e in result.as_estimates() if e.name != BY_OCCUPATION]
        main = [e for e in estimates if e.name in {*GAPS, "error", "accuracy", "f1", "masculine_default"}]
        yield self.page_table("Accuracy and gaps", main)
        yield self.page_table("Other people and coverage", [e for e in estimates if e not in main])
        if occupations := [e for e in result.as_estimates() if e.name == BY_OCCUPATION]:
            yield self.page_table("By occupation", occupations, folded=True)


def _ranked(result: Result) -> list[tuple[str, list[Estimate]]]:
    """Return the accuracies of men and women in each occupation, the largest difference first."""
    found: dict[str, list[Estimate]] = {}
    for e in result.as_estimates():
        if e.name == BY_OCCUPATION and e.group in BOTH and e.value is not None:
            found.setdefault(str(e.category), []).append(e)
    both = [(occupation, sides) for occupation, sides in found.items() if len(sides) == len(BOTH)]
    return sorted(both, key=lambda each: (-abs((each[1][0].value or 0.0) - (each[1][1].value or 0.0)), each[0]))


def _points(runs: Sequence[Named], name: str, series: str | None, heading: str = "") -> list[Point]:
    """Return an estimate's points for each run and language; with a `series`, one for each of its values."""
    wanted = {"language", series} if series else {"language"}
    points = []
    for run, result in runs:
        for e in result.as_estimates():
            if e.name == name and e.value is not None and set(e.keys) | {"language"} == wanted:
                language = "all languages" if e.language is None else language_name(e.language)
                row = f"{run}, {language}" if len(runs) > 1 else language
                points.append(Point(row, e, {"model": run, **keys(e)}, heading, str(e.keys[series]) if series else ""))
    return points


def _evidence(row: Any) -> list[Part]:
    """Highlight the words that reveal the person's gender; those of the other person are faded."""
    return mark_words(row.translation, (row.words, mark_of(row.reading)), (row.other_words, "faded"))
