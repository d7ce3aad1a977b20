"""The median and its interval from order statistics, which holds whatever the distribution."""

import numpy as np
import numpy.typing as npt
from scipy import stats

Array = npt.NDArray[np.float64]


def median_interval(values: Array, confidence: float = 0.95) -> tuple[float, float] | None:
    """Return the order statistics between which the median lies; None where there are too few values (below 6)."""
    n = len(values)
    below = int(stats.binom.ppf((1 - confidence) / 2, n, 0.5)) - 1
    if n == 0 or below < 0:
        return None
    ordered = np.sort(values)
    return float(ordered[below]), float(ordered[n - 1 - below])
