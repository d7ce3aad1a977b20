"""Intervals of ranks: where could each of several values stand among the others?"""

from collections.abc import Sequence

import numpy as np
from scipy import stats

from genderscope.statistics.student import Error, total

#: the chance that two equal values are taken for different
PAIR_LEVEL = 0.025


def rank_intervals(values: Sequence[float], errors: Sequence[Error | None]) -> list[tuple[float, float] | None]:
    """Return for each of independent values the ranks that it may have, 1 for the smallest.

    A value stands above those that it is clearly larger than and below those that it is clearly smaller than (after
    Mogstad, Romano, Shaikh and Wilhelm 2024, "Inference for ranks"). Resampled ranks are no substitute: where values
    lie close together they are too sure of an order. At the level used for a pair the interval holds the true rank in
    95 % also of the first of many that are nearly equal, and, ranks being whole numbers, in more of the others.
    """
    count = len(values)
    found: list[tuple[float, float] | None] = []
    for k, error in enumerate(errors):
        if error is None or any(other is None for other in errors):
            found.append(None)
            continue
        above = below = 0
        for j, other in enumerate(errors):
            if j == k or other is None:
                continue
            both = total((error, other))
            reach = stats.t.isf(PAIR_LEVEL / 2, both.freedom) * np.sqrt(both.variance)
            above += values[j] - values[k] > reach
            below += values[k] - values[j] > reach
        found.append((1.0 + below, float(count - above)))
    return found
