"""The view of WinoBias: overall rates, occupations, then types and splits."""

import re
from collections.abc import Iterable
from typing import Any

from rich.console import Group, RenderableType

from genderscope.report.charts.intervals import Point
from genderscope.report.charts.style import FEMININE, MASCULINE
from genderscope.report.views.explorer import Explorer, Part, texts
from genderscope.report.views.plain_view import Figure, Table, View, interval_figure
from genderscope.report.views.stereotypes import choice_parts, preference_explorer, with_names
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

HEADINGS = {"female": "female-dominated occupations", "male": "male-dominated occupations"}
_PRONOUNS = re.compile(r"\[(\w+)/(\w+)\]")


class WinoBiasView(View):
    """View of overall estimates, subsets and occupations."""

    meaning = {  # noqa: RUF012 - overrides a mapping that is only read
        "stereotype_rate": "preference for a masculine pronoun, male vs. female occupations",
        "masculine_rate_male": "preference for a masculine pronoun, male occupations",
        "masculine_rate_female": "preference for a masculine pronoun, female occupations",
        "masculine_rate_by_occupation": "masculine rate of an occupation",
        "stereotypical_share": "share of stereotypical preferences",
        "variance_share": "share of the variance of g_s_hat",
    }
    brief = {  # noqa: RUF012 - overrides a mapping that is only read
        "masculine_rate_male": "male occupations",
        "masculine_rate_female": "female occupations",
    }
    about = (
        "The model scores sentences in which a pronoun refers to a person described by their occupation, "
        "with the masculine and with the feminine pronoun. The masculine rate is the ratio of the two probabilities. A "
        "model without gender stereotypes has the same rate for all occupations."
    )

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = [e for e in result.as_estimates() if e.name != "masculine_rate_by_occupation"]
        bold = [e for e in estimates if e.name == "stereotype_rate" and e.subset is None]
        yield Group(self.estimates_table(estimates, bold), "")

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        points = [
            Point(str(e.category), e, {"model": name, "occupation": e.category}, HEADINGS[e.group], HEADINGS[e.group])
            for e in sorted(_occupations(result), key=lambda e: (str(e.group), e.value or 0.0))
            if e.group in HEADINGS
        ]
        yield from interval_figure(
            "Masculine rate by occupation",
            "Ratio of the probabilities of the masculine and the feminine pronoun by occupation, with 95 % intervals. "
            "The further the lower group lies to the right of the upper one, the more the model's pronouns follow "
            "occupational stereotypes (ĝ_s in the paper's Appendix B).",
            points,
            "masculine rate q̂_o (neutral 1; right is masculine)",
            dict(zip(HEADINGS.values(), (FEMININE, MASCULINE), strict=True)),
        )

    def explorer(self, result: Result) -> Explorer:
        frame = with_names(result.rows)
        sentences = [texts("text", "sentence", [_sentence(row) for row in frame.itertuples()])]
        filters = {"occupation": "occupation", "gender": "stereotype", "subset": "part"}
        return preference_explorer(frame, sentences, "the pronoun", **filters)

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = [e for e in result.as_estimates() if e.name != "masculine_rate_by_occupation"]
        yield self.page_table("Overall", [e for e in estimates if e.subset is None])
        if parts := [e for e in estimates if e.subset is not None]:
            yield self.page_table("By type and split", parts)
        if occupations := _occupations(result):
            yield self.page_table("By occupation", occupations, folded=True)


def _occupations(result: Result) -> list[Estimate]:
    return [e for e in result.as_estimates() if e.name == "masculine_rate_by_occupation" and e.value is not None]


def _sentence(row: Any) -> list[Part]:
    """Return a sentence with both pronouns, the more probable one highlighted."""
    match = _PRONOUNS.search(row.sentence)
    if match is None:
        return [row.sentence]
    parts = [row.sentence[: match.start()], *choice_parts(row.log_ratio, *match.groups()), row.sentence[match.end() :]]
    return [part for part in parts if part]
