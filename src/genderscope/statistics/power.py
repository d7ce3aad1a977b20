"""Power analysis: required sample sizes and smallest detectable effects, for the interval that a verdict uses.

The variance of an estimate is τ² / units + σ² / n: units (stereotypes, templates, occupations) differ by their standard
deviation τ, and n samples by σ. More samples reduce only the second term. The interval is Student's t with the degrees
of freedom of its units, whose variance a study estimates as well; the power is therefore averaged over the variances
that a study may observe. Three kinds of intervals differ in how they estimate the variance:

    samples alone       σ² / n, with n - strata degrees of freedom
    nested units        the variance over units, which includes that over samples; for wide intervals at least σ² / n
    crossed units       σ² / n plus, for each kind of unit, the excess of its variance (`cluster_variance.together`)

A pilot only estimates τ and σ. The power is averaged over the values of σ that a pilot leaves possible; for τ, the
pilot's estimate is used. In simulations, the nominal 80 % is then realised within 5 points on average over pilots, for
units that are alike and for those that differ (`benchmarks/simulated/power.py`).
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

LEVEL = 0.05
POWERS = (0.8, 0.9)
#: degrees of freedom of a known variance
KNOWN = 1e9
#: a sample size at which only the units matter
UNLIMITED = 10**15
#: number of quadrature points for averaging over variances
_POINTS = 500
#: most units that are suggested
_MOST_UNITS = 100_000


@dataclass(frozen=True, slots=True)
class Units:
    """A kind of unit, such as stereotypes: their numbers on the sides of a difference, and how much they differ."""

    #: effective numbers of units; several for the sides of a difference
    counts: tuple[float, ...]
    #: standard deviation between units
    sd: float
    #: variance of a pilot's estimate over these units, and its degrees of freedom
    observed: float | None = None
    freedom: float = KNOWN

    @property
    def share(self) -> float:
        """The variance of the estimate for a standard deviation of 1 between units."""
        return sum(1 / count for count in self.counts)

    def times(self, factor: float) -> "Units":
        """Return more units of this kind."""
        return replace(self, counts=tuple(count * factor for count in self.counts))


@dataclass(frozen=True)
class Precision:
    """What determines an estimate's variance and how its interval estimates it."""

    #: standard deviation between samples: the variance over n samples is spread² / n
    spread: float
    #: degrees of freedom of the spread, if estimated from a pilot, and the pilot's number of samples
    freedom: float = KNOWN
    pilot: int | None = None
    strata: int = 1
    units: tuple[Units, ...] = ()
    #: whether samples and units are crossed, or samples nested in one kind of unit
    crossed: bool = False
    #: whether an interval over nested units is at least as wide as that over samples
    floored: bool = False

    @property
    def fewest(self) -> int:
        """The minimum sample size for an interval: at least 4, and at least two per stratum."""
        return max(4, 2 * self.strata)

    def times(self, factor: float) -> "Precision":
        """Return the precision with more units of each kind."""
        return replace(self, units=tuple(kind.times(factor) for kind in self.units))

    def at(self, place: float) -> "Precision":
        """Return the precision at a quantile of the variances that a pilot leaves possible."""
        relative = float(_relative(self.freedom, np.array([place]))[0])
        units = []
        for kind in self.units:
            sd = kind.sd
            if kind.observed is not None and self.pilot is not None:
                whole = kind.observed * float(_relative(kind.freedom, np.array([place]))[0])
                sd = math.sqrt(max(0.0, whole - self.spread**2 / self.pilot) / kind.share)
            units.append(replace(kind, sd=sd, observed=None, freedom=KNOWN))
        spread = self.spread * math.sqrt(relative)
        return replace(self, spread=spread, freedom=KNOWN, pilot=None, units=tuple(units))

    @cached_property
    def _freedoms(self) -> list[float]:
        """The degrees of freedom of a study's variances: over each kind of crossed units, or on each side."""
        if self.crossed:
            return [sum(kind.counts) - len(kind.counts) for kind in self.units]
        return [count - 1 for kind in self.units for count in kind.counts]

    @cached_property
    def _quantiles(self) -> tuple[Array, list[Array]]:
        """A pilot's true variance over samples, and a study's over units, relative to what they observe."""
        places = _spread_evenly(1 + len(self._freedoms))
        study = [_relative(freedom, place) for freedom, place in zip(self._freedoms, places.T[1:], strict=True)]
        return _relative(self.freedom, places[:, 0]), study

    def errors(self, samples: float) -> tuple[Array, Array]:
        """Return possible standard errors of n samples, and half-widths of the intervals that a study may observe."""
        from scipy import special

        possible, study = self._quantiles
        within = self.spread**2 * possible / samples
        if not self.units:
            freedom = np.full(len(within), max(1.0, samples - self.strata))
            truth = within
            variance = np.asarray(within / _relative(freedom[0], _spread_evenly(2)[:, 1]))
        elif self.crossed:
            truth, variance, freedom = self._crossed(within, study, samples)
        else:
            truth, variance, freedom = self._nested(within, study)
        halves = special.stdtrit(freedom, 1 - LEVEL / 2) * np.sqrt(variance)
        return np.sqrt(truth), np.asarray(halves, dtype=np.float64)

    def _nested(self, within: Array, study: list[Array]) -> tuple[Array, Array, Array]:
        kind = self.units[0]
        truth = kind.sd**2 * kind.share + within
        sides = [
            (truth / count / kind.share / relative, count - 1)
            for count, relative in zip(kind.counts, study, strict=True)
        ]
        variance = sum((side for side, _ in sides), np.zeros(1))
        freedom = variance**2 / sum((side**2 / own for side, own in sides), np.zeros(1))
        return truth, np.maximum(variance, within) if self.floored else variance, freedom

    def _crossed(self, within: Array, study: list[Array], samples: float) -> tuple[Array, Array, Array]:
        truth, variance, spread = within, within, within**2 / max(1.0, samples - self.strata)
        for kind, own, relative in zip(self.units, self._freedoms, study, strict=True):
            added_truth = kind.sd**2 * kind.share
            shown = (added_truth + within) / relative
            added = np.where(shown > within, shown - within, 0.0)
            truth, variance = truth + added_truth, variance + added
            spread = spread + np.where(added > 0, shown**2 / own, 0.0)
        return truth, variance, np.maximum(1.0, variance**2 / spread)


