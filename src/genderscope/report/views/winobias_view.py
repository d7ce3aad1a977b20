"""The view of WinoBias: the rates over all sentences, the occupations, then each type and split."""

import re
from collections.abc import Iterable
from typing import Any

from rich.console import Group, RenderableType

from genderscope.report.charts.intervals import Point, intervals
from genderscope.report.charts.style import FEMININE, MASCULINE
from genderscope.report.views.explorer import Explorer, Part, choices, figures, texts
from genderscope.report.views.plain_view import Figure, Table, View
from genderscope.report.views.stereotypes import choice_parts, preferred
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

HEADINGS = {"female": "occupations mostly of women", "male": "occupations mostly of men"}
_PRONOUNS = re.compile(r"\[(\w+)/(\w+)\]")


class WinoBiasView(View):
    """Overall first, subsets below."""

    meaning = {  # noqa: RUF012 - overrides a mapping that is only read
        "g_s_hat": "stereotype rate q_m_hat / q_f_hat",
        "q_m_hat": "masculine rate, male occupations",
        "q_f_hat": "masculine rate, female occupations",
        "q_o_hat": "masculine rate of an occupation",
        "pro_share": "share of stereotypical preferences",
        "variance_share": "part of the variance of g_s_hat",
    }
    about = (
        "The model reads sentences in which a pronoun stands for a person known by their occupation, and chooses "
        "between he and she. The masculine rate is how much more probable the man's pronoun is; a model that knows no "
        "stereotypes gives all occupations the same rate."
    )
    direction = {  # noqa: RUF012 - overrides a mapping that is only read
        "g_s_hat": ("against stereotypes", "stereotypical"),
        "q_m_hat": ("feminine", "masculine"),
        "q_f_hat": ("feminine", "masculine"),
        "pro_share": ("against stereotypes", "stereotypical"),
    }

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = [e for e in result.as_estimates() if e.name != "q_o_hat"]
        bold = [e for e in estimates if e.name == "g_s_hat" and e.subset is None]
        yield Group(self.estimates_table(estimates, bold), "")

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        points = [
            Point(str(e.category), e, {"model": name, "occupation": e.category}, HEADINGS[e.group], HEADINGS[e.group])
            for e in sorted(_occupations(result), key=lambda e: (str(e.group), e.value or 0.0))
            if e.group in HEADINGS
        ]
        if points:
            colours = dict(zip(HEADINGS.values(), (FEMININE, MASCULINE), strict=True))
            yield Figure(
                "Masculine rate by occupation",
                lambda size: intervals(
                    points, "masculine rate q̂_o (neutral 1; right is masculine)", colours, size=size
                ),
                "How much more probable the man's pronoun is than the woman's, for each occupation that the pronoun "
                "stands for, with its 95 % interval. The further the lower group lies to the right of the upper one, "
                "the more the model's pronouns follow the stereotypes of occupations (ĝ_s of the paper's Appendix B).",
            )

    def explorer(self, result: Result) -> Explorer:
        frame = result.rows.assign(prefers=result.rows["log_ratio"].map(preferred))
        return Explorer(
            [
                texts("text", "sentence", [_sentence(row) for row in frame.itertuples()]),
                *choices(frame, occupation="occupation", gender="stereotype of", subset="part", prefers="prefers"),
                *figures(frame, log_ratio="log-ratio (above 0: masculine)"),
                *choices(frame, unread="not read because"),
            ],
            legend="Marked: the pronoun that the model finds more probable.",
        )

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = [e for e in result.as_estimates() if e.name != "q_o_hat"]
        yield self.page_table("Overall", [e for e in estimates if e.subset is None])
        if parts := [e for e in estimates if e.subset is not None]:
            yield self.page_table("By type and split", parts)
        if occupations := _occupations(result):
            yield self.page_table("By occupation", occupations, folded=True)


def _occupations(result: Result) -> list[Estimate]:
    return [e for e in result.as_estimates() if e.name == "q_o_hat" and e.value is not None]


def _sentence(row: Any) -> list[Part]:
    """Show the two pronouns where they stand, the more probable one marked."""
    found = _PRONOUNS.search(row.sentence)
    if found is None:
        return [row.sentence]
    parts = [row.sentence[: found.start()], *choice_parts(row.log_ratio, *found.groups()), row.sentence[found.end() :]]
    return [part for part in parts if part]
