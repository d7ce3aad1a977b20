"""An estimate: a value with its interval, its sample size and the point that would mean no bias."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """One number of a result. `keys` says what it is for; a key that is absent means the estimate spans all.

    `low` and `high` answer how far the value would move with other samples of the same stereotypes and templates;
    `wide_low` and `wide_high`, where a measure gives them, with other stereotypes (occupations) and templates too.
    `remark` says why there is no value, no interval or no neutral point where one is missing. `p` is the p-value of the
    test that the value differs from its neutral point, where the measure makes one.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    unread: int
    neutral: float | None
    method: str
    stereotype: int | None = None
    template: int | None = None
    language: str | None = None
    subset: str | None = None
    category: str | None = None
    group: str | None = None
    p: float | None = None
    wide_low: float | None = None
    wide_high: float | None = None
    remark: str | None = None

    @property
    def scope(self) -> str:
        """What the estimate is for, in words; empty where it spans all."""
        parts = [self.language, self.subset, self.category, self.group]
        parts += [f"template {self.template}" if self.template else None]
        return ", ".join(part for part in parts if part)

    @property
    def spans(self) -> int:
        """How many keys narrow the estimate down; 0 where it spans all."""
        return sum(getattr(self, key) is not None for key in KEYS)


#: the fields that say what an estimate is for
KEYS = ("stereotype", "template", "language", "subset", "category", "group")
