"""Ranks, and rank intervals: which ranks may each of several values have?"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from genderscope.statistics.student import Error

#: the probability that two equal values are found to differ
PAIR_LEVEL = 0.025


def average_ranks(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the rank of each value along the first axis, 1 for the smallest; equal values share their mean rank."""
    found = np.asarray(values, dtype=np.float64)
    if found.ndim > 1:
        return np.apply_along_axis(average_ranks, 0, found)
    ordered = np.sort(found)
    below, up_to = (np.searchsorted(ordered, found, side) for side in ("left", "right"))
    return np.where(np.isnan(found).any(), np.nan, (below + up_to + 1) / 2)


def rank_intervals(values: Sequence[float], errors: Sequence[Error | None]) -> list[tuple[float, float] | None]:
    """Return the range of ranks of each of several independent values, 1 for the smallest.

    A value ranks above those it is significantly larger than and below those it is significantly smaller than (after
    Mogstad, Romano, Shaikh and Wilhelm 2024, "Inference for ranks"). Resampled ranks are no substitute: they are
    overconfident if values lie close together. At the level used for each pair, the interval contains the true rank in
    95 % even for the first of many nearly equal values, and, as ranks are whole numbers, more often for the others.
    """
    count = len(values)
    known = [error for error in errors if error is not None]
    if len(known) < count or not count:
        return [None] * count
    points, variances = np.asarray(values, dtype=np.float64), np.array([error.variance for error in known])
    both = variances[:, None] + variances
    with np.errstate(invalid="ignore", divide="ignore"):
        spreads = variances**2 / np.array([error.freedom for error in known])
        freedom = np.where(both > 0, both**2 / (spreads[:, None] + spreads), 1.0)
    from scipy import special  # a third of a second to import

    reach = -special.stdtrit(freedom, PAIR_LEVEL / 2) * np.sqrt(both)
    apart = points[:, None] - points
    below, above = (apart > reach).sum(axis=1), (-apart > reach).sum(axis=1)
    return [(1.0 + float(b), float(count - a)) for b, a in zip(below, above, strict=True)]
