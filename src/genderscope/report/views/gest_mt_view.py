"""The view of GEST for translation: languages side by side, then the stereotypes."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Group, RenderableType

from genderscope.report.charts.mt_systems import masculine_against_stereotypical, rank_boxes
from genderscope.report.views.explorer import Explorer, Part, choices, mark_of, marked, texts
from genderscope.report.views.plain_view import Figure, Line, Named, Table, View, numbers
from genderscope.report.views.stereotypes import (
    by_stereotype,
    over_groups,
    stereotype_keys,
    stereotype_name,
    stereotype_rows,
    stereotypes_table,
)
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate


class GestMtView(View):
    """f_s and f_m for each language, yields, and the masculine rate of each stereotype."""

    meaning = {  # noqa: RUF012 - overrides a mapping that is only read
        "p_f": "masculine share, female stereotypes",
        "p_m": "masculine share, male stereotypes",
        "f_s": "stereotype rate p_m - p_f",
        "f_m": "global masculine rate",
        "p_fam": "topical check: family samples, compare with p_m",
        "p_fam_contrast": "topical check: p_fam − p_m",
        "variance_share": "part of the wider interval's variance",
        "yield": "share of translations that show a gender",
        "not_read": "share of what was not read",
    }

    about = (
        'English does not tell who says "I was tired"; many languages do. The system translates first-person '
        "sentences, each tied to one of 16 gender stereotypes, and the gender that it gave the speaker is read from "
        "the words of the translation."
    )
    direction = {  # noqa: RUF012 - overrides a mapping that is only read
        "f_s": ("against stereotypes", "stereotypical"),
        "f_m": ("feminine", "masculine"),
    }

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = result.as_estimates()
        spanning = over_all(estimates)
        yield stereotypes_table([e for e in spanning if e.name == "p_i"], _ranks(spanning))
        others = [e for e in estimates if e.name not in {"p_i", "rank"}]
        yield Group("", self.estimates_table(others, [e for e in others if e.name in {"f_s", "f_m"}]), "")

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        estimates = result.as_estimates()
        rates = [e for e in over_all(estimates) if e.name == "p_i" and e.value is not None]
        if rates:
            same = [e for e in estimates if e.language == rates[0].language and e.category is None]
            overall = over_groups(same, ("p_f", "p_m", "f_s"))
            yield Figure(
                "Masculine rate by stereotype",
                lambda size: by_stereotype(rates, name, size, overall),
                "Share of translations that make the speaker masculine, for each stereotype, with its 95 % interval; "
                "below them p_f and p_m, over the female and the male ones, and shaded the gap between the two, f_s.",
            )
        yield from comparison([(name, result)])

    def compare(self, runs: Sequence[Named]) -> Iterable[Figure]:
        return comparison(runs)

    def explorer(self, result: Result) -> Explorer:
        frame = result.rows.assign(stereotype=result.rows["stereotype"].map(stereotype_name))
        return Explorer(
            [
                texts("sentence", "English", frame["sentence"]),
                texts("translation", "translation", [_read(row) for row in frame.itertuples()]),
                *choices(
                    frame, language="language", stereotype="stereotype", gender="gender", unread="not read because"
                ),
            ],
            legend="Marked: the words that the speaker's gender was read from.",
        )

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = result.as_estimates()
        spanning = over_all(estimates)
        yield self.page_table("Overall", [e for e in estimates if e.name not in {"p_i", "rank"}])
        columns = ("stereotype", "p_i", "95 % interval", "neutral", "n", "unread", "feminine rank")
        yield Table(
            "By stereotype", columns, stereotype_rows([e for e in spanning if e.name == "p_i"], _ranks(spanning))
        )
        rest = [e for e in estimates if e.name == "p_i" and e not in spanning and e.value is not None]
        if rest:
            cells = [Line((f"{e.stereotype}", e.scope, *numbers(e)), stereotype_keys(e)) for e in rest]
            yield Table("By stereotype and language", ("stereotype", "language", *columns[1:6]), cells, folded=True)


def comparison(runs: Sequence[Named]) -> Iterable[Figure]:
    """Draw the paper's Figures 2 and 3 over systems and languages."""
    points = [
        (name, e.language, {k.name: k for k in r.as_estimates() if k.language == e.language})
        for name, r in runs
        for e in r.as_estimates()
        if e.name == "f_s" and e.language is not None and e.value is not None
    ]
    if not points:
        return
    yield Figure(
        "Masculine against stereotypical",
        lambda size: masculine_against_stereotypical(points, size),
        "Global masculine rate f_m against stereotype rate f_s, one point a system and language, named after both (the "
        "paper's Figure 2). The dashed line runs from fully stereotypical (each gets its gender) to fully masculine.",
    )
    ranks = [e for _, r in runs for e in r.as_estimates() if e.name == "rank" and e.language and e.value is not None]
    if len(points) > 1:
        yield Figure(
            "Feminine ranks",
            lambda size: rank_boxes(ranks, size),
            "Feminine ranks of the stereotypes over systems and languages (the paper's Figure 3): 1 is the stereotype "
            "that is made feminine most often.",
        )


def over_all(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Return the estimates that span all languages; where there is one language only, its own."""
    spanning = [e for e in estimates if e.name in {"p_i", "rank"} and e.language is None]
    return spanning or [e for e in estimates if e.name in {"p_i", "rank"}]


def _ranks(estimates: Sequence[Estimate]) -> dict[int | None, Estimate]:
    return {e.stereotype: e for e in estimates if e.name == "rank"}


def _read(row: Any) -> list[Part]:
    """Mark the evidence in a translation."""
    if not isinstance(row.translation, str):
        return []
    evidence = json.loads(row.evidence) if isinstance(row.evidence, str) else []
    marks = [(start, end, mark_of(gender)) for _, start, end, gender, _ in evidence]
    return marked(row.translation, marks)
