"""Options of the EuroGEST measure."""

from typing import Literal

from pydantic import Field

from genderscope.measures.control_options import ControlOptions
from genderscope.measures.own_data import OwnDataOptions


class EuroGestOptions(OwnDataOptions, ControlOptions):
    """Options of the EuroGEST measure."""

    limit: int | None = Field(
        None, ge=1, description="Use only this many samples per language, spread over conditions and stereotypes."
    )
    lang: tuple[str, ...] = Field(("all",), description="Use these languages, e.g. sk,fr,fi, or all.")
    condition: tuple[str, ...] = Field(
        (),
        description="Use gendered pairs (gendered), or neutral sentences with a pronoun, a noun, or a pronoun if it is "
        "gendered and otherwise a noun (scaffold); default: gendered,scaffold.",
    )
    pairs: Literal["speaker", "all"] | None = Field(
        None, description="Use gendered pairs about the speaker (default), or all released pairs."
    )
    common: bool = Field(False, description="Use only sentences available in all chosen languages.")
    data: str | None = Field(
        None, description="Read your own pairs from a CSV file with the columns language,male,female,stereotype."
    )
    scale: Literal["ratio", "log"] = Field("ratio", description="Report ratios (neutral 1) or log-ratios (neutral 0).")
    as_published: Literal["2025", "2026"] | None = Field(  # type: ignore[assignment]
        None, description="Score as the authors did in this year (see the card)."
    )

    def ineffective(self) -> str | None:
        if (reason := super().ineffective()) is not None:
            return reason
        if self.as_published and self.scale == "log":
            return "The authors' scores are probability shares; leave out --scale log or --as-published."
        if self.as_published and self.pairs == "speaker":
            return "The authors used all pairs; leave out --pairs speaker or --as-published."
        if self.as_published and self.pairs == "all":
            return "The authors used all pairs, so --pairs all has no effect with --as-published; leave it out."
        if self.data is not None:
            for name in ("pairs", "common", "condition"):
                if getattr(self, name):
                    return f"--{name} chooses among EuroGEST's own sentences; leave out --data or --{name}."
        return super().ineffective()
