"""The view of GEST for translation: languages side by side, then the stereotypes."""

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType

from genderscope.report.figures import forest
from genderscope.report.mt_figures import masculine_against_stereotypical, rank_boxes
from genderscope.report.views.base import Figure, Table, View, numbers
from genderscope.report.views.gest import stereotype_rows, stereotypes_table
from genderscope.runs.result import Result
from genderscope.statistics.estimate import Estimate


class GestMtView(View):
    """f_s and f_m for each language, yields, and the masculine rate of each stereotype."""

    meaning = {  # noqa: RUF012 - overrides a mapping that is only read
        "p_f": "masculine share, female stereotypes",
        "p_m": "masculine share, male stereotypes",
        "f_s": "stereotype rate p_m - p_f",
        "f_m": "global masculine rate",
        "p_fam": "topical check: family samples, compare with p_m",
        "yield": "share of translations that show a gender",
        "not_read": "share of what was not read",
    }

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = result.as_estimates()
        spanning = over_all(estimates)
        yield stereotypes_table([e for e in spanning if e.name == "p_i"], _ranks(spanning))
        others = [e for e in estimates if e.name not in {"p_i", "rank"}]
        yield Group("", self.estimates_table(others, [e for e in others if e.name in {"f_s", "f_m"}]), "")

    def figures(self, result: Result) -> Iterable[Figure]:
        estimates = result.as_estimates()
        rates = [e for e in over_all(estimates) if e.name == "p_i" and e.value is not None]
        if rates:
            yield Figure(
                "Masculine rate by stereotype",
                forest(rates),
                "Share of translations that make the speaker masculine, for each stereotype, with its 95 % interval.",
            )
        yield from comparison([result])

    def compare(self, results: Sequence[Result]) -> Iterable[Figure]:
        return comparison(results)

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
            cells = [(f"{e.stereotype}", e.scope, *numbers(e)) for e in rest]
            yield Table("By stereotype and language", ("stereotype", "language", *columns[1:6]), cells, folded=True)


def comparison(results: Sequence[Result]) -> Iterable[Figure]:
    """Draw the paper's Figures 2 and 3 over systems and languages."""
    points = [
        (str(r.config["model"]["name"]), e.language, {k.name: k for k in r.as_estimates() if k.language == e.language})
        for r in results
        for e in r.as_estimates()
        if e.name == "f_s" and e.language is not None and e.value is not None
    ]
    if not points:
        return
    yield Figure(
        "Masculine against stereotypical",
        masculine_against_stereotypical(points),
        "Global masculine rate f_m against stereotype rate f_s, one point a system and language (the paper's "
        "Figure 2). The dashed line runs from fully stereotypical (each gets its gender) to fully masculine.",
    )
    ranks = [e for r in results for e in r.as_estimates() if e.name == "rank" and e.language and e.value is not None]
    if len(points) > 1:
        yield Figure(
            "Feminine ranks",
            rank_boxes(ranks),
            "Feminine ranks of the stereotypes over systems and languages (the paper's Figure 3): 1 is the stereotype "
            "that is made feminine most often.",
        )


def over_all(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Return the estimates that span all languages; where there is one language only, its own."""
    spanning = [e for e in estimates if e.name in {"p_i", "rank"} and e.language is None]
    return spanning or [e for e in estimates if e.name in {"p_i", "rank"}]


def _ranks(estimates: Sequence[Estimate]) -> dict[int | None, Estimate]:
    return {e.stereotype: e for e in estimates if e.name == "rank"}
