"""Shares of a whole and their intervals."""

import math
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from scipy import stats

Array = npt.NDArray[np.float64]


def agresti_coull(successes: int, n: int, confidence: float = 0.95) -> tuple[float, float, float]:
    """Return centre, low and high of the Agresti-Coull interval: (m + z²/2) / (n + z²) and its normal interval."""
    z = float(stats.norm.ppf((1 + confidence) / 2))
    trials = n + z**2
    centre = (successes + z**2 / 2) / trials
    half = z * math.sqrt(centre * (1 - centre) / trials)
    return centre, max(0.0, centre - half), min(1.0, centre + half)


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
