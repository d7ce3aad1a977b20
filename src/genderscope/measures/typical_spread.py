"""Typical variability of estimates, for power analysis."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spread:
    """The variability of a leading estimate: its standard error over n samples is `size` / √n."""

    size: float
    #: where the size comes from, in words
    source: str
    #: number of samples that the size was computed from
    samples: int
    #: number of samples in the released data
    full: int | None = None
    #: number of strata, such as stereotypes, that the samples are divided into
    strata: int = 1
    #: degrees of freedom of the size, if estimated from a pilot
    freedom: float | None = None
