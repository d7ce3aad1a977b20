"""What must hold before GEST's rates mean something: the model responds to known answers, and repeats itself."""

from collections.abc import Sequence

from genderscope.judgement import CONTROL, COVERAGE, ValidityCondition, estimate_like
from genderscope.measures.competence import BETTER_THAN_CHANCE
from genderscope.measures.controls import RESPONDS
from genderscope.statistics.estimate import Estimate

PROMPT_AGREEMENT = "prompt_agreement"
#: end of the names of rates over the paper's templates, where a run's own rates are those of other prompts
PUBLISHED_PROMPTS = "_published_prompts"
#: with fewer sentences, the agreement of models that respond weakly is often not significant
FEWEST_SENTENCES = 200
#: below this mass, a caution is given: the model hardly ever writes either word
LOW_MASS = 0.01


def best_mass(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return the smaller of `mass` and `mass_median` in the judged template, or the maximum over templates.

    None if the run has controls, which show directly whether the model responds; runs of earlier versions have none.
    """
    if any(e.name == CONTROL for e in estimates):
        return None
    found = masses(estimates).items()
    return max((least for template, (least, _) in found if judged.template in {None, template}), default=None)


def masses(estimates: Sequence[Estimate]) -> dict[int | None, tuple[float, str]]:
    """Template -> combined probability of its two words: the smaller of mean and median, and both as text."""
    medians = {e.template: e.value for e in estimates if e.name == "mass_median"}
    found = {}
    for e in estimates:
        if e.name == "mass" and e.value is not None:
            median = medians.get(e.template)
            shown = f"{e.value:.2g}" if median is None else f"{e.value:.2g} (median {median:.2g})"
            found[e.template] = (e.value if median is None else min(e.value, median)), shown
    return found


def _agreement_of(estimates: Sequence[Estimate], judged: Estimate) -> Estimate | None:
    """Return the agreement between the prompts that the judged rate averages."""
    name = PROMPT_AGREEMENT + (PUBLISHED_PROMPTS if judged.name.endswith(PUBLISHED_PROMPTS) else "")
    return estimate_like(judged, estimates, name) if judged.template is None else None


def least_agreement(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return the lower end of the agreement between the prompts that the judged rate averages; None if n is small."""
    found = _agreement_of(estimates, judged)
    return None if found is None or found.n < FEWEST_SENTENCES else found.low


def _describe_agreement(estimates: Sequence[Estimate], judged: Estimate) -> str:
    e = _agreement_of(estimates, judged)
    if e is None:
        return ""
    shown = f"{e.value:.2f} (95 % interval {e.low:.2f} to {e.high:.2f})"
    return f"the correlation between prompts on single sentences is {shown}, not reliably above 0"


#: an untrained model assigns two out of fifty thousand words a mass of 0.00004
PROBABILITY_MASS = ValidityCondition(
    "the probability mass of the two words (the smaller of mean and median)",
    LOW_MASS,
    "the model hardly ever writes either word, so their ratio says little about its output",
    best_mass,
)
PROMPTS_AGREE = ValidityCondition(
    "the lower end of the agreement between prompts on single sentences",
    0.0,
    "answers that depend on the wording of the prompt are not about the sentence",
    least_agreement,
    words=_describe_agreement,
)
CONDITIONS = (COVERAGE, RESPONDS, PROMPTS_AGREE, BETTER_THAN_CHANCE, PROBABILITY_MASS)
