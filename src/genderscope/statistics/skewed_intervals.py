"""Student's t intervals and tests for means of skewed samples.

If a few values are much larger than the others, the mean of a sample without them is too small and so is its error, so
that Student's t interval misses the true mean on this side. The limits here come from the Cornish-Fisher expansion of
the t statistic (Hall 1983, "Inverting an Edgeworth expansion") to the second order, with the kurtosis of a gamma
distribution; on the other side, the inverse of the first-order expansion (Johnson 1978, "Modified t tests and
confidence intervals for asymmetrical populations") is used, since it is monotone. Limits and p-values are inverses of
each other.

The skewness of a mean of n values is that of the values divided by √n. In simulations with 16 to 220 values in each of
16 stereotypes (gamma, exponential, log-normal), intervals cover 94 to 96 %; Student's t covers 86 to 95 %.
"""

import math
from typing import NamedTuple

from genderscope.statistics.quantiles import student_quantile

#: Below this skewness of a mean, Student's t errs by less than half a percentage point, so it is used unchanged.
NOTICEABLE = 0.1
_BISECTIONS = 60


class Reach(NamedTuple):
    """Distances of the lower and the upper limit from an estimate, in standard errors."""

    below: float
    above: float


def reach(t: float, skewness: float) -> Reach:
    """Return how far an interval extends if Student's t, which assumes no skewness, says ±t."""
    size = abs(skewness)
    if size == 0:
        return Reach(t, t)
    # the inverse of s + size (2 s² + 1) / 6
    short = max(0.0, (math.sqrt(max(0.0, 1 + 4 * size / 3 * (t - size / 6))) - 1) / (2 * size / 3))
    return Reach(short, _long(t, size)) if skewness > 0 else Reach(_long(t, size), short)


def student_equivalent(distance: float, skewness: float) -> float:
    """Return the t of the interval that ends at this signed distance of the null value from the estimate."""
    size, s = abs(skewness), abs(distance)
    if size == 0:
        return s
    if distance * skewness <= 0:  # the short side
        return s + size * (2 * s * s + 1) / 6
    least, most = 0.0, s
    if _long(0.0, size) >= s:
        return 0.0
    for _ in range(_BISECTIONS):
        middle = (least + most) / 2
        least, most = (middle, most) if _long(middle, size) < s else (least, middle)
    return least


def _long(t: float, size: float) -> float:
    """Return the reach on the side of the long tail."""
    return t + size * (2 * t * t + 1) / 6 + 11 / 72 * size**2 * t * (t * t + 2)


def widening(freedom: float, skewness: float | None, level: float, corrected: float) -> Reach:
    """Return the factors by which an interval grows below and above the value at a corrected level."""
    once, together = (-student_quantile(each / 2, freedom) for each in (level, corrected))
    old, new = reach(once, skewness or 0.0), reach(together, skewness or 0.0)
    return Reach(new.below / old.below, new.above / old.above)
