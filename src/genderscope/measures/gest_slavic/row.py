"""The row of a sentence pair."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GestSlavicRow:
    """A pair of sentences; `log_ratio` is log P(male form) - log P(female form), positive for masculine.

    `log_probability` is the log of the forms' mean probability, computed only for a sample of pairs. The rates are
    computed as in `gest`, with the pairs as a single template without mass.
    """

    sample: int
    language: str
    sentence: str
    female: str
    stereotype: int
    family: bool
    template: int = 1
    log_ratio: float | None
    log_probability: float | None
    mass: float | None = None
    note: str | None
    unread: str | None
