"""Item scores: what another tool scored, item by item, with intervals over clusters and differences between groups."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Never, Self

from pydantic import Field, field_validator

from genderscope.core.errors import UserError
from genderscope.core.questions import Question
from genderscope.judgement import Lead, Margin, Phrase
from genderscope.measures.base import Leaning, Measure, Options
from genderscope.measures.unread_cautions import coverage_caution
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import Model

NO_MODEL = "'item-scores' reads logs of other tools and asks no model; use: genderscope import LOG"
SHARE = Margin(0.05, most=0.5)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemScoreRow:
    """The score of one item.

    `cluster` names the items that vary together, such as those about one occupation; `group` the people that the item
    is about; `draw` numbers the answers to the same item, from 0. `value` is None if the item was not scored: either
    the answer could not be read (`unread` says why), or it is an `outcome` that does not count.
    """

    sample: int
    item: str
    cluster: str
    group: str | None = None
    draw: int = 0
    value: float | None = None
    outcome: str | None = None
    text: str | None = None
    reply: str | None = None
    unread: str | None = None


class ItemScores(Measure[ItemScoreOptions, Any, ItemScoreRow]):
    """Scores of items from another tool's log."""

    id = "item-scores"
    title = "Item scores: results of another tool, with intervals over clusters and differences between groups"
    citation = "Cite the tool that made the log, and the paper behind its task."
    asks: frozenset[type[Question]] = frozenset()  # type: ignore[misc]
    options_type = ItemScoreOptions
    row_type = ItemScoreRow
    headline = ("difference", "share_above", "mean")
    analysis = "genderscope.measures.item_scores.scores"
    row_key = ("item", "group", "draw")

    def __init__(self, options: ItemScoreOptions, model: "Model") -> None:
        raise UserError(NO_MODEL)

    @classmethod
    def for_rows(cls, options: ItemScoreOptions) -> Self:
        measure = cls.__new__(cls)
        measure.options, measure.samples = options, ()
        return measure

    def data(self) -> dict[str, Any]:
        raise UserError(NO_MODEL)

    def settings(self) -> dict[str, str]:
        raise UserError(NO_MODEL)

    def ask(self, sample: Any) -> Never:
        raise UserError(NO_MODEL)

    def read(self, sample: Any, answers: Sequence[Any]) -> Iterable[ItemScoreRow]:
        raise UserError(NO_MODEL)

    def estimates(self, rows: "pd.DataFrame") -> list[Estimate]:
        from genderscope.measures.item_scores.scores import parts

        return [part.estimate for part in parts(rows, self.options)]

    @classmethod
    def answered(cls, rows: "pd.DataFrame", options: ItemScoreOptions) -> "pd.Series[bool]":
        return rows["value"].notna()

    @classmethod
    def leads(cls, estimates: Sequence[Estimate], options: ItemScoreOptions) -> list[Lead]:
        """Return the difference between the groups or, without one, the first estimate with a neutral point."""
        overall = [e for name in cls.headline for e in estimates if e.name == name and not e.keys]
        return [Lead(e) for e in overall if e.neutral is not None][:1] or [Lead(e) for e in overall[:1]]

    @classmethod
    def margin(cls, estimate: Estimate, options: Any) -> Margin | None:
        if options.margin is not None and estimate.name == next(iter(cls.headline)):
            return Margin(options.margin)
        is_share = options.scale == "share" or estimate.name == "share_above"
        return SHARE if is_share and estimate.neutral is not None else None

    @classmethod
    def leaning(cls, estimate: Estimate) -> Leaning:
        return Leaning("above neutral", "below neutral")

    @classmethod
    def phrase(cls, estimate: Estimate, options: ItemScoreOptions) -> Phrase | None:
        about = f"{options.meaning[:1].upper()}{options.meaning[1:]}"
        if estimate.name == "difference":
            first, second = options.contrast
            return Phrase(
                f"{about} is {{}} higher for {first} than for {second}",
                f"{about} is {{}} lower for {first} than for {second}",
                f"{about} is the same for {first} and {second}",
                unit="items",
            )
        if estimate.name == "share_above":
            return Phrase(f"{about} is above {options.neutral:g} in {{percent}} of the items", unit="items")
        return (
            Phrase(f"{about} is {{}} on average", unit="items")
            if options.scale == "score"
            else Phrase(f"{about} is {{percent}} on average", unit="items")
        )

    def cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> list[str]:
        return [*coverage_caution(rows, "items", "read"), *_alone(rows)]


def _alone(rows: "pd.DataFrame") -> list[str]:
    """Return a caveat if no two items share a cluster, so that the intervals treat them as independent."""
    items: Mapping[str, str] = dict(zip(rows["item"], rows["cluster"], strict=True))
    if len(set(items.values())) < len(items):
        return []
    return ["The log does not say which items belong together, so the intervals treat them as independent."]
