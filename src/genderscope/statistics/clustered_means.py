"""Means and correlations of clustered rows, with clusters as the units; plain column means."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from genderscope.statistics.cluster_variance import Codes, codes, one_way
from genderscope.statistics.cluster_variance import clustered_error as weighed_error
from genderscope.statistics.correlation import pearson_of_sums
from genderscope.statistics.influence import Influence, clustered
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

    A single run takes its interval from `error`; comparisons, gates, rankings and power analyses take the influence, so
    both have the same rows and units. The influence computes its own degrees of freedom (`Stratified.error`).
    """

    value: float
    influences: Array
    #: the rows' weights, for the degrees of freedom of an effective number of units; None for those of all units
    row_weights: Array | None
    items: npt.NDArray[np.str_]
    n: int

    @cached_property
    def _codes(self) -> Codes:
        return codes(self.items)

    @cached_property
    def units(self) -> int:
        """The number of units."""
        return int(self._codes.max(initial=-1)) + 1

    @cached_property
    def error(self) -> Error | None:
        """The error of the mean (variance and degrees of freedom); None with a single unit."""
        if self.row_weights is None:
            return one_way(self.influences, self._codes)
        return weighed_error(self.influences, self.row_weights, self._codes, 1, False)

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
        return clustered(self.influences, self.items)


def mean(values: Array, items: npt.NDArray[np.str_]) -> ClusteredMean:
    """Return the mean of the non-missing values; NaN if there are none."""
    present = np.isfinite(values)
    read = values[present]
    value = float(read.mean()) if len(read) else math.nan
    return ClusteredMean(value, (read - value) / max(1, len(read)), None, items[present], len(read))


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
