"""The reading of a text: the speaker's gender, its status, and the words that show it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Gender = Literal["masculine", "feminine"]
Status = Literal["read", "neutral", "conflict"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """One word that shows a gender: ``text[start:end] == word`` in the text that was read."""

    word: str
    start: int
    end: int
    gender: Gender
    rule: str
    weight: int


@dataclass(frozen=True, slots=True)
class Reading:
    """The speaker's gender in one text, with all the evidence it rests on."""

    gender: Gender | None
    status: Status
    evidence: tuple[Evidence, ...] = ()


NEUTRAL = Reading(None, "neutral")


def weigh(evidence: Iterable[Evidence]) -> Reading:
    """Return the reading of the strongest evidence; a conflict if that is of both genders."""
    ordered = tuple(sorted(set(evidence), key=lambda item: (item.start, -item.weight, item.rule)))
    if not ordered:
        return NEUTRAL
    strongest = max(item.weight for item in ordered)
    genders = {item.gender for item in ordered if item.weight == strongest}
    if len(genders) == 2:
        return Reading(None, "conflict", ordered)
    return Reading(genders.pop(), "read", ordered)
