"""Correlation of two sets of group means, corrected for noise in the means.

Noise in the means attenuates their correlation (Spearman 1904), and noise shared by both sets, e.g. because they use
the same sentences, pulls it towards 1. Both are estimated from the variance within groups and subtracted from the
covariances. The interval inverts a score test: it contains all correlations that the data do not reject, given the
variance that each would imply.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from genderscope.statistics.quantiles import student_quantile

Array = npt.NDArray[np.float64]

#: minimum number of groups for a correlation
FEWEST_GROUPS = 5
#: minimum reliability (share of the means' variance that is not noise) for reporting a correlation
LEAST_RELIABLE = 0.5
_GRID = np.linspace(-1, 1, 4001)


@dataclass(frozen=True)
class Agreement:
    """Corrected and uncorrected correlation, or the reason there is none."""

    value: float | None
    low: float | None
    high: float | None
    plain: float | None
    reason: str | None = None


def agreement(means: Array, noise: Array, freedom: float, confidence: float = 0.95) -> Agreement:
    """Correlate the two columns of `means` [groups, 2]; `noise` [groups, 2, 2] is the covariance of their errors."""
    groups = len(means)
    if groups < FEWEST_GROUPS:
        return Agreement(None, None, None, None, f"a correlation needs {FEWEST_GROUPS} groups, but there are {groups}")
    observed = np.cov(means.T)
    scale = math.sqrt(observed[0, 0] * observed[1, 1])
    plain = float(observed[0, 1]) / scale if scale > 0 else None
    if plain is None or freedom < 1 or not np.isfinite(noise).all():
        return Agreement(None, None, None, plain, "the means do not vary, or their noise cannot be estimated")
    average = noise.mean(axis=0)
    real = observed - average
    if min(real[k, k] / observed[k, k] for k in (0, 1)) < LEAST_RELIABLE:
        reason = "more than half of the variance of the means may be noise, which is too much to correct for"
        return Agreement(None, None, None, plain, reason)
    scale = math.sqrt(real[0, 0] * real[1, 1])
    value = float(real[0, 1]) / scale
    e, d, c = float(average[0, 0] / real[0, 0]), float(average[1, 1] / real[1, 1]), float(average[0, 1]) / scale
    r = _GRID
    # the variance of `value` if r were the true correlation: noise × signal and noise × noise terms
    variance = (1 - r**2) * (e + d - 2 * r * c) + e * d + c**2 * (1 + r**2) + r**2 / 2 * (e**2 + d**2)
    variance = (variance - 2 * r * c * (e + d)) / (groups - 1)
    t = student_quantile((1 + confidence) / 2, freedom)
    kept = r[(value - r) ** 2 <= t**2 * np.maximum(variance, 0)]
    shown = min(1.0, max(-1.0, value))
    low, high = (float(kept[0]), float(kept[-1])) if len(kept) else (shown, shown)
    return Agreement(shown, min(low, shown), max(high, shown), plain)
