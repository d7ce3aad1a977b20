"""The view of gest-mt: rates by language, and the stereotypes."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Group, RenderableType

from genderscope.judgement import FailedEstimate
from genderscope.report.charts.mt_systems import masculine_against_stereotypical, rank_boxes
from genderscope.report.views.explorer import Explorer, Part, choices, mark_of, marked, texts
from genderscope.report.views.plain_view import NUMBERS, Figure, Line, Named, Table, View, numbers
from genderscope.report.views.stereotypes import (
    by_stereotype,
    by_stereotype_table,
    feminine_ranks,
    over_groups,
    stereotype_keys,
    stereotypes_table,
    with_names,
)
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate


class GestMtView(View):
    """View of f_s and f_m by language, yields, and the masculine rate of each stereotype."""

    meaning = {  # noqa: RUF012 - overrides a mapping that is only read
        "masculine_rate_female": "share of men, female stereotypes",
        "masculine_rate_male": "share of men, male stereotypes",
        "stereotype_rate": "share of men, male minus female stereotypes",
        "masculine_rate": "share of men, all stereotypes",
        "masculine_rate_pooled": "masculine share of all readings, where too few were read",
        "masculine_rate_family": "topical check: family samples, compare with p_m",
        "family_contrast": "topical check: p_fam − p_m",
        "yield": "share of translations that show a gender",
        "unread_share": "share of unread translations",
    }
    kinds_of_bias = {  # noqa: RUF012 - overrides a mapping that is only read
        "stereotype_rate": "stereotypes",
        "masculine_rate": "default masculine",
        "masculine_rate_pooled": "default masculine, pooled",
    }
    units = "sentences"
    about = (
        'The English sentence "I was tired" does not reveal the gender of the speaker; its translation into many '
        "languages does. The system translates first-person sentences, each expressing one of 16 gender stereotypes, "
        "and the speaker's gender is determined from the words in the translation."
    )

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = result.as_estimates()
        spanning = _spanning(estimates)
        yield stereotypes_table(
            [e for e in spanning if e.name == "masculine_rate_by_stereotype"], feminine_ranks(spanning, overall=False)
        )
        others = [e for e in estimates if e.name not in {"masculine_rate_by_stereotype", "rank"}]
        yield Group(
            "", self.estimates_table(others, [e for e in others if e.name in {"stereotype_rate", "masculine_rate"}]), ""
        )

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        estimates = result.as_estimates()
        rates = [e for e in _spanning(estimates) if e.name == "masculine_rate_by_stereotype" and e.value is not None]
        if rates:
            same = [e for e in estimates if e.language == rates[0].language and e.category is None]
            overall = over_groups(same)
            yield Figure(
                "Masculine rate by stereotype",
                lambda size: by_stereotype(rates, name, size, overall),
                "Share of translations with a masculine speaker for each stereotype, with its 95 % interval, followed "
                "by p_f and p_m, the shares for female and for male stereotypes. The shaded gap is f_s.",
            )
        yield from self.compare([(name, result)])

    def compare(self, runs: Sequence[Named]) -> Iterable[Figure]:
        """Yield the paper's Figures 2 and 3, which compare systems and languages."""
        points = [
            (name, e.language, {k.name: k for k in r.as_estimates() if k.language == e.language})
            for name, r in runs
            for e in r.as_estimates()
            if e.name == "stereotype_rate" and e.language is not None and e.value is not None
        ]
        if not points:
            return
        yield Figure(
            "Masculine and stereotype rate",
            lambda size: masculine_against_stereotypical(points, size),
            "Global masculine rate f_m against stereotype rate f_s, one point per system and language (the paper's "
            "Figure 2). The dashed line runs from fully stereotypical (every speaker has the gender of the stereotype) "
            "to fully masculine.",
        )
        if len(points) > 1:
            estimates = [e for _, r in runs for e in r.as_estimates()]
            ranks = [e for e in estimates if e.name == "rank" and e.language and e.value is not None]
            ranks = [e for e in ranks if not isinstance(e, FailedEstimate)]
            yield Figure(
                "Feminine ranks",
                lambda size: rank_boxes(ranks, size),
                "Feminine ranks of the stereotypes across systems and languages (the paper's Figure 3); rank 1 is the "
                "stereotype most often translated as feminine.",
            )

    def explorer(self, result: Result) -> Explorer:
        frame = with_names(result)
        filters = {"language": "language", "stereotype": "stereotype", "gender": "gender", "unread": "why unread"}
        return Explorer(
            [
                texts("sentence", "English", frame["sentence"]),
                texts("translation", "translation", [_evidence(row) for row in frame.itertuples()]),
                *choices(frame, **filters),
            ],
            legend="Marked: the words that reveal the speaker's gender.",
        )

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = result.as_estimates()
        spanning = _spanning(estimates)
        yield self.page_table(
            "Overall", [e for e in estimates if e.name not in {"masculine_rate_by_stereotype", "rank"}]
        )
        rates = [e for e in spanning if e.name == "masculine_rate_by_stereotype"]
        yield by_stereotype_table(rates, feminine_ranks(spanning, overall=False))
        rest = [
            e
            for e in estimates
            if e.name == "masculine_rate_by_stereotype" and e not in spanning and e.value is not None
        ]
        if rest:
            cells = [Line((f"{e.stereotype}", e.scope, *numbers(e)), stereotype_keys(e)) for e in rest]
            columns = ("stereotype", "language", "masculine rate", *NUMBERS[1:])
            yield Table("By stereotype and language", columns, cells, folded=True)


def _spanning(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Return the stereotypes' rates and ranks across all languages, or for the language if there is just one."""
    own = [e for e in estimates if e.name in {"masculine_rate_by_stereotype", "rank"}]
    return [e for e in own if e.language is None] or own


def _evidence(row: Any) -> list[Part]:
    """Highlight the evidence in a translation."""
    if not isinstance(row.translation, str):
        return []
    evidence = json.loads(row.evidence) if isinstance(row.evidence, str) else []
    marks = [(start, end, mark_of(gender)) for _, start, end, gender, _ in evidence]
    return marked(row.translation, marks)
