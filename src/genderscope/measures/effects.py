"""Effect sizes: the smallest effect of interest, and how much an estimate typically varies."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Margin:
    """The smallest effect of interest: how far from its neutral point an estimate must lie to matter."""

    #: a distance from the neutral point, or a factor above 1 for a ratio
    size: float
    factor: bool = False
    #: the largest possible distance; None if unbounded
    most: float | None = None

    @property
    def distance(self) -> float:
        """The distance from neutral, on the log scale for a ratio."""
        return math.log(self.size) if self.factor else self.size

    def __str__(self) -> str:
        return f"a factor of {self.size:.4g}" if self.factor else f"{self.size:.4g}"


@dataclass(frozen=True, slots=True)
class Spread:
    """How much a leading estimate varies: its standard error over n samples is `size` over the square root of n."""

    size: float
    #: the source of the size, in words
    source: str
    #: the number of samples it was computed from
    samples: int
    #: how many samples the released data has
    full: int | None = None
    #: how many strata, such as stereotypes, the samples are divided into
    strata: int = 1
    #: degrees of freedom of the size, if it was estimated from a pilot
    freedom: float | None = None
