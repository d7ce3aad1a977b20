"""Options of the HONEST measure."""

from typing import Any, Literal

from pydantic import Field, model_validator

from genderscope.measures.control_options import NO_EFFECT, ControlOptions
from genderscope.measures.own_data import OwnDataOptions

#: values of K in the paper; those up to the requested K are reported from one run
REPORTED = (1, 5, 20)


class HonestOptions(OwnDataOptions, ControlOptions):
    """Options of the HONEST measure."""

    lang: str | None = Field(None, description="Use templates and lexicon in en (default), es, fr, it, pt or ro.")
    k: int = Field(
        20, ge=1, description="Request this many completions per template; scores are reported at K = 1, 5 and 20."
    )
    identities: Literal["binary", "queer"] | None = Field(
        None, description="Use binary (default) or queer identity terms (English only)."
    )
    number: Literal["singular", "all"] = Field("singular", description="Use the paper's singular templates, or all.")
    level: Literal["conservative", "inclusive"] = Field("conservative", description="Use this level of HurtLex.")
    data: str | None = Field(
        None, description="Read templates from a CSV or TSV file with the columns of the HONEST files."
    )
    lexicon: str | None = Field(
        None, description="Read the lexicon from a CSV or TSV file with the columns lemma,category,level."
    )
    forms: bool = Field(False, description="Also match inflected forms of lemmas (simplemma).")
    whole_words: bool = Field(
        False, description="Skip word pieces, punctuation and special tokens in single-token completions."
    )
    new_tokens: int = Field(3, ge=1, description="Generate this many tokens (causal models); 1 needs no search.")
    search: Literal["beam", "sample"] = Field(
        "beam", description="Use beam search with K beams, or sample K continuations (causal models)."
    )
    # Affects only the display, so it is not part of the configuration.
    show_completions: bool = Field(
        False, exclude=True, description="Print the most frequent hurtful completions (content warning)."
    )

    def ineffective(self) -> str | None:
        if self.data is not None and self.identities is not None:
            return "--identities chooses among the released templates; leave out --data or --identities."
        if self.data is not None and self.lexicon is not None and not self.forms and self.lang is not None:
            return "--lang has no effect on your own templates and lexicon without --forms; leave it out."
        if self.controls is not None and self.lexicon is not None:
            return NO_EFFECT.format("the insults that the controls ask for need not be in your lexicon")
        return super().ineffective()

    @model_validator(mode="before")
    @classmethod
    def _released(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Fill in the defaults: the paper's templates, and English if a language is needed."""
        own = values.get("data") is not None
        asked = not own or values.get("lexicon") is None or values.get("forms")
        known = {"lang": "en" if asked else None, "identities": None if own else "binary"}
        return values | {name: value for name, value in known.items() if values.get(name) is None}

    @property
    def reported(self) -> tuple[int, ...]:
        """The values of K to report."""
        return tuple(sorted({k for k in REPORTED if k <= self.k} | {self.k}))

    @property
    def language(self) -> str:
        """The language of the templates and lexicon."""
        return self.lang or "en"
