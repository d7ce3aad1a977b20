"""Typical variability of estimates, for power analysis."""

from collections.abc import Collection
from dataclasses import dataclass

#: Share of an outcome's variance that lies between units such as occupations or templates, unless a measure knows
#: better. Widths of intervals predicted with it, relative to those measured with SmolLM2: `winobias` 1.46 and 1.44,
#: `honest` 1.16 and 1.15.
BETWEEN_UNITS = 0.15
#: source of a standard deviation that was computed from this share
ASSUMED = f"the assumption that {100 * BETWEEN_UNITS:.0f} % of the variance lies between them; a pilot run is better"
#: source of a standard deviation, if no released data tell it
SMOLLM2 = "a run of SmolLM2"


@dataclass(frozen=True, slots=True)
class Between:
    """How much units such as stereotypes differ: the part of an estimate's variance that more samples do not reduce."""

    #: the units, in the plural
    noun: str
    #: standard deviation between units
    sd: float
    #: where it comes from, in words
    source: str
    #: effective numbers of units in the released data; several for the sides of a difference
    counts: tuple[float, ...]
    #: column that names a row's unit; None if the influences of a run do
    column: str | None = None
    #: labels of the units on the second side of a difference
    second_side: Collection[object] = ()
    #: column of the two sides of a difference that every unit is on
    sides: str | None = None
    #: factor from the mean of the rows' outcomes on a side to the estimate
    scale: float = 1.0

    @property
    def count(self) -> int:
        """The number of units."""
        return round(sum(self.counts))


def stereotypes(sd: float, source: str) -> Between:
    """Return how much the stereotypes of GEST differ, on each side of the stereotype rate."""
    from genderscope.samples.gest import FEMALE, MALE

    return Between("stereotypes", sd, source, (len(MALE), len(FEMALE)), "stereotype", second_side=FEMALE)


@dataclass(frozen=True, slots=True)
class Spread:
    """The variability of a leading estimate: its variance over n samples is `size`² / n, plus that between units."""

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
    #: kinds of units that the verdict generalises to
    between: tuple[Between, ...] = ()
    #: whether samples are crossed with these units, or nested in one kind of them
    crossed: bool = False
    #: whether only the wide interval generalises to them; otherwise, all intervals do
    wide: bool = True
