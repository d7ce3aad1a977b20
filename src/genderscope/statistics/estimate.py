"""An estimate: a value with its interval, its sample size and the point that would mean no bias."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """One number of a result. `keys` says what it is for; a key that is absent means the estimate spans all."""

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
    group: str | None = None
