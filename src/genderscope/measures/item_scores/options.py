"""Options of item scores, which describe the scale of the values."""

import math
from typing import Any, Literal

from pydantic import Field, field_validator

from genderscope.measures.base import Options


class ItemScoreOptions(Options):
    """What the values mean."""

    meaning: str = Field("the score", description="Describe what is averaged, as a noun phrase.")
    scale: Literal["share", "score"] = Field(
        "score", description="Values are between 0 and 1, such as right or wrong (share), or any numbers (score)."
    )
    neutral: float | None = Field(
        None, description="Value without bias; none if the mean itself says nothing about it."
    )
    contrast: tuple[str, ...] = Field((), description="Compare these two groups: the first minus the second.")

    @field_validator("contrast")
    @classmethod
    def _two(cls, contrast: tuple[str, ...]) -> tuple[str, ...]:
        if len(contrast) not in (0, 2) or len(set(contrast)) != len(contrast):
            raise ValueError("give two different groups")
        return contrast

    @field_validator("neutral")
    @classmethod
    def _finite(cls, neutral: float | None) -> Any:
        if neutral is not None and not math.isfinite(neutral):
            raise ValueError("give a finite number")
        return neutral
