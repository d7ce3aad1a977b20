"""Ranks and rank confidence intervals."""

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from genderscope.statistics.student_intervals import Error

#: familywise level of the two-sided pairwise tests; only half of the false differences are in the wrong direction
FAMILY_LEVEL = 0.1
#: how rank intervals are found
RANKS = "ranks consistent with pairwise tests"


def average_ranks(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the rank of each value along the first axis, 1 for the smallest; ties share their mean rank."""
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.ndim > 1:
        return np.apply_along_axis(average_ranks, 0, numbers)
    ordered = np.sort(numbers)
    below, up_to = (np.searchsorted(ordered, numbers, side) for side in ("left", "right"))
    return np.where(np.isnan(numbers).any(), np.nan, (below + up_to + 1) / 2)


def rank_intervals(values: Sequence[float], errors: Sequence[Error | None]) -> list[tuple[float, float] | None]:
    """Return a rank interval for each of several independent values; rank 1 is the smallest.

    A value ranks above those it significantly exceeds and below those that significantly exceed it (after Mogstad,
    Romano, Shaikh and Wilhelm 2024, "Inference for ranks"). The tests are corrected for all pairs, so that the
    intervals have 95 % simultaneous coverage of the true ranks. Bootstrapped ranks are no substitute: they are
    overconfident if values are close together.
    """
    count = len(values)
    available = [error for error in errors if error is not None]
    if len(available) < count or not count:
        return [None] * count
    points, variances = np.asarray(values, dtype=np.float64), np.array([error.variance for error in available])
    both = variances[:, None] + variances
    with np.errstate(invalid="ignore", divide="ignore"):
        spreads = variances**2 / np.array([error.freedom for error in available])
        freedom = np.where(both > 0, both**2 / (spreads[:, None] + spreads), 1.0)
    from scipy import special  # takes a third of a second to import

    reach = -special.stdtrit(freedom, pair_level(count) / 2) * np.sqrt(both)
    apart = points[:, None] - points
    below, above = (apart > reach).sum(axis=1), (-apart > reach).sum(axis=1)
    return [(1.0 + float(b), float(count - a)) for b, a in zip(below, above, strict=True)]


@cache
def pair_level(count: int) -> float:
    """Return the level of each pairwise test of `count` values that keeps the familywise level.

    The level follows from the range of normal values (Tukey) and is conservative for unequal variances (Tukey-Kramer).
    """
    from scipy import special

    if count < 3:
        return FAMILY_LEVEL
    points = np.linspace(-8.5, 8.5, 3401)
    density = np.exp(-(points**2) / 2) / np.sqrt(2 * np.pi) * (points[1] - points[0])
    low, high = 0.0, 20.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        within = count * float(density @ (special.ndtr(points) - special.ndtr(points - middle)) ** (count - 1))
        low, high = (middle, high) if within < 1 - FAMILY_LEVEL else (low, middle)
    return float(2 * special.ndtr(-low / np.sqrt(2)))
