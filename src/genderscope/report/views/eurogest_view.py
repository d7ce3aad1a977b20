"""The view of EuroGEST: languages beside each other first, then the stereotypes over all of them."""

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from genderscope.report.charts.intervals import Point, intervals
from genderscope.report.charts.language_heatmaps import (
    agreement_of_languages,
    alike_beside_each_other,
    by_keys,
    language_name,
    rates_by_language,
)
from genderscope.report.layout import plain_table
from genderscope.report.views.explorer import Explorer
from genderscope.report.views.gest_slavic_view import pairs_explorer
from genderscope.report.views.gest_view import GestView
from genderscope.report.views.plain_view import Figure, Line, Named, Table, interval, keys, number, numbers
from genderscope.report.views.stereotypes import (
    feminine_ranks,
    stereotype_keys,
    stereotype_label,
    stereotypes_table,
)
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

COLUMNS = ("language", "g_s", "95 % interval", "q_f", "q_m", "n", "unread", "gendered", "scaffold", "r of the two")


class EuroGestView(GestView):
    """Languages × stereotypes."""

    about = (
        "The model reads first-person sentences in up to thirty languages, each tied to one of 16 gender stereotypes: "
        "in the form of a man and of a woman where the language tells them apart, or quoted with he said and she said, "
        "the man said and the woman said. The masculine rate is how much more probable the man's text is."
    )
    wider = "other stereotypes and languages too"

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = result.as_estimates()
        if not any(e.language for e in estimates):
            yield from super().terminal(result)
            return
        rates = [e for e in estimates if e.name == self.rate and not e.scope]
        if rates:
            yield stereotypes_table(rates, feminine_ranks(estimates))
        table = plain_table(COLUMNS[:1], COLUMNS[1:])
        for line in language_lines(estimates):
            table.add_row(*map(Text, line))
        yield Group("", table, "")
        over = [e for e in estimates if e.language is None and e.name in {"g_s", "q_f", "q_m", "variance_share"}]
        yield Group(self.estimates_table(over, [e for e in over if e.name == "g_s" and not e.scope]), "")

    def headline(self, result: Result) -> list[Estimate]:
        found = super().headline(result)
        over = [e for e in found if e.language is None]
        return over or found

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        estimates = result.as_estimates()
        languages = by_keys(estimates, "g_s")
        if not languages:
            yield from super().figures(name, result)
            return
        rates = [e for e in estimates if e.name == self.rate and e.language and e.subset is None]
        order = alike_beside_each_other(rates)
        if any(e.value is not None for e in rates):
            yield Figure(
                "Languages and stereotypes",
                lambda size: rates_by_language(rates, order, size),
                "Masculine rate of each stereotype in each language, on the log scale, less the language's mean: "
                "orange is more masculine than the language's other stereotypes, purple more feminine. Stereotypes 1-7 "
                "are about women, 8-16 about men; languages that agree on the stereotypes are beside each other.",
            )
        yield from super().figures(name, result)
        points = [
            Point(language_name(code), e, {"model": name, **keys(e)})
            for code, e in languages.items()
            if e.value is not None
        ]
        if points:
            title = f"stereotype rate g_s (neutral {points[0].estimate.neutral:g})"
            yield Figure(
                "Stereotype rate by language",
                lambda size: intervals(points, title, size=size),
                "Stereotype rate g_s of each language with its 95 % interval over sentences.",
            )
        yield from _agreements(estimates, order)

    def compare(self, runs: Sequence[Named]) -> Iterable[Figure]:
        yield from self.compare_headlines(runs)

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = result.as_estimates()
        if not any(e.language for e in estimates):
            yield from super().tables(result)
            return
        yield Table("Languages", COLUMNS, language_lines(estimates))
        over = [e for e in estimates if e.language is None and e.name not in {self.rate, "rank", "r"}]
        yield self.page_table("Over languages", over)
        between = [e for e in estimates if e.name == "r" and e.language is None]
        if between:
            yield self.page_table("Agreement of the languages", between, folded=True)
        columns = ("estimate", "for", "value", "95 % interval", "neutral", "n", "unread")
        cells = [
            Line((e.name, f"{stereotype_label(e)}, {e.scope}".lstrip(", "), *numbers(e)), stereotype_keys(e))
            for e in estimates
            if e.value is not None and e.name in {self.rate, "g_s", "q_f", "q_m"}
        ]
        yield Table("Languages, conditions and stereotypes", columns, cells, folded=True)

    def explorer(self, result: Result) -> Explorer:
        asked = {"language": "language", "condition": "condition"}
        told = {"alternates": "what alternates"}
        return pairs_explorer(result, "the words in which the two texts differ, in the text", asked, told)


def language_lines(estimates: Sequence[Estimate]) -> list[Line]:
    """Lay the languages out, a line each: the rates, g_s of either condition, and whether the two agree."""
    known = {name: by_keys(estimates, name) for name in ("g_s", "q_f", "q_m", "r")}
    parts = {(e.language, e.subset): e for e in estimates if e.name == "g_s" and e.subset}
    lines = []
    for code, g_s in known["g_s"].items():
        scaffold = parts.get((code, "pronoun")) or parts.get((code, "noun"))
        found = [known[name].get(code) for name in ("q_f", "q_m")]
        cells = (
            language_name(code),
            number(g_s.value),
            interval(g_s),
            *(_value(e) for e in found),
            f"{g_s.n:,}",
            f"{g_s.unread:,}",
            *(_value(e) for e in (parts.get((code, "gendered")), scaffold, known["r"].get(code))),
        )
        lines.append(Line(cells, keys(g_s)))
    return lines


def _value(estimate: Estimate | None) -> str:
    return "–" if estimate is None else number(estimate.value)


def _agreements(estimates: Sequence[Estimate], order: Sequence[str]) -> Iterable[Figure]:
    for subset, what in (("scaffold", "neutral sentences in scaffolds"), ("gendered", "gendered pairs")):
        found = [e for e in estimates if e.name == "r" and e.language is None and e.subset == subset]
        if any(e.value is not None for e in found):
            yield Figure(
                f"Agreement of the languages, {what}",
                lambda size, found=found: agreement_of_languages(found, order, size),  # type: ignore[misc]
                "Correlation of the stereotypes' rates between every two languages, with the noise of the rates taken "
                "out; empty where too much of them is noise. Languages are in the order of the first figure.",
            )
