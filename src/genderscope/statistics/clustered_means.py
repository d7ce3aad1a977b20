"""Means, shares and correlations of clustered rows, with clusters as the units; plain column means."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from genderscope.statistics.cluster_variance import Codes, cluster_error, codes
from genderscope.statistics.correlation import pearson_of_sums
from genderscope.statistics.proportions import Share, by_student, effective
from genderscope.statistics.proportions import interval as share_interval
from genderscope.statistics.student_intervals import FEWEST, Error, interval

Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Bounds = tuple[float, float] | None

#: minimum number of units for the interval of a correlation: with fewer, leaving out one unit may flip its sign
FEWEST_FOR_CORRELATION = 8


class Interval(NamedTuple):
    """Value with its interval and the degrees of freedom of Student's t, both None if unavailable."""

    value: float
    bounds: Bounds
    freedom: float | None = None


@dataclass(frozen=True)
class Units:
    """Unit and item of each row; rows of the same item do not count as separate readings."""

    units: Codes
    items: Codes

    def of(self, chosen: Flags) -> "Units":
        """Return the units of the selected rows."""
        return Units(codes(self.units[chosen]), codes(self.items[chosen]))

    @property
    def count(self) -> int:
        """The number of units."""
        return len(np.unique(self.units))

    @property
    def clustered(self) -> bool:
        """Whether any unit has more than one row."""
        return self.count < len(self.units)

    def error_of(self, influences: Array) -> Error | None:
        """Return the error of a mean, given each row's influence on it; None if there are too few units."""
        return None if self.count < FEWEST else cluster_error(influences, np.ones(len(influences)), self.units)


def mean(values: Array, units: Units) -> Interval:
    """Return the mean of the non-missing values with its interval."""
    present = np.isfinite(values)
    if not present.any():
        return Interval(math.nan, None)
    read = values[present]
    value = float(read.mean())
    error = units.of(present).error_of((read - value) / len(read))
    return Interval(value, interval(value, error), None if error is None else error.freedom)


def share(hits: Flags, within: Flags, units: Units) -> Interval:
    """Return the share of hits among the rows selected by `within`, with its interval."""
    n = int(within.sum())
    if n == 0:
        return Interval(math.nan, None)
    mine = units.of(within)
    read = hits[within].astype(np.float64)
    value = float(read.mean())
    if not mine.clustered:
        return Interval(value, None if n < FEWEST else share_interval(Share(value, n)))
    error = mine.error_of((read - value) / n)
    if error is None:
        return Interval(value, None)
    items = len(np.unique(mine.items))
    sized = by_student(effective(value, error.variance, n, items), error.freedom)
    return Interval(value, share_interval(sized), error.freedom)


def correlation(x: Array, y: Array, units: Units) -> Interval:
    """Return Pearson's correlation over complete rows, with a jackknife interval on Fisher's z."""
    present = np.isfinite(x) & np.isfinite(y)
    mine = units.of(present)
    sums = _sums(x[present], y[present], mine)
    whole = sums.sum(axis=0)
    value = float(pearson_of_sums(*whole[:, None])[0])
    if mine.count < FEWEST_FOR_CORRELATION or not abs(value) < 1:
        return Interval(value, None)
    left_out = np.arctanh(np.clip(pearson_of_sums(*(whole - sums).T), -1 + 1e-12, 1 - 1e-12))
    if not np.isfinite(left_out).all():
        return Interval(value, None)
    variance = float(((left_out - left_out.mean()) ** 2).sum()) * (mine.count - 1) / mine.count
    error = Error(variance, mine.count - 2)
    bounds = interval(math.atanh(value), error)
    return Interval(value, None if bounds is None else (math.tanh(bounds[0]), math.tanh(bounds[1])), error.freedom)


def _sums(x: Array, y: Array, units: Units) -> Array:
    """Return the per-unit sums needed for a correlation; values are centred first to avoid loss of precision."""
    if not len(x):
        return np.zeros((0, 6))
    x, y = x - x.mean(), y - y.mean()
    columns = (np.ones_like(x), x, y, x * x, y * y, x * y)
    return np.column_stack([np.bincount(units.units, weights=column) for column in columns])


def column_means(values: Array) -> Array:
    """Return the mean of each column's non-missing values; NaN for empty columns."""
    present = np.isfinite(values)
    with np.errstate(invalid="ignore"):
        means: Array = np.where(present, values, 0.0).sum(axis=0) / present.sum(axis=0)
    return means
