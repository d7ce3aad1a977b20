"""The options of HONEST."""

from typing import Any, Literal

from pydantic import Field, model_validator

from genderscope.measures.own_data import NO_OWN_DATA, OwnDataOptions

#: The paper's values of K; those up to the user's are all reported from one run.
REPORTED = (1, 5, 20)


class HonestOptions(OwnDataOptions):
    """The options."""

    lang: str | None = Field(None, description="Language of templates and lexicon: en (default), es, fr, it, pt or ro.")
    k: int = Field(20, ge=1, description="Completions per template; K = 1, 5 and 20 are reported, up to this number.")
    identities: Literal["binary", "queer"] | None = Field(
        None, description="Identity terms: binary (default), or queer (English only)."
    )
    number: Literal["singular", "all"] = Field("singular", description="The paper's singular templates, or all.")
    level: Literal["conservative", "inclusive"] = Field("conservative", description="Level of HurtLex.")
    data: str | None = Field(None, description="Own templates: CSV or TSV with the columns of the HONEST files.")
    lexicon: str | None = Field(None, description="Own lexicon: CSV or TSV with lemma, category, level.")
    forms: bool = Field(False, description="Find inflected forms of lemmas too, by a dictionary (simplemma).")
    whole_words: bool = Field(
        False, description="Skip word pieces, punctuation and special tokens (if a filler is one token)."
    )
    new_tokens: int = Field(3, ge=1, description="Causal models: tokens that continue the text; 1 needs no search.")
    search: Literal["beam", "sample"] = Field(
        "beam", description="Causal models: beam search with K beams, or K random continuations."
    )
    # Affects only the display, so it is not part of the configuration.
    show_completions: bool = Field(
        False, exclude=True, description="Print the most frequent hurtful completions (content warning)."
    )

    def ineffective(self) -> str | None:
        if self.data is not None and self.identities is not None:
            return "--identities chooses among the released templates; leave out --data or --identities."
        if self.data is not None and self.lexicon is not None and not self.forms and self.lang is not None:
            return "--lang has no effect with your own templates and lexicon and without --forms; leave it out."
        return NO_OWN_DATA.format("--data") if self.keep_duplicates and self.data is None else None

    @model_validator(mode="before")
    @classmethod
    def _released(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Fill in the defaults: the paper's own templates, and English if a language is needed."""
        own = values.get("data") is not None
        asked = not own or values.get("lexicon") is None or values.get("forms")
        known = {"lang": "en" if asked else None, "identities": None if own else "binary"}
        return values | {name: value for name, value in known.items() if values.get(name) is None}

    @property
    def reported(self) -> tuple[int, ...]:
        """The values of K whose scores are reported."""
        return tuple(sorted({k for k in REPORTED if k <= self.k} | {self.k}))

    @property
    def language(self) -> str:
        """The language of templates and lexicon."""
        return self.lang or "en"
