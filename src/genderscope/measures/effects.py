"""How much an estimate typically varies, for planning."""

from dataclasses import dataclass


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
