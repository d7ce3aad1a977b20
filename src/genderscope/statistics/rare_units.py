"""Limits for a mean over units, such as templates, of which a few differ from all others.

If one or two of 29 templates are fully biased, Student's t is too narrow on their side, because other templates may
contain more of them. The limits of Gaffke (2005, "Three test statistics for a nonparametric one-sided hypothesis on the
mean of a nonnegative variable") only use that each unit's value is bounded: the weights of the observed units are drawn
at random, and one unit at the bound is added. For units that are 0 or 1, they are Clopper-Pearson limits; if all agree,
the rule of three. They are not used if all agree, because nothing would then ever show that there is no effect.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

#: Each limit has this confidence, so that a claim that rests on both is false in at most 5 % of the cases.
CONFIDENCE = 0.95
DRAWS = 4_000
#: With more units, rare ones hardly matter, and drawing would take long.
MOST_UNITS = 2_000
_SEED = 2005


class Limits(NamedTuple):
    """Lower and upper limit of a mean."""

    low: float
    high: float


def rare_limits(values: Array, weights: Array) -> Limits | None:
    """Return the limits for the weighted mean of values between 0 and 1; None if there are too many units to matter.

    The added unit has the weight of an average one.
    """
    if not 0 < len(values) <= MOST_UNITS:
        return None
    shares = weights / weights.sum()
    drawn = _exponential(len(values) + 1)
    observed, added = drawn[:, :-1] * shares, drawn[:, -1] * float((shares**2).sum())
    sums, whole = observed @ values, observed.sum(axis=1) + added
    low, high = np.quantile(sums / whole, 1 - CONFIDENCE), np.quantile((sums + added) / whole, CONFIDENCE)
    return Limits(float(low), float(high))


@lru_cache(maxsize=8)
def _exponential(units: int) -> Array:
    """Return exponential deviates with a fixed seed: [draws, units]."""
    return np.random.default_rng(_SEED).standard_exponential((DRAWS, units))
