"""Cluster bootstrap, with items as the resampling unit, for statistics that are functions of sums."""

from collections.abc import Iterator
from functools import cached_property

import numpy as np
import numpy.typing as npt

from genderscope.statistics.bootstrap import RESAMPLES, resampling_weights
from genderscope.statistics.correlation import pearson_of_sums

Array = npt.NDArray[np.float64]
Single = npt.NDArray[np.float32]

#: Weights of up to 200 MB are cached; larger arrays are redrawn on each use.
_MOST_CELLS = 50_000_000


class ClusterBootstrap:
    """Set of resamples of items; each method returns the value of a statistic and its bootstrap replicates."""

    def __init__(self, items: npt.ArrayLike, seed: npt.ArrayLike, resamples: int = RESAMPLES) -> None:
        _, self.codes = np.unique(np.asarray(items), return_inverse=True)
        self.size = int(self.codes.max()) + 1
        self._seed = np.asarray(seed).tolist()
        self._resamples = resamples

    def ratio(self, top: Array, bottom: Array) -> tuple[float, Array]:
        """Return the ratio of two column sums, with replicates."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return float(np.divide(top.sum(), bottom.sum())), self._sums(top) / self._sums(bottom)

    def mean(self, values: Array) -> tuple[float, Array]:
        """Return the mean of the non-missing values, with replicates."""
        present = np.isfinite(values)
        return self.ratio(np.where(present, values, 0.0), present.astype(np.float64))

    def correlation(self, x: Array, y: Array) -> tuple[float, Array]:
        """Return Pearson's correlation over the rows where both values are present, with replicates."""
        present = np.isfinite(x) & np.isfinite(y)
        # Centre first to avoid loss of precision in the sums.
        x = np.where(present, x - x[present].mean(), 0.0) if present.any() else np.zeros_like(x)
        y = np.where(present, y - y[present].mean(), 0.0) if present.any() else np.zeros_like(y)
        columns = (present.astype(np.float64), x, y, x * x, y * y, x * y)
        value = pearson_of_sums(*(np.array([column.sum()]) for column in columns))
        return float(value[0]), pearson_of_sums(*(self._sums(column) for column in columns))

    @cached_property
    def _kept(self) -> list[Single] | None:
        """All weights, or None if there are too many to cache."""
        return list(self._drawn()) if self.size * self._resamples <= _MOST_CELLS else None

    def _drawn(self) -> Iterator[Single]:
        """Yield the weights in blocks, identical on every call."""
        generator = np.random.default_rng(self._seed)
        block = max(1, _MOST_CELLS // (8 * self.size))
        for start in range(0, self._resamples, block):
            size = min(block, self._resamples - start)
            yield resampling_weights(self.size, generator, size).astype(np.float32)

    def _sums(self, column: Array) -> Array:
        per_item = np.bincount(self.codes, weights=column, minlength=self.size)
        blocks = self._drawn() if self._kept is None else self._kept
        return np.concatenate([weights.astype(np.float64) @ per_item for weights in blocks])
