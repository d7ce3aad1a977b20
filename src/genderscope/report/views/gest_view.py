"""The view of GEST: stereotypes with a forest plot, then the overall rates."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType

from genderscope.judgement import describe_left_out
from genderscope.measures.gest import TEMPLATES, Template, filled
from genderscope.report.charts.model_sizes import Sized, by_size, family
from genderscope.report.charts.run_agreement import meaningful_rates, rate_correlations
from genderscope.report.views.explorer import Explorer, Part, texts
from genderscope.report.views.plain_view import Figure, Named, Table, View
from genderscope.report.views.stereotypes import (
    by_stereotype,
    by_stereotype_table,
    choice_parts,
    detail_table,
    feminine_ranks,
    over_groups,
    preference_explorer,
    stereotypes_table,
    with_names,
)
from genderscope.runs import Result


class GestView(View):
    """View of the 16 stereotypes' rates, grouped into female and male stereotypes."""

    meaning = {  # noqa: RUF012 - overrides a mapping that is only read
        "masculine_rate_female": "preference for a male speaker, female stereotypes",
        "masculine_rate_male": "preference for a male speaker, male stereotypes",
        "stereotype_rate": "preference for a male speaker, male vs. female stereotypes",
        "masculine_rate_family": "topical check: family samples, compare with q_m",
        "family_contrast": "topical check: q_fam / q_m",
        "rate_correlation": "correlation of q_i, corrected for noise",
        "prompt_agreement": "agreement of prompts on single sentences within stereotypes",
        "stereotype_rate_published_prompts": "stereotype_rate with the paper's templates",
        "masculine_rate_female_published_prompts": "masculine_rate_female with the paper's templates",
        "masculine_rate_male_published_prompts": "masculine_rate_male with the paper's templates",
        "control_published_prompts": "control with the paper's templates",
        "prompt_agreement_published_prompts": "prompt_agreement of the paper's templates",
        "mass": "mean probability of the two words together",
        "mass_median": "median probability of the two words together",
    }
    brief = {  # noqa: RUF012 - overrides a mapping that is only read
        "masculine_rate_female": "female stereotypes",
        "masculine_rate_male": "male stereotypes",
    }
    kinds_of_bias = {  # noqa: RUF012 - overrides a mapping that is only read
        "stereotype_rate": "stereotypes",
        "masculine_rate_female": "default masculine, female stereotypes",
        "masculine_rate_male": "default masculine, male stereotypes",
    }
    units = "sentences"
    about = (
        "The model scores first-person sentences, each expressing one of 16 gender stereotypes, with a masculine and a "
        "feminine word for the speaker. The masculine rate is the ratio of the two probabilities. A model without "
        "gender stereotypes has the same rate for stereotypes about women and about men."
    )
    rate = "masculine_rate_by_stereotype"

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = result.as_estimates()
        rates = [e for e in estimates if e.name == self.rate and not e.scope]
        yield stereotypes_table(rates, feminine_ranks(estimates))
        others = [e for e in estimates if e.name not in {self.rate, "rank"}]
        yield Group(
            "", self.estimates_table(others, [e for e in others if e.name == "stereotype_rate" and not e.scope]), ""
        )

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        rates = [e for e in result.as_estimates() if e.name == self.rate and not e.scope and e.value is not None]
        if rates:
            overall = over_groups([e for e in result.as_estimates() if not e.scope])
            yield Figure(
                "Masculine rate by stereotype",
                lambda size: by_stereotype(rates, name, size, overall),
                "Masculine rate of each of the 16 stereotypes with its 95 % interval, followed by q_f and q_m, the "
                "rates for female and for male stereotypes. The shaded gap between them is the stereotype rate g_s. "
                "A model without stereotypes has no gap; the further the men's group lies to the right of the women's, "
                "the more stereotypical the model.",
            )

    def compare(self, runs: Sequence[Named]) -> Iterable[Figure]:
        yield from self.compare_headlines(runs)
        yield from _sizes(runs)
        if rate_correlations(runs, self.rate) is not None:
            left_out = describe_left_out(len(runs) - len(meaningful_rates(runs, self.rate)), len(runs))
            yield Figure(
                "Agreement between runs",
                lambda size: rate_correlations(runs, self.rate, size),
                "Pearson correlation of the stereotypes' masculine rates between runs: a value near 1 means that the "
                f"models (or languages) treat the same stereotypes as masculine.{left_out}",
            )

    def explorer(self, result: Result) -> Explorer:
        frame = with_names(result)
        own = result.config["data"].get("prompts", {})
        prompts = {**TEMPLATES, **{int(number): Template(*parts) for number, parts in own.items()}}
        questions = [texts("text", "question", [_question(row, prompts) for row in frame.itertuples()])]
        filters = {"stereotype": "stereotype", "template": "template"}
        return preference_explorer(frame, questions, "the word", **filters)

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = result.as_estimates()
        overall = [e for e in estimates if e.name not in {self.rate, "rank"}]
        yield self.page_table("Overall", [e for e in overall if e.template is None])
        rates = [e for e in estimates if e.name == self.rate and not e.scope]
        yield by_stereotype_table(rates, feminine_ranks(estimates))
        if by_template := [e for e in estimates if e.template is not None and e.name != "rank"]:
            yield detail_table("By template", by_template)


def _question(row: Any, prompts: Mapping[int, Template]) -> list[Part]:
    template = prompts[row.template]
    before, after = (filled(part, row.sentence) for part in (template.before, template.after))
    return [part for part in (before, *choice_parts(row.log_ratio, template.male, template.female), after) if part]


def _sizes(runs: Sequence[Named]) -> Iterable[Figure]:
    """Yield the paper's Figure 4; its caption gives the number of runs left out because the model's size is unknown."""
    models = []
    for name, result in runs:
        model = result.config["model"]
        g_s = next(
            (e for e in result.as_estimates() if e.name == "stereotype_rate" and not e.scope and e.value is not None),
            None,
        )
        if g_s is not None and model.get("parameters"):
            models.append(Sized(name, family(model), int(model["parameters"]), g_s))
    if models:
        missing = len(runs) - len(models)
        without = (
            f" {missing} of {len(runs)} runs are not shown because the size of the model is unknown." if missing else ""
        )
        yield Figure(
            "Stereotype rate and model size",
            lambda size: by_size(models, f"stereotype rate g_s (neutral {models[0].estimate.neutral:g})", size),
            "Stereotype rate g_s against the number of parameters, with 95 % intervals; lines connect models of the "
            f"same family whose values are meaningful (the paper's Figure 4).{without}",
        )
