"""Shares of a whole and their intervals."""

import math
from collections.abc import Iterable

from scipy import stats


def agresti_coull(successes: int, n: int, confidence: float = 0.95) -> tuple[float, float, float]:
    """Return centre, low and high of the Agresti-Coull interval: (m + z²/2) / (n + z²) and its normal interval."""
    z = float(stats.norm.ppf((1 + confidence) / 2))
    trials = n + z**2
    centre = (successes + z**2 / 2) / trials
    half = z * math.sqrt(centre * (1 - centre) / trials)
    return centre, max(0.0, centre - half), min(1.0, centre + half)


def margins(parts: Iterable[tuple[float, int, int]], confidence: float = 0.95) -> tuple[float, float]:
    """Return how far the interval of a weighted sum of independent shares reaches below and above it.

    The shares are given as (weight, successes, n). Their own intervals are put together as Zou and Donner (2008,
    "Construction of confidence limits about effect measures: a general approach") propose. That has a width also where
    every share is 0 or 1, where a bootstrap sees none.
    """
    below = above = 0.0
    for weight, successes, n in parts:
        _, low, high = agresti_coull(successes, n, confidence)
        down, up = weight * (successes / n - low), weight * (high - successes / n)
        below += (down if weight > 0 else up) ** 2
        above += (up if weight > 0 else down) ** 2
    return math.sqrt(below), math.sqrt(above)
