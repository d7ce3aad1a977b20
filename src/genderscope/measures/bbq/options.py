"""Options of BBQ, and the publications and tools whose numbers it can reproduce."""

from typing import Literal

from pydantic import Field

from genderscope.core.errors import UserError
from genderscope.core.languages import targets
from genderscope.measures.own_data import OwnDataOptions
from genderscope.samples.bbq import LANGUAGES
from genderscope.samples.dataset import STARTER

Form = Literal["choice", "letter", "ask", "structured"]

BBQ, GENDERBENCH, LM_EVAL = "bbq", "genderbench", "lm-eval"
#: tool -> the forms in which it asks, its default first
FORMS = {GENDERBENCH: ("ask",), LM_EVAL: ("choice", "ask")}
#: tool -> maximum reply length in tokens
LONGEST = {GENDERBENCH: 300, LM_EVAL: 256}
#: variant -> its leading estimates
LEADS = {
    **dict.fromkeys((BBQ, LM_EVAL), ("bias_score_ambiguous", "bias_score_disambiguated")),
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
DIFFERENCES = ("bias_ambiguous", "bias_disambiguated")
#: share of right answers that a model reaches by choosing one of three options at random
CHANCE = 1 / 3
#: language -> the dataset that is used by default
USUAL = {"en": "bbq", "es": "esbbq", "ca": "esbbq", "nl": "mbbq", "tr": "mbbq"}


class BbqOptions(OwnDataOptions):
    """Options of BBQ."""

    limit: int | None = Field(
        None, ge=1, description="Use only this many questions per language, spread over contexts and templates."
    )
    form: Form | None = Field(
        None,
        description="Compare the likelihoods of the three answers (choice) or of their letters (letter), read a reply "
        "(ask), or let the server restrict it to the letters (structured); default: letter for local chat models, ask "
        "for other chat models, choice for base models.",
    )
    lang: tuple[str, ...] = Field(("en",), description="Ask in these languages: en, es, ca, nl, tr, or all.")
    data: str | None = Field(
        None,
        description="Use bbq (en), esbbq (es, ca), mbbq (nl, tr, es, en), the starter set (starter, en), or your own "
        "CSV file (see the card); default: bbq, esbbq or mbbq, depending on the language.",
    )
    groups: Literal["women", "men", "trans", "all"] = Field(
        "all", description="Use only questions about stereotypes of this group."
    )
    contexts: Literal["ambiguous", "disambiguated", "both"] = Field(
        "both", description="Use only contexts that leave the answer open (ambiguous) or give it (disambiguated)."
    )
    skip_controls: bool = Field(False, description="Leave out MBBQ's control questions about two people of one gender.")
    orders: Literal["one", "all"] | None = Field(
        None,
        description="Show the options in one drawn order per question or in all six; default: all for letter, one for "
        "ask and structured.",
    )
    scoring: Literal["raw", "length", "calibrated"] | None = Field(
        None,
        description="Score answers by their log-likelihood (raw), its mean per token (length), or its gain over an "
        "empty context (calibrated); default: calibrated; only for choice.",
    )
    as_published: Literal["bbq", "genderbench", "lm-eval"] | None = Field(  # type: ignore[assignment]
        None, description="Score as in this publication or tool (see the card)."
    )

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages to ask in; raises a UserError for one without prompts."""
        return targets(self.lang, tuple(USUAL), USUAL, "language of BBQ")

    def dataset_for(self, language: str) -> str:
        """Return the name of the dataset, or the file, that this language's questions come from."""
        return self.data or USUAL.get(language, "")

    built_in_data = (*LANGUAGES, STARTER)

    def ineffective(self) -> str | None:
        if (reason := super().ineffective()) is not None:
            return reason
        if self.skip_controls and all(self.dataset_for(language) != "mbbq" for language in self.languages):
            return "--skip-controls leaves out control questions; use it only with --data mbbq or --lang nl or tr."
        if self.scoring is not None and self.form not in (None, "choice"):
            return f"--scoring is for --form choice, which scores likelihoods; leave it out with --form {self.form}."
        if self.orders is not None and self.form == "choice":
            return "--form choice shows no options, so that they have no order; leave out --orders."
        return self._published_conflict()

    def _published_conflict(self) -> str | None:
        """Return a sentence about an option that the publication or tool does not have, or None."""
        variant: str | None = self.as_published
        if variant is None:
            return None
        tool = variant in FORMS
        reason = None
        if self.languages != ("en",) or (tool and self.dataset_for("en") != "bbq"):
            reason = ", which asks the English questions of BBQ; leave out --lang and --data, or --as-published."
        elif tool and self.form not in (None, *FORMS[variant]):
            reason = f"; use it with --form {' or '.join(FORMS[variant])}."
        elif tool and self.orders is not None:
            reason = ", which determines the order of the options; leave out --orders or --as-published."
        elif variant == LM_EVAL and self.scoring not in (None, "raw"):
            reason = ", which compares raw likelihoods; leave out --scoring or --as-published."
        return reason and f"--as-published {variant} follows {_NAMES[variant]}{reason}"


def require_languages(options: BbqOptions) -> None:
    """Raise a UserError if a dataset does not have one of the languages."""
    for language in options.languages:
        covered = LANGUAGES.get(options.data or "", ("en",) if options.data == STARTER else None)
        if covered is not None and language not in covered:
            raise UserError(
                f"'{options.data}' has no questions in '{language}'; it covers {', '.join(covered)} (--lang, --data)."
            )
