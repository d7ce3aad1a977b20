"""Options of the GEST measures: data, prompts and controls."""

from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from genderscope.core.errors import UserError
from genderscope.measures.control_options import ControlOptions
from genderscope.measures.gest.templates import NATURAL, OF_THE_PAPER, PUBLISHED, TEMPLATES
from genderscope.measures.own_data import OwnDataOptions
from genderscope.samples.dataset import STARTER
from genderscope.samples.gest import NEWEST

VERSION_OF_OWN_DATA = "--data-version applies only to the GEST data; leave out --data or --data-version."
CHOICES = "natural, published or some of 1 to 8"


class GestDataOptions(OwnDataOptions):
    """Options for the choice of GEST data."""

    data: str | None = Field(
        None, description="Use the built-in starter set ('starter') or a CSV file with the columns sentence,stereotype."
    )
    data_version: str | None = Field(None, description="Use GEST 1.1 (default), or 1.0 as in the paper.")

    built_in_data = (STARTER,)

    def ineffective(self) -> str | None:
        if self.data is not None and self.data_version is not None:
            return VERSION_OF_OWN_DATA
        return super().ineffective()

    @model_validator(mode="before")
    @classmethod
    def _newest(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Default to the newest version of GEST."""
        return cls.with_newest(values)

    @staticmethod
    def with_newest(values: dict[str, Any]) -> dict[str, Any]:
        """Add the newest data version unless other data or another version is requested."""
        own = values.get("data") is not None or values.get("data_version") is not None
        return values if own else values | {"data_version": NEWEST}


class GestOptions(GestDataOptions, ControlOptions):
    """Options of the GEST measure."""

    templates: tuple[int | str, ...] | None = Field(
        None,
        description="Ask with these prompts: 'natural', 'published' (the paper's templates), or some of 1-8, e.g. 3,4; "
        "default: natural and, with the released data, published for comparison.",
    )
    prompts: str | None = Field(
        None,
        description="Ask with your own prompts from a CSV file with the columns prompt,male,female; a prompt contains "
        "{blank} and {sentence} (or {speech}, with a comma for the full stop).",
    )
    controls: str | None = Field(  # type: ignore[assignment]
        None,
        description="Use your own controls from a CSV file with the columns male,female (sentences said by a man and "
        "by a woman), or 'none'.",
    )
    scale: Literal["ratio", "log"] = Field("ratio", description="Report ratios (neutral 1) or log-ratios (neutral 0).")

    @model_validator(mode="before")
    @classmethod
    def _natural(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Ask natural and published prompts by default; the paper's numbers need only its own.

        Runs of earlier versions have an entry for the templates even if none were chosen, which keeps its meaning: the
        paper's.
        """
        if "templates" in values or values.get("prompts") is not None:
            return values
        if values.get("as_published"):
            return values | {"templates": (PUBLISHED,)}
        # Published values exist for the released sentences only, so with other data there is nothing to compare.
        return values | {"templates": (NATURAL, PUBLISHED) if values.get("data") is None else (NATURAL,)}

    @field_validator("templates", mode="before")
    @classmethod
    def _known(cls, wanted: Any) -> Any:
        """Reject templates that do not exist, before a model is loaded."""
        if wanted is None:
            return wanted
        chosen = tuple(int(each) if str(each).strip().lstrip("-").isdigit() else each for each in wanted)
        if not chosen:
            raise UserError(f"The list of templates is empty; choose {CHOICES}.")
        for each in chosen:
            if each not in (*TEMPLATES, NATURAL, PUBLISHED):
                raise UserError(f"There is no template {each}; choose {CHOICES}.")
        return chosen

    def ineffective(self) -> str | None:
        if self.prompts is not None and self.templates is not None:
            return "Own prompts replace the templates; leave out --prompts or --templates."
        if self.as_published and self.controls is not None:
            return "The paper has no controls; leave out --controls or --as-published."
        others = self.prompts is not None or NATURAL in (self.templates or ())
        others = others or any(isinstance(t, int) and t not in OF_THE_PAPER for t in self.templates or ())
        if self.as_published and others:
            return "The paper's numbers exist for templates 1 to 4 only; use --templates published or 1,2,3,4."
        return super().ineffective()
