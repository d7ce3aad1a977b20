"""Proportions and their intervals.

Single proportions use the interval of Agresti and Coull (1998); weighted sums use its extension by Price and Bonett
(2004, "An improved confidence interval for a linear function of binomial proportions"). Both first add a few
pseudo-observations, successes and failures, so that intervals change smoothly as readings approach unanimity. For
clustered readings, the effective sample size is the number of independent readings that would have the same variance.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from genderscope.statistics.quantiles import normal_quantile, student_quantile
from genderscope.statistics.student_intervals import Error

Array = npt.NDArray[np.float64]

#: total number of pseudo-successes, and of pseudo-failures, as in Price and Bonett
IMAGINED = 2.0
#: below this number of readings, an exact interval is used
FEW = 12


@dataclass(frozen=True, slots=True)
class Share:
    """Proportion with its effective sample size."""

    value: float
    size: float


class ShareInterval(NamedTuple):
    """Agresti-Coull interval with its centre, which papers that use the interval report as the value."""

    centre: float
    low: float
    high: float


def agresti_coull(successes: float, n: float, confidence: float = 0.95) -> ShareInterval:
    """Return the Agresti-Coull interval: a normal interval around the centre (m + z²/2) / (n + z²)."""
    z = normal_quantile((1 + confidence) / 2)
    trials = n + z**2
    centre = (successes + z**2 / 2) / trials
    half = z * math.sqrt(centre * (1 - centre) / trials)
    return ShareInterval(centre, max(0.0, centre - half), min(1.0, centre + half))


def plain_interval(successes: float, n: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return the interval for a proportion of independent readings.

    With fewer than `FEW` readings, this is the Clopper-Pearson interval, because the Agresti-Coull interval covers only
    87 % with 4 readings and a proportion near 0 or 1.
    """
    if n >= FEW:
        _, low, high = agresti_coull(successes, n, confidence)
        return low, high
    from scipy.special import betaincinv  # slow import

    tail = (1 - confidence) / 2
    low = float(betaincinv(successes, n - successes + 1, tail)) if successes > 0 else 0.0
    return low, float(betaincinv(successes + 1, n - successes, 1 - tail)) if successes < n else 1.0


def centre(successes: Array, n: Array, confidence: float = 0.95) -> Array:
    """Return the centres of many Agresti-Coull intervals; NaN if there are no trials."""
    z = normal_quantile((1 + confidence) / 2)
    return np.where(n > 0, (successes + z**2 / 2) / (n + z**2), np.nan)


def margins(
    parts: Iterable[tuple[float, int, int]], centred: bool = False, confidence: float = 0.95
) -> tuple[float, float]:
    """Return the lower and upper margin of error of a weighted sum of independent proportions.

    The proportions are given as (weight, successes, n); with `centred`, the sum is over interval centres. The intervals
    are combined as in Zou and Donner (2008, "Construction of confidence limits about effect measures: a general
    approach"). Unlike a bootstrap interval, the result has non-zero width even if every proportion is 0 or 1.
    """
    below = above = 0.0
    for weight, successes, n in parts:
        middle, low, high = agresti_coull(successes, n, confidence)
        value = middle if centred else successes / n
        down, up = weight * (value - low), weight * (high - value)
        below += (down if weight > 0 else up) ** 2
        above += (up if weight > 0 else down) ** 2
    return math.sqrt(below), math.sqrt(above)


def interval(share: Share, confidence: float = 0.95) -> tuple[float, float]:
    """Return the interval for one proportion."""
    _, low, high = agresti_coull(share.value * share.size, share.size, confidence)
    return low, high


def effective(value: float, variance: float, readings: float, units: float) -> Share:
    """Return a proportion with its effective sample size under clustering: value (1 - value) / variance.

    If all readings agree, the observed variance is zero, and the effective size is `units`, one per cluster. One
    dissenting pseudo-reading, along with its whole cluster, makes the transition to a positive variance smooth.
    """
    size = (value * (1 - value) + 1 / readings) / (variance + 1 / (readings * units))
    return Share(value, size)


def by_student(share: Share, freedom: float, confidence: float = 0.95) -> Share:
    """Return the proportion with its effective size adjusted for few degrees of freedom (Korn and Graubard)."""
    tail = (1 + confidence) / 2
    return Share(share.value, share.size * (normal_quantile(tail) / student_quantile(tail, freedom)) ** 2)


def combined(parts: Sequence[tuple[float, Share]], confidence: float = 0.95) -> tuple[float, float]:
    """Return the interval for a weighted sum of independent proportions, given as (weight, share)."""
    count = len(parts)
    centre = sum(weight * shrunk(share, count) for weight, share in parts)
    variance = sum(weight**2 * spread(share, count) for weight, share in parts)
    half = normal_quantile((1 + confidence) / 2) * math.sqrt(variance)
    return _within(parts, centre, half)


def difference(one: Share, other: Share, error: Error, confidence: float = 0.95) -> tuple[float, float]:
    """Return the interval for the difference of two proportions over shared clusters, given the difference's error.

    The pseudo-observations of Agresti and Caffo (2000) add variance where all readings agree.
    """
    parts = [(1.0, one), (-1.0, other)]
    centre = sum(weight * shrunk(share, 2) for weight, share in parts)
    added = sum(max(0.0, spread(share, 2) - share.value * (1 - share.value) / share.size) for _, share in parts)
    half = Error(error.variance + added, error.freedom).half_width(confidence)
    return _within(parts, centre, half)


def _within(parts: Sequence[tuple[float, Share]], centre: float, half: float) -> tuple[float, float]:
    """Return centre ± half, extended to include the value and clipped to the range of the weighted sum."""
    value = math.fsum(weight * share.value for weight, share in parts)
    least, most = (math.fsum(weight for weight, _ in parts if (weight > 0) is up) for up in (False, True))
    return max(least, min(value, centre - half)), min(most, max(value, centre + half))


def shrunk(share: Share, count: int) -> float:
    """Return the proportion including its share of the pseudo-observations, for `count` combined proportions."""
    return (share.value * share.size + IMAGINED / count) / (share.size + 2 * IMAGINED / count)


def spread(share: Share, count: int) -> float:
    """Return the variance of a proportion with its pseudo-observations.

    If several proportions are combined, each loses a degree of freedom, as means do; for a single one, this is the
    Agresti-Coull variance. A proportion whose effective size is below 1, as its sentences recur elsewhere, loses less.
    """
    centre = shrunk(share, count)
    return centre * (1 - centre) / (share.size + 2 * IMAGINED / count - min(1.0, share.size) * (count - 1) / count)


def p_value(interval_at: Callable[[float], tuple[float, float]], null: float = 0.0) -> float:
    """Return the p-value: 1 minus the highest confidence at which the interval excludes the null value."""
    least, most = 0.0, 1 - 1e-9
    if not _excludes(interval_at(least), null):
        return 1.0
    if _excludes(interval_at(most), null):
        return 1 - most
    for _ in range(40):
        middle = (least + most) / 2
        least, most = (middle, most) if _excludes(interval_at(middle), null) else (least, middle)
    return 1 - least


def _excludes(bounds: tuple[float, float], value: float) -> bool:
    return not bounds[0] <= value <= bounds[1]
