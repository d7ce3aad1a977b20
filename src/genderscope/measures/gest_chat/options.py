"""Options of the chat measure."""

from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from genderscope.measures.gest import GestDataOptions
from genderscope.measures.gest_chat.wordings import ENGLISH
from genderscope.samples.controls import NONE
from genderscope.samples.dataset import STARTER

Form = Literal["ask", "structured", "letter", "write"]


class GestChatOptions(GestDataOptions):
    """Options of the chat measure."""

    form: Form = Field(
        "ask",
        description="Read the answer to a three-way question (ask), let the server restrict it to the options "
        "(structured), compare the probabilities of the options' letters (letter), or read the gender of an invented "
        "character (write).",
    )
    lang: str = Field(
        ENGLISH,
        description="Ask in this language; sentences in languages other than en come from EuroGEST, in be and sr from "
        "GEST's translations.",
    )
    paraphrases: int | None = Field(None, ge=1, description="Use this many built-in wordings instead of one.")
    prompts: str | None = Field(
        None,
        description="Read wordings from a CSV file with the columns text (with {sentence}), women, men and neither.",
    )
    controls: str | None = Field(
        None,
        description="Use your own controls from a CSV file with the columns male,female (sentences said by a man and "
        "by a woman), or 'none'.",
    )
    draws: int | None = Field(
        None, ge=1, description="Ask every prompt this many times instead of once, with independent seeds."
    )
    judge: str | None = Field(
        None,
        description="Have a chat model (any model string) read the replies too, and report how far it agrees with the "
        "rules, which all rates still use.",
    )

    def ineffective(self) -> str | None:
        if self.paraphrases is not None and self.prompts is not None:
            return "--paraphrases uses the built-in wordings, which --prompts replaces; leave out one of the two."
        if (reason := self._without_replies()) is not None:
            return reason
        if self.lang != ENGLISH and self.data_version is not None:
            return "--data-version applies only to the English sentences; leave out --data-version or --lang."
        if self.lang != ENGLISH and self.data == STARTER:
            return "The starter set is in English; leave out --lang, or use --data FILE in that language."
        if self.as_published:
            return self._unpublished()
        return super().ineffective()

    def _without_replies(self) -> str | None:
        """Return a message about an option that needs replies which the form does not have, or None."""
        if self.judge is not None and self.form not in ("ask", "write"):
            return f"--judge reads replies in words, which --form {self.form} does not have; leave out one of the two."
        if self.draws is not None and self.form == "letter":
            return "--draws samples replies, but --form letter reads probabilities; leave out one of the two."
        return None

    def _unpublished(self) -> str | None:
        """Return a message about an option that GenderBench does not support, or None."""
        if self.form in ("structured", "letter"):
            return "--as-published follows GenderBench, which samples free answers; use it with --form ask or write."
        if self.lang != ENGLISH:
            return "--as-published follows GenderBench, which asks in English; leave out --lang or --as-published."
        if self.paraphrases is not None or self.prompts is not None:
            named = "--paraphrases" if self.paraphrases is not None else "--prompts"
            return f"--as-published follows GenderBench, which has one wording; leave out {named} or --as-published."
        if self.draws is not None:
            return "--as-published follows GenderBench, which asks every prompt once; leave out one of the two."
        if self.controls is not None:
            return "--as-published follows GenderBench, which has no controls; leave out one of the two."
        return super().ineffective()

    @model_validator(mode="before")
    @classmethod
    def _newest(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Default to the newest version of GEST, for English only."""
        return values if values.get("lang", ENGLISH) != ENGLISH else GestDataOptions.with_newest(values)

    @field_validator("draws")
    @classmethod
    def _once(cls, draws: int | None) -> int | None:
        """Treat one draw as the default, so that it is the same run."""
        return None if draws == 1 else draws

    @property
    def asks_controls(self) -> bool:
        """Whether controls are asked."""
        return self.controls != NONE
