"""The row of one answer."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GestRow:
    """A sentence in a template; `log_ratio` is log P(male word) - log P(female word), positive for masculine."""

    sample: int
    sentence: str
    stereotype: int
    family: bool
    template: int
    log_ratio: float | None
    mass: float | None
    note: str | None
    unread: str | None
