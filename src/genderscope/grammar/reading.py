"""Result of gender detection: the speaker's gender, the status of the reading, and the supporting words."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Gender = Literal["masculine", "feminine"]
Status = Literal["read", "neutral", "conflict"]
#: rule of the evidence from a form that offers both genders, such as “cansado/a”
BOTH_FORMS = "both forms"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Word that marks gender; ``text[start:end] == word`` in the analysed text."""

    word: str
    start: int
    end: int
    gender: Gender | None  # None: the word offers both genders
    rule: str
    weight: int


@dataclass(frozen=True, slots=True)
class Reading:
    """Speaker's gender in a text, with all evidence for it."""

    gender: Gender | None
    status: Status
    evidence: tuple[Evidence, ...] = ()

    @property
    def status_in_words(self) -> str:
        """The status, and how a text without gender avoids it."""
        offers_both = self.status == "neutral" and any(item.rule == BOTH_FORMS for item in self.evidence)
        return f"{self.status}: {BOTH_FORMS}" if offers_both else self.status


NEUTRAL = Reading(None, "neutral")


def weigh(evidence: Iterable[Evidence]) -> Reading:
    """Return the gender that the strongest evidence supports, or a conflict if it supports both genders."""
    ordered = tuple(sorted(set(evidence), key=lambda item: (item.start, -item.weight, item.rule)))
    if not ordered:
        return NEUTRAL
    strongest = max(item.weight for item in ordered)
    genders = {item.gender for item in ordered if item.weight == strongest}
    if len(genders) == 2:
        return Reading(None, "conflict", ordered)
    gender = genders.pop()
    return Reading(gender, "read" if gender else "neutral", ordered)
