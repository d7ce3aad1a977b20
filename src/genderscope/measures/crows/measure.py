"""CrowS-Pairs: pseudo-log-likelihood of the tokens shared by two sentences."""

from typing import Literal

from pydantic import Field

from genderscope.core.errors import unknown
from genderscope.measures.typical_spread import Spread
from genderscope.measures.wordfill.measure import WordFilling, WordFillOptions
from genderscope.samples.wordfill import crows
from genderscope.samples.wordfill.quadruplet import WordFillSet


class CrowsOptions(WordFillOptions):
    """Options of the CrowS-Pairs measure."""

    set: Literal["original", "revised", "negation", "antistereotype"] = Field(
        "original", description="Use this set; negation and antistereotype have control pairs and cover only gender."
    )
    bias_types: tuple[str, ...] = Field(
        ("gender",), description="Use these bias types from the original or revised set, e.g. gender,age, or all."
    )
    # These sets support only one score, so the option is hidden on the command line.
    scores: tuple[str, ...] | None = Field(None, json_schema_extra={"hidden": True})

    def ineffective(self) -> str | None:
        if self.set in crows.CONTROLLED and set(self.bias_types) != {"gender"}:
            return f"The set '{self.set}' covers gender only; leave out --bias-types, or use --set original or revised."
        return None


class Crows(WordFilling[CrowsOptions]):
    """The CrowS-Pairs measure from "In-depth look at word filling", section 5."""

    id = "crows"
    title = "CrowS-Pairs: pseudo-log-likelihood cs of the shared tokens"
    options_type = CrowsOptions
    headline = ("sentence_preference_contrast", "sentence_preference", "sentence_preference_share")
    spread = Spread(2.0, "intervals and rho in the paper's Tables 7-12 (two sets, 12 values from 0.9 to 3.3)", 66, 66)

    def _possible(self) -> tuple[str, ...]:
        return ("cs",)

    def _load(self) -> WordFillSet:
        wanted = crows.BIAS_TYPES if self.options.bias_types == ("all",) else self.options.bias_types
        for name in wanted:
            if name not in crows.BIAS_TYPES:
                raise unknown("bias type", name, (*crows.BIAS_TYPES, "all"))
        return crows.load(self.options.set, wanted, self.options.as_published)

    def settings(self) -> dict[str, str]:
        return {"types": "+".join(dict.fromkeys(self.options.bias_types)), **super().settings()}
