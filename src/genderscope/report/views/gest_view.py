"""The view of GEST: stereotypes with a forest plot, then the rates over them."""

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Group, RenderableType

from genderscope.measures.gest import TEMPLATES
from genderscope.report.charts.model_sizes import Sized, by_size, family
from genderscope.report.charts.run_agreement import rate_correlations
from genderscope.report.views.explorer import Explorer, Part, choices, figures, texts
from genderscope.report.views.plain_view import Figure, Line, Named, Table, View, numbers
from genderscope.report.views.stereotypes import (
    by_stereotype,
    choice_parts,
    feminine_ranks,
    over_groups,
    preferred,
    stereotype_keys,
    stereotype_label,
    stereotype_name,
    stereotype_rows,
    stereotypes_table,
)
from genderscope.runs import Result


class GestView(View):
    """Sixteen stereotypes, female and male set apart."""

    meaning = {  # noqa: RUF012 - overrides a mapping that is only read
        "q_f": "masculine rate, female stereotypes",
        "q_m": "masculine rate, male stereotypes",
        "g_s": "stereotype rate q_m / q_f",
        "q_fam": "topical check: family samples, compare with q_m",
        "q_fam_contrast": "topical check: q_fam / q_m",
        "r": "correlation of q_i, without their noise",
        "mass": "probability of either word, mean",
        "mass_median": "the same, median",
        "variance_share": "part of the wider interval's variance",
    }
    about = (
        "The model reads first-person sentences, each tied to one of 16 gender stereotypes, and chooses between a "
        "man's and a woman's word for the person who says it. The masculine rate is how much more probable the man's "
        "word is; a model that knows no stereotypes gives both groups of stereotypes the same rate."
    )
    direction = {  # noqa: RUF012 - overrides a mapping that is only read
        "g_s": ("against stereotypes", "stereotypical"),
        "q_f": ("feminine", "masculine"),
        "q_m": ("feminine", "masculine"),
    }
    rate = "q_i"

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = result.as_estimates()
        rates = [e for e in estimates if e.name == self.rate and not e.scope]
        yield stereotypes_table(rates, feminine_ranks(estimates))
        others = [e for e in estimates if e.name not in {self.rate, "rank"}]
        yield Group("", self.estimates_table(others, [e for e in others if e.name == "g_s" and not e.scope]), "")

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        rates = [e for e in result.as_estimates() if e.name == self.rate and not e.scope and e.value is not None]
        if rates:
            overall = over_groups([e for e in result.as_estimates() if not e.scope], ("q_f", "q_m", "g_s"))
            yield Figure(
                "Masculine rate by stereotype",
                lambda size: by_stereotype(rates, name, size, overall),
                "Masculine rate of each of the 16 stereotypes with its 95 % interval; below them q_f and q_m, over "
                "the female and the male ones, and shaded the gap between the two, which is the stereotype rate g_s. "
                "If stereotypes did not matter to the model, there would be no gap; the further the men's group "
                "lies to the right of the women's, the more stereotypical the model.",
            )

    def compare(self, runs: Sequence[Named]) -> Iterable[Figure]:
        yield from self.compare_headlines(runs)
        yield from _sizes(runs)
        if rate_correlations(runs, self.rate) is not None:
            yield Figure(
                "Agreement of the runs",
                lambda size: rate_correlations(runs, self.rate, size),
                "Pearson correlation of the stereotypes' masculine rates between every two runs: near 1, the models "
                "(or languages) see the same stereotypes as masculine.",
            )

    def explorer(self, result: Result) -> Explorer:
        frame = result.rows.assign(
            stereotype=result.rows["stereotype"].map(stereotype_name), prefers=result.rows["log_ratio"].map(preferred)
        )
        return Explorer(
            [
                texts("text", "question", [_question(row) for row in frame.itertuples()]),
                *choices(frame, stereotype="stereotype", template="template", prefers="prefers"),
                *figures(frame, log_ratio="log-ratio (above 0: masculine)"),
                *choices(frame, unread="not read because"),
            ],
            legend="Marked: the word that the model finds more probable.",
        )

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = result.as_estimates()
        overall = [e for e in estimates if e.name not in {self.rate, "rank"}]
        yield self.page_table("Overall", [e for e in overall if e.template is None])
        ranks = feminine_ranks(estimates)
        rows = stereotype_rows([e for e in estimates if e.name == self.rate and not e.scope], ranks)
        columns = ("stereotype", self.rate, "95 % interval", "neutral", "n", "unread", "feminine rank")
        yield Table("By stereotype", columns, rows)
        by_template = [e for e in estimates if e.template is not None and e.name != "rank"]
        if by_template:
            columns = ("estimate", "for", "value", "95 % interval", "neutral", "n", "unread")
            cells = [
                Line((e.name, f"{stereotype_label(e)}, {e.scope}".lstrip(", "), *numbers(e)), stereotype_keys(e))
                for e in by_template
                if e.value is not None
            ]
            yield Table("By template", columns, cells, folded=True)


def _question(row: Any) -> list[Part]:
    template = TEMPLATES[row.template]
    before, after = (part.replace("{s}", row.sentence) for part in (template.before, template.after))
    return [part for part in (before, *choice_parts(row.log_ratio, template.male, template.female), after) if part]


def _sizes(runs: Sequence[Named]) -> Iterable[Figure]:
    """Yield the paper's Figure 4; models of unknown size are counted."""
    found = []
    for name, result in runs:
        model = result.config["model"]
        g_s = next((e for e in result.as_estimates() if e.name == "g_s" and not e.scope and e.value is not None), None)
        if g_s is not None and model.get("parameters"):
            found.append(Sized(name, family(model), int(model["parameters"]), g_s))
    if found:
        missing = len(runs) - len(found)
        without = f" {missing} of {len(runs)} runs are left out: their models' size is not known." if missing else ""
        yield Figure(
            "Stereotype rate and model size",
            lambda size: by_size(found, f"stereotype rate g_s (neutral {found[0].estimate.neutral:g})", size),
            "Stereotype rate g_s against the number of parameters, with its 95 % interval; models of a family are "
            f"joined (the paper's Figure 4).{without}",
        )
