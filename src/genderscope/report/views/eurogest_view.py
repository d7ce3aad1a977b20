"""The view of EuroGEST: a comparison of languages, and the stereotypes across all languages."""

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType

from genderscope.report.charts.intervals import Point
from genderscope.report.charts.language_heatmaps import (
    agreement_of_languages,
    by_language,
    language_name,
    order_by_similarity,
    rates_by_language,
)
from genderscope.report.layout import INTERVAL
from genderscope.report.views.explorer import Explorer
from genderscope.report.views.gest_slavic_view import pairs_explorer
from genderscope.report.views.gest_view import GestView
from genderscope.report.views.plain_view import (
    Figure,
    Line,
    Named,
    Table,
    interval,
    interval_figure,
    keys,
    number,
    terminal_table,
)
from genderscope.report.views.stereotypes import detail_table, feminine_ranks, stereotypes_table
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

COLUMNS = ("language", "g_s", INTERVAL, "q_f", "q_m", "n", "unread", "gendered", "scaffold", "correlation")


class EuroGestView(GestView):
    """View of rates by language and stereotype."""

    about = (
        "The model scores first-person sentences in up to thirty languages, each expressing one of 16 gender "
        "stereotypes: in a masculine and a feminine form where the language distinguishes them, or quoted "
        'with "he said" and "she said" or with "the man said" and "the woman said". The masculine rate is the ratio of '
        "the two probabilities."
    )

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = result.as_estimates()
        if not any(e.language for e in estimates):
            yield from super().terminal(result)
            return
        rates = [e for e in estimates if e.name == self.rate and not e.scope]
        if rates:
            yield stereotypes_table(rates, feminine_ranks(estimates))
        yield Group("", terminal_table(COLUMNS, _language_lines(estimates)), "")
        over = [
            e
            for e in estimates
            if e.language is None
            and e.name in {"stereotype_rate", "masculine_rate_female", "masculine_rate_male", "variance_share"}
        ]
        yield Group(self.estimates_table(over, [e for e in over if e.name == "stereotype_rate" and not e.scope]), "")

    def headline(self, result: Result) -> list[Estimate]:
        estimates = super().headline(result)
        return [e for e in estimates if e.language is None] or estimates

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        estimates = result.as_estimates()
        languages = by_language(estimates, "stereotype_rate")
        if not languages:
            yield from super().figures(name, result)
            return
        rates = [e for e in estimates if e.name == self.rate and e.language and e.subset is None]
        order = order_by_similarity(rates)
        if any(e.value is not None for e in rates):
            yield Figure(
                "Languages and stereotypes",
                lambda size: rates_by_language(rates, order, size),
                "Masculine rate of each stereotype in each language on the log scale, relative to the language's mean: "
                "orange stereotypes are more masculine than the mean, purple ones more feminine. Stereotypes 1-7 are "
                "about women, 8-16 about men. Languages with similar rates are next to each other.",
            )
        yield from super().figures(name, result)
        points = [
            Point(language_name(code), e, {"model": name, **keys(e)})
            for code, e in languages.items()
            if e.value is not None
        ]
        neutral = f"{points[0].estimate.neutral:g}" if points else ""
        yield from interval_figure(
            "Stereotype rate by language",
            "Stereotype rate g_s of each language with its 95 % interval, which generalises to other sentences.",
            points,
            f"stereotype rate g_s (neutral {neutral})",
        )
        yield from _agreements(estimates, order)

    def compare(self, runs: Sequence[Named]) -> Iterable[Figure]:
        yield from self.compare_headlines(runs)

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = result.as_estimates()
        if not any(e.language for e in estimates):
            yield from super().tables(result)
            return
        yield Table("Languages", COLUMNS, _language_lines(estimates))
        over = [e for e in estimates if e.language is None and e.name not in {self.rate, "rank", "rate_correlation"}]
        yield self.page_table("Across languages", over)
        between = [e for e in estimates if e.name == "rate_correlation" and e.language is None]
        if between:
            yield self.page_table("Agreement between languages", between, folded=True)
        details = [
            e
            for e in estimates
            if e.name in {self.rate, "stereotype_rate", "masculine_rate_female", "masculine_rate_male"}
        ]
        yield detail_table("Languages, conditions and stereotypes", details)

    def explorer(self, result: Result) -> Explorer:
        return pairs_explorer(result, language="language", condition="condition")


def _language_lines(estimates: Sequence[Estimate]) -> list[Line]:
    """Return one row per language: rates, g_s in both conditions, and their correlation."""
    known = {
        name: by_language(estimates, name)
        for name in ("stereotype_rate", "masculine_rate_female", "masculine_rate_male", "rate_correlation")
    }
    parts = {(e.language, e.subset): e for e in estimates if e.name == "stereotype_rate" and e.subset}
    lines = []
    for code, g_s in known["stereotype_rate"].items():
        scaffold = parts.get((code, "pronoun")) or parts.get((code, "noun"))
        cells = (
            language_name(code),
            number(g_s.value),
            interval(g_s),
            *(_value(known[name].get(code)) for name in ("masculine_rate_female", "masculine_rate_male")),
            f"{g_s.n:,}",
            f"{g_s.unread:,}",
            *(_value(e) for e in (parts.get((code, "gendered")), scaffold, known["rate_correlation"].get(code))),
        )
        lines.append(Line(cells, keys(g_s)))
    return lines


def _value(estimate: Estimate | None) -> str:
    return "–" if estimate is None else number(estimate.value)


def _agreements(estimates: Sequence[Estimate], order: Sequence[str]) -> Iterable[Figure]:
    for subset, sentences in (("scaffold", "neutral sentences in scaffolds"), ("gendered", "gendered pairs")):
        correlations = [
            e for e in estimates if e.name == "rate_correlation" and e.language is None and e.subset == subset
        ]
        if any(e.value is not None for e in correlations):
            yield Figure(
                f"Agreement between languages, {sentences}",
                lambda size, correlations=correlations: agreement_of_languages(correlations, order, size),  # type: ignore[misc]
                "Correlation of the stereotypes' rates between languages, corrected for noise; cells are empty where "
                "the rates are too noisy. Languages are ordered as in the first figure.",
            )
