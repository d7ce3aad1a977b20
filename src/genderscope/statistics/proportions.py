"""Shares of a whole and their intervals."""

import math

from scipy import stats


def agresti_coull(successes: int, n: int, confidence: float = 0.95) -> tuple[float, float, float]:
    """Return centre, low and high of the Agresti-Coull interval: (m + z²/2) / (n + z²) and its normal interval."""
    z = float(stats.norm.ppf((1 + confidence) / 2))
    trials = n + z**2
    centre = (successes + z**2 / 2) / trials
    half = z * math.sqrt(centre * (1 - centre) / trials)
    return centre, max(0.0, centre - half), min(1.0, centre + half)
