"""Bootstrap of statistics that are arithmetic on sums, where several rows come from one item and move together."""

import math

import numpy as np
import numpy.typing as npt
from scipy import stats

from genderscope.statistics.bootstrap import RESAMPLES

Array = npt.NDArray[np.float64]


class ClusterBootstrap:
    """One set of resamples of items; every statistic returns its value and its replicates."""

    def __init__(self, items: npt.ArrayLike, seed: npt.ArrayLike, resamples: int = RESAMPLES) -> None:
        _, self.codes = np.unique(np.asarray(items), return_inverse=True)
        self.size = int(self.codes.max()) + 1
        generator = np.random.default_rng(np.asarray(seed).tolist())
        even = np.full(self.size, 1 / self.size)
        self.weights = generator.multinomial(self.size, even, size=resamples).astype(np.float32)

    @property
    def clustered(self) -> bool:
        """Whether some item has more than one row."""
        return self.size < len(self.codes)

    def ratio(self, top: Array, bottom: Array) -> tuple[float, Array]:
        """The sum of one column over the sum of another."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return float(np.divide(top.sum(), bottom.sum())), self._sums(top) / self._sums(bottom)

    def mean(self, values: Array) -> tuple[float, Array]:
        """The mean of what is not missing."""
        present = np.isfinite(values)
        return self.ratio(np.where(present, values, 0.0), present.astype(np.float64))

    def correlation(self, x: Array, y: Array) -> tuple[float, Array]:
        """Pearson correlation over the rows where both are present."""
        present = np.isfinite(x) & np.isfinite(y)
        # Centred first, so that the sums lose no digits.
        x = np.where(present, x - x[present].mean(), 0.0) if present.any() else np.zeros_like(x)
        y = np.where(present, y - y[present].mean(), 0.0) if present.any() else np.zeros_like(y)
        columns = (present.astype(np.float64), x, y, x * x, y * y, x * y)
        value = _pearson(*(np.array([column.sum()]) for column in columns))
        return float(value[0]), _pearson(*(self._sums(column) for column in columns))

    def _sums(self, column: Array) -> Array:
        per_item = np.bincount(self.codes, weights=column, minlength=self.size)
        found: Array = self.weights.astype(np.float64) @ per_item
        return found


def _pearson(n: Array, x: Array, y: Array, xx: Array, yy: Array, xy: Array) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.sqrt(np.clip(xx - x * x / n, 0, None) * np.clip(yy - y * y / n, 0, None))
        r: Array = np.where(spread > 0, (xy - x * y / n) / spread, np.nan)
    return r


def agresti_coull(successes: float, n: float, confidence: float = 0.95) -> tuple[float, float, float]:
    """Return low end, centre and high end of the Agresti-Coull interval of a share."""
    z = float(stats.norm.ppf((1 + confidence) / 2))
    wide = n + z * z
    centre = (successes + z * z / 2) / wide
    half = z * math.sqrt(centre * (1 - centre) / wide)
    return max(0.0, centre - half), centre, min(1.0, centre + half)
