"""Power analysis for Student's t: required sample sizes and smallest detectable effects.

The standard error of an estimate from n samples is its spread divided by √n. A two-sided test at 5 % detects an effect
δ with the given power if δ = reach · spread / √n, where reach is t(97.5 %) + t(power) for a known spread. The
equivalence test, which rules out an effect as large as the margin if there is no effect, uses t((1 + power) / 2)
instead of t(power), since both one-sided tests must succeed.

A pilot only estimates the spread. The reach is therefore larger, so that the nominal power is attained on average over
pilots of the same size (a study planned with the plain formula from a pilot of 32 samples has a power of 75 % instead
of 80 %).
"""

import math
from bisect import bisect_left
from dataclasses import dataclass
from functools import cache

import numpy as np

LEVEL = 0.05
POWERS = (0.8, 0.9)
#: degrees of freedom of a known spread
KNOWN = 1e9
#: number of quadrature points for averaging over a pilot's possible spreads
_POINTS = 400


@dataclass(frozen=True, slots=True)
class Precision:
    """Spread with its degrees of freedom, and the number of strata that the samples are divided into."""

    spread: float
    freedom: float = KNOWN
    strata: int = 1

    @property
    def fewest(self) -> int:
        """The minimum sample size for an interval: at least 4, and at least two per stratum."""
        return max(4, 2 * self.strata)

    def bounds(self) -> tuple[float, float]:
        """Return the 95 % interval for the spread."""
        from scipy import special

        low, high = (self.freedom / special.chdtri(self.freedom, p) for p in (LEVEL / 2, 1 - LEVEL / 2))
        return self.spread * math.sqrt(low), self.spread * math.sqrt(high)


def samples_needed(effect: float, precision: Precision, power: float) -> int:
    """Return the sample size needed to detect an effect of this size."""

    def suffice(samples: int) -> bool:
        return smallest_effect(samples, precision, power) <= effect * (1 + 1e-9)

    most = precision.fewest
    while not suffice(most):
        most *= 2
    sizes = range(precision.fewest, most + 1)
    return sizes[bisect_left(sizes, True, key=suffice)]


def samples_to_exclude(margin: float, precision: Precision, power: float) -> int:
    """Return the sample size needed to rule out an effect as large as the margin if there is no effect."""
    return samples_needed(margin, precision, (1 + power) / 2)


def smallest_effect(samples: int, precision: Precision, power: float) -> float:
    """Return the smallest effect that this many samples can detect."""
    return _reach(power, samples - precision.strata, precision.freedom) * precision.spread / math.sqrt(samples)


@cache
def _reach(power: float, freedom: float, pilot: float) -> float:
    """Return the detectable effect in standard errors, averaged over the spreads that a pilot may observe."""
    from scipy import special

    shares = (np.arange(_POINTS) + 0.5) / _POINTS
    scales = np.sqrt(special.chdtri(pilot, shares) / pilot) if pilot < KNOWN else np.ones(1)
    border = special.stdtrit(freedom, 1 - LEVEL / 2)
    low, high = 0.0, 1000.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        reached = float(special.stdtr(freedom, middle * scales - border).mean())
        low, high = (middle, high) if reached < power else (low, middle)
    return high
