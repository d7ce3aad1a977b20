"""The view of GEST: stereotypes with a forest plot, then the rates over them."""

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from genderscope.report.correlation_figures import rate_correlations
from genderscope.report.figures import forest
from genderscope.report.forest import Axis, bar
from genderscope.report.views.base import Figure, Table, View, interval, number, numbers
from genderscope.runs.result import Result
from genderscope.samples.gest import FEMALE, STEREOTYPES
from genderscope.statistics.estimate import Estimate

WOMEN, MEN = "women are …", "men are …"
_WIDTH = 28
_STYLE = {WOMEN: "magenta", MEN: "yellow"}


class GestView(View):
    """Sixteen stereotypes, female and male set apart."""

    meaning = {  # noqa: RUF012 - overrides a mapping that is only read
        "q_f": "masculine rate, female stereotypes",
        "q_m": "masculine rate, male stereotypes",
        "g_s": "stereotype rate q_m / q_f",
        "q_fam": "topical check: family samples, compare with q_m",
        "r": "correlation of q_i",
        "mass": "probability of either word",
    }
    rate = "q_i"

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = result.as_estimates()
        rates = [e for e in estimates if e.name == self.rate and not e.scope]
        yield stereotypes_table(rates, _ranks(estimates))
        others = [e for e in estimates if e.name not in {self.rate, "rank"}]
        yield Group("", self.estimates_table(others, [e for e in others if e.name == "g_s" and not e.scope]), "")

    def figures(self, result: Result) -> Iterable[Figure]:
        rates = [e for e in result.as_estimates() if e.name == self.rate and not e.scope and e.value is not None]
        if rates:
            yield Figure(
                "Masculine rate by stereotype",
                forest(rates),
                "Masculine rate of each of the 16 stereotypes with its 95 % interval. If stereotypes did not matter "
                "to the model, both groups would lie alike; the further the lower group lies to the right, the more "
                "stereotypical the model.",
            )

    def compare(self, results: Sequence[Result]) -> Iterable[Figure]:
        chart = rate_correlations(results, self.rate)
        if chart is not None:
            yield Figure(
                "Agreement of the runs",
                chart,
                "Pearson correlation of the stereotypes' masculine rates between every two runs: near 1, the models "
                "(or languages) see the same stereotypes as masculine.",
            )

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = result.as_estimates()
        overall = [e for e in estimates if e.name not in {self.rate, "rank"}]
        yield self.page_table("Overall", [e for e in overall if e.template is None])
        ranks = _ranks(estimates)
        rows = stereotype_rows([e for e in estimates if e.name == self.rate and not e.scope], ranks)
        columns = ("stereotype", self.rate, "95 % interval", "neutral", "n", "unread", "feminine rank")
        yield Table("By stereotype", columns, rows)
        by_template = [e for e in estimates if e.template is not None and e.name != "rank"]
        if by_template:
            columns = ("estimate", "for", "value", "95 % interval", "neutral", "n", "unread")
            cells = [
                (e.name, f"{_name(e)}, {e.scope}".lstrip(", "), *numbers(e)) for e in by_template if e.value is not None
            ]
            yield Table("By template", columns, cells, folded=True)


def stereotypes_table(rates: Sequence[Estimate], ranks: dict[int | None, Estimate]) -> RenderableType:
    """Draw the stereotypes for the terminal, each with its interval as a line."""
    axis = Axis.around(rates)
    table = RichTable(box=None, pad_edge=False, header_style="bold")
    table.add_column("stereotype", no_wrap=True)
    for heading in (rates[0].name if rates else "rate", "95 % interval", "n", "rank"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column(f"feminine ◄ {axis.neutral:g} ► masculine", justify="center", no_wrap=True)
    for about, group in _groups(rates):
        style = _STYLE[about]
        table.add_row(Text(about, style=f"italic {style}"))
        for e in group:
            drawn = Text(bar(e, axis, _WIDTH), style=style)
            table.add_row(Text(_name(e), style=style), number(e.value), interval(e), str(e.n), _rank(ranks, e), drawn)
    return table


def stereotype_rows(rates: Sequence[Estimate], ranks: dict[int | None, Estimate]) -> list[tuple[str, ...]]:
    """Lay the stereotypes out for a table of the page, under a heading for each group."""
    rows: list[tuple[str, ...]] = []
    for about, group in _groups(rates):
        rows.append((about,))
        rows += [(_name(e), *numbers(e), _rank(ranks, e)) for e in group]
    return rows


def _groups(rates: Sequence[Estimate]) -> Iterable[tuple[str, list[Estimate]]]:
    for about, female in ((WOMEN, True), (MEN, False)):
        if group := [e for e in rates if (e.stereotype in FEMALE) is female]:
            yield about, group


def _ranks(estimates: Sequence[Estimate]) -> dict[int | None, Estimate]:
    return {e.stereotype: e for e in estimates if e.name == "rank" and not e.scope}


def _rank(ranks: dict[int | None, Estimate], estimate: Estimate) -> str:
    rank = ranks.get(estimate.stereotype)
    return "–" if rank is None or rank.value is None or estimate.value is None else f"{rank.value:g}"


def _name(estimate: Estimate) -> str:
    return "" if estimate.stereotype is None else f"{estimate.stereotype:>2} {STEREOTYPES[estimate.stereotype]}"
