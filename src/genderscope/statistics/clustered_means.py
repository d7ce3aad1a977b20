"""Means and correlations of clustered rows, with clusters as the units; plain column means."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from genderscope.statistics.cluster_variance import Codes, cluster_error, clustered, codes
from genderscope.statistics.correlation import pearson_of_sums
from genderscope.statistics.influence import Influence
from genderscope.statistics.student_intervals import FEWEST, Error, interval

Array = npt.NDArray[np.float64]
Bounds = tuple[float, float] | None

#: minimum number of units for the interval of a correlation: with fewer, leaving out one unit may flip its sign
FEWEST_FOR_CORRELATION = 8


class Interval(NamedTuple):
    """Value with its interval and the degrees of freedom of Student's t, both None if unavailable."""

    value: float
    bounds: Bounds
    freedom: float | None = None


@dataclass(frozen=True)
class ClusteredMean:
    """A mean, and each row's influence, weight and unit.

    A single run takes its interval from `error`; comparisons, gates, rankings and power analyses take the influence.
    Both use the rows, units and weights given here, and the same correction for units of unequal size.
    """

    value: float
    influences: Array
    row_weights: Array
    items: npt.NDArray[np.str_]
    n: int
    #: the mean from which each row's deviation is computed, such as its stratum's; None if there is only one
    means: Codes | None = None

    @cached_property
    def _codes(self) -> Codes:
        return codes(self.items)

    @property
    def mean_of_row(self) -> Codes:
        """The number of the mean from which each row's deviation is computed."""
        return np.zeros(len(self.influences), dtype=np.int64) if self.means is None else self.means

    @cached_property
    def units(self) -> int:
        """The number of units."""
        return int(self._codes.max(initial=-1)) + 1

    @cached_property
    def error(self) -> Error | None:
        """The error of the mean (variance and degrees of freedom); None if too few units decide it."""
        return cluster_error(self.influences, self.row_weights, self._codes, self.means)

    @property
    def clustered(self) -> bool:
        """Whether rows share a unit."""
        return self.units < self.n

    @property
    def freedom(self) -> float | None:
        """The degrees of freedom of the interval; None if it does not use Student's t."""
        return None if self.error is None else self.error.freedom

    @property
    def bounds(self) -> Bounds:
        """The confidence interval; None for too few units."""
        return None if self.units < FEWEST else interval(self.value, self.error)

    @property
    def influence(self) -> Influence:
        """The influence of each unit, for comparisons of runs."""
        return clustered(self.influences, self.row_weights, self.items, 0.0, self.means)


def mean(values: Array, items: npt.NDArray[np.str_]) -> ClusteredMean:
    """Return the mean of the non-missing values; NaN if there are none."""
    present = np.isfinite(values)
    read = values[present]
    value = float(read.mean()) if len(read) else math.nan
    row_weights = np.full(len(read), 1 / max(1, len(read)))
    return ClusteredMean(value, row_weights * (read - value), row_weights, items[present], len(read))


def correlation(x: Array, y: Array, items: npt.NDArray[np.str_]) -> Interval:
    """Return Pearson's correlation over complete rows, with a jackknife interval on Fisher's z over units."""
    present = np.isfinite(x) & np.isfinite(y)
    sums = _sums(x[present], y[present], codes(items[present]))
    count = len(sums)
    whole = sums.sum(axis=0)
    value = float(pearson_of_sums(*whole[:, None])[0])
    if count < FEWEST_FOR_CORRELATION or not abs(value) < 1:
        return Interval(value, None)
    left_out = np.arctanh(np.clip(pearson_of_sums(*(whole - sums).T), -1 + 1e-12, 1 - 1e-12))
    if not np.isfinite(left_out).all():
        return Interval(value, None)
    variance = float(((left_out - left_out.mean()) ** 2).sum()) * (count - 1) / count
    error = Error(variance, count - 2)
    bounds = interval(math.atanh(value), error)
    return Interval(value, None if bounds is None else (math.tanh(bounds[0]), math.tanh(bounds[1])), error.freedom)


def _sums(x: Array, y: Array, units: Codes) -> Array:
    """Return the per-unit sums needed for a correlation; values are centred first to avoid loss of precision."""
    if not len(x):
        return np.zeros((0, 6))
    x, y = x - x.mean(), y - y.mean()
    columns = (np.ones_like(x), x, y, x * x, y * y, x * y)
    return np.column_stack([np.bincount(units, weights=column) for column in columns])


def column_means(values: Array) -> Array:
    """Return the mean of each column's non-missing values; NaN for empty columns."""
    present = np.isfinite(values)
    with np.errstate(invalid="ignore"):
        means: Array = np.where(present, values, 0.0).sum(axis=0) / present.sum(axis=0)
    return means