def power_to_detect(effect: float, samples: float, precision: Precision) -> float:
    """Return the probability that the interval excludes the neutral point, on the side of the effect."""
    from scipy import special

    errors, halves = precision.errors(samples)
    return float(special.ndtr((effect - halves) / errors).mean())


def power_to_exclude(margin: float, samples: float, precision: Precision) -> float:
    """Return the probability that the interval lies within the margin on both sides if there is no effect."""
    from scipy import special

    errors, halves = precision.errors(samples)
    return float(np.maximum(0.0, 2 * special.ndtr((margin - halves) / errors) - 1).mean())


def samples_needed(effect: float, precision: Precision, power: float) -> int | None:
    """Return the sample size needed to detect an effect of this size; None if no number suffices."""
    return _fewest(lambda n: power_to_detect(effect, n, precision), precision, power)


def samples_to_exclude(margin: float, precision: Precision, power: float) -> int | None:
    """Return the sample size needed to rule out an effect as large as the margin if there is no effect."""
    return _fewest(lambda n: power_to_exclude(margin, n, precision), precision, power)


def smallest_effect(samples: float, precision: Precision, power: float) -> float:
    """Return the smallest effect that this many samples can detect."""
    from scipy import special

    errors, halves = precision.errors(samples)
    low, high = 0.0, float((halves + 10 * errors).max())
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if special.ndtr((middle - halves) / errors).mean() < power else (low, middle)
    return high


def factor_needed(effect: float, samples: float, precision: Precision, power: float) -> float | None:
    """Return how many times as many units, each with as many samples as now, detect an effect; None if too many."""

    def attained(factor: float) -> float:
        return power_to_detect(effect, samples * factor, precision.times(factor))

    if not precision.units:
        return None
    low, high = 1.0, 2.0
    while attained(high) < power:
        low, high = high, high * 2
        if high * min(sum(kind.counts) for kind in precision.units) > _MOST_UNITS:
            return None
    while high - low > 1e-4 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if attained(middle) < power else (low, middle)
    return high


def _fewest(attained: Callable[[float], float], precision: Precision, power: float) -> int | None:
    def suffices(samples: int) -> bool:
        return attained(samples) >= power - 1e-9

    if not suffices(UNLIMITED):
        return None
    most = precision.fewest
    while not suffices(most):
        most *= 2
    sizes = range(precision.fewest, most + 1)
    return sizes[bisect_left(sizes, True, key=suffices)]


def _relative(freedom: float, places: Array) -> Array:
    """Return a true variance relative to its estimate with these degrees of freedom, at quantiles of the estimate."""
    from scipy import special

    if freedom >= KNOWN:
        return np.ones(len(places))
    return np.asarray(freedom / special.chdtri(freedom, places))


@cache
def _spread_evenly(dimensions: int) -> Array:
    """Return points that fill the unit cube evenly (additive recurrence with the generalised golden ratio)."""
    ratio = 2.0
    for _ in range(50):
        ratio = (1 + ratio) ** (1 / (dimensions + 1))
    steps = ratio ** -np.arange(1.0, dimensions + 1)
    points: Array = (0.5 + np.arange(1, _POINTS + 1)[:, None] * steps) % 1.0
    return points
