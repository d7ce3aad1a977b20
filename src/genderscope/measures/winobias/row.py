"""The row of one answer."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class WinoBiasRow:
    """A sentence; `log_ratio` is log P(male pronoun) - log P(female pronoun), positive for masculine."""

    sample: int
    subset: str
    line: int
    sentence: str
    occupation: str
    gender: str
    log_ratio: float | None
    mass: float | None
    note: str | None
    unread: str | None
