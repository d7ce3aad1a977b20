"""What must hold before GEST's rates mean something: the model responds to known answers, and repeats itself."""

from collections.abc import Sequence
from dataclasses import replace

from genderscope.judgement import CONTROL, COVERAGE, Retry, ValidityCondition, estimate_like
from genderscope.measures.competence import BETTER_THAN_CHANCE
from genderscope.measures.controls import RESPONDS, least_response
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
    by_template = masses(estimates).items()
    return max((least for template, (least, _) in by_template if judged.template in {None, template}), default=None)


def masses(estimates: Sequence[Estimate]) -> dict[int | None, tuple[float, str]]:
    """Template -> combined probability of its two words: the smaller of mean and median, and both as text."""
    medians = {e.template: e.value for e in estimates if e.name == "mass_median"}
    by_template = {}
    for e in estimates:
        if e.name == "mass" and e.value is not None:
            median = medians.get(e.template)
            shown = f"{e.value:.2g}" if median is None else f"{e.value:.2g} (median {median:.2g})"
            by_template[e.template] = (e.value if median is None else min(e.value, median)), shown
    return by_template


def least_agreement(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return the lower end of the agreement between the prompts that the judged rate averages; None if n is small."""
    agreement = _agreement(estimates, judged)
    return None if agreement is None or agreement.n < FEWEST_SENTENCES else agreement.low


def response(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return how far the control lies above chance, asked with the prompts that the judged rate averages."""
    if not judged.name.endswith(PUBLISHED_PROMPTS):
        return least_response(estimates, judged)
    apart = [e for e in estimates if e.name == CONTROL + PUBLISHED_PROMPTS]
    return least_response([replace(e, name=CONTROL) for e in apart], judged)


def _agreement(estimates: Sequence[Estimate], judged: Estimate) -> Estimate | None:
    name = PROMPT_AGREEMENT + (PUBLISHED_PROMPTS if judged.name.endswith(PUBLISHED_PROMPTS) else "")
    return estimate_like(judged, estimates, name) if judged.template is None else None


def _describe_agreement(estimates: Sequence[Estimate], judged: Estimate) -> str:
    agreement = _agreement(estimates, judged)
    interval = (
        ""
        if agreement is None or agreement.high is None
        else f" (agreement {agreement.low:.2f} to {agreement.high:.2f}; 0 is none)"
    )
    return f"the same sentence gets unrelated answers when the prompt is worded differently{interval}"


#: the natural prompts with controls, which are the default
USUAL_PROMPTS = Retry(
    "Use natural prompts and texts with known answers",
    {"templates": None, "prompts": None, "controls": None, "as_published": None},
)
#: an untrained model assigns two out of fifty thousand words a mass of 0.00004
PROBABILITY_MASS = ValidityCondition(
    "the probability mass of the two words (the smaller of mean and median)",
    LOW_MASS,
    "their ratio says little about what the model writes",
    best_mass,
    words="the model hardly ever writes either of the two words in question (together {share} of the probability; at "
    "least {needed} is needed)",
    retries=(USUAL_PROMPTS,),
)
PROMPTS_AGREE = ValidityCondition(
    "the lower end of the agreement between prompts on single sentences",
    0.0,
    "its answers are not about the sentence",
    least_agreement,
    words=_describe_agreement,
    retries=(USUAL_PROMPTS,),
    needs_samples=True,
)
GEST_RESPONDS = replace(RESPONDS, read=response, retries=(USUAL_PROMPTS,))
CONDITIONS = (COVERAGE, GEST_RESPONDS, PROMPTS_AGREE, BETTER_THAN_CHANCE, PROBABILITY_MASS)
