"""Shares of a whole and their intervals.

One method for all: the interval of Agresti and Coull (1998) for a single share, and for a weighted sum of shares its
extension by Price and Bonett (2004, "An improved confidence interval for a linear function of binomial proportions").
Both add a few imagined successes and failures first, so that nothing jumps where all readings agree. Where readings
come in clusters, a share counts as so many independent readings as would give it the spread that the clusters show.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from genderscope.statistics.student import Error

Array = npt.NDArray[np.float64]

#: imagined successes and failures in all, each, as Price and Bonett have them
IMAGINED = 2.0


@dataclass(frozen=True, slots=True)
class Share:
    """A share and the number of independent readings that it counts as."""

    value: float
    size: float


class ShareInterval(NamedTuple):
    """An Agresti-Coull interval, its centre first: that is what papers that use it print as the value."""

    centre: float
    low: float
    high: float


def agresti_coull(successes: float, n: float, confidence: float = 0.95) -> ShareInterval:
    """Return centre, low and high of the Agresti-Coull interval: (m + z²/2) / (n + z²) and its normal interval."""
    z = float(stats.norm.ppf((1 + confidence) / 2))
    trials = n + z**2
    centre = (successes + z**2 / 2) / trials
    half = z * math.sqrt(centre * (1 - centre) / trials)
    return ShareInterval(centre, max(0.0, centre - half), min(1.0, centre + half))


def centre(successes: Array, n: Array, confidence: float = 0.95) -> Array:
    """Return the centres of many Agresti-Coull intervals; NaN where there are no trials."""
    z = float(stats.norm.ppf((1 + confidence) / 2))
    return np.where(n > 0, (successes + z**2 / 2) / (n + z**2), np.nan)


def margins(
    parts: Iterable[tuple[float, int, int]], centred: bool = False, confidence: float = 0.95
) -> tuple[float, float]:
    """Return how far the interval of a weighted sum of independent shares reaches below and above it.

    The shares are given as (weight, successes, n); `centred` tells that the sum is one of their intervals' centres.
    Their own intervals are put together as Zou and Donner (2008, "Construction of confidence limits about effect
    measures: a general approach") propose. That has a width also where every share is 0 or 1, where a bootstrap sees
    none.
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
    """Return the interval of one share."""
    _, low, high = agresti_coull(share.value * share.size, share.size, confidence)
    return low, high


def effective(value: float, variance: float, readings: float, units: float) -> Share:
    """Return a share with the size that its clusters leave it: value (1 - value) / variance.

    Where all readings agree there is no variance to see; the share then counts as `units` readings, one for each
    cluster. One imagined reading that differs, along with its whole cluster, leads smoothly from there to where the
    clusters tell for themselves.
    """
    size = (value * (1 - value) + 1 / readings) / (variance + 1 / (readings * units))
    return Share(value, size)


def by_student(share: Share, freedom: float, confidence: float = 0.95) -> Share:
    """Return the share with a size that makes up for a variance known with few degrees of freedom (Korn, Graubard)."""
    tail = (1 + confidence) / 2
    return Share(share.value, share.size * float(stats.norm.ppf(tail) / stats.t.ppf(tail, freedom)) ** 2)


def combined(parts: Sequence[tuple[float, Share]], confidence: float = 0.95) -> tuple[float, float]:
    """Return the interval of a weighted sum of independent shares, given as (weight, share)."""
    count = len(parts)
    centre = sum(weight * shrunk(share, count) for weight, share in parts)
    variance = sum(weight**2 * spread(share, count) for weight, share in parts)
    half = float(stats.norm.ppf((1 + confidence) / 2)) * math.sqrt(variance)
    return _within(parts, centre, half)


def difference(one: Share, other: Share, error: Error, confidence: float = 0.95) -> tuple[float, float]:
    """Return the interval of the difference of two shares that clusters move together; `error` is the difference's own.

    The imagined readings of Agresti and Caffo (2000) add what a variance cannot show where all readings agree.
    """
    parts = [(1.0, one), (-1.0, other)]
    centre = sum(weight * shrunk(share, 2) for weight, share in parts)
    added = sum(max(0.0, spread(share, 2) - share.value * (1 - share.value) / share.size) for _, share in parts)
    half = Error(error.variance + added, error.freedom).half_width(confidence)
    return _within(parts, centre, half)


def _within(parts: Sequence[tuple[float, Share]], centre: float, half: float) -> tuple[float, float]:
    """Return the ends around a centre: never without the value, never beyond what the shares can add up to."""
    value = math.fsum(weight * share.value for weight, share in parts)
    least, most = (math.fsum(weight for weight, _ in parts if (weight > 0) is up) for up in (False, True))
    return max(least, min(value, centre - half)), min(most, max(value, centre + half))


def shrunk(share: Share, count: int) -> float:
    """Return the share with its part of the imagined readings, of `count` shares that are put together."""
    return (share.value * share.size + IMAGINED / count) / (share.size + 2 * IMAGINED / count)


def spread(share: Share, count: int) -> float:
    """Return the variance of a share with its imagined readings.

    Each of many shares loses a degree of freedom, as means do; a single share is Agresti's and Coull's.
    """
    centre = shrunk(share, count)
    return centre * (1 - centre) / (share.size + 2 * IMAGINED / count - (count - 1) / count)


def p_value(ends: Callable[[float], tuple[float, float]], null: float = 0.0) -> float:
    """Return 1 minus the confidence at which an interval just excludes the null hypothesis."""
    least, most = 0.0, 1 - 1e-9
    if not _excludes(ends(least), null):
        return 1.0
    if _excludes(ends(most), null):
        return 1 - most
    for _ in range(40):
        middle = (least + most) / 2
        least, most = (middle, most) if _excludes(ends(middle), null) else (least, middle)
    return 1 - least


def _excludes(ends: tuple[float, float], value: float) -> bool:
    return not ends[0] <= value <= ends[1]
