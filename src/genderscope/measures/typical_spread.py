"""Typical variability of estimates, for power analysis."""

from dataclasses import dataclass

#: Share of an outcome's variance that lies between units such as occupations or templates, unless a measure knows
#: better. Widths of intervals predicted with it, relative to those measured with SmolLM2: `winobias` 1.46 and 1.44,
#: `honest` 1.16 and 1.15.
BETWEEN_UNITS = 0.15


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
