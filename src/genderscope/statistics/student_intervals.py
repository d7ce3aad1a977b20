"""Student's t intervals for stratum means and their weighted sums, even with few samples per stratum.

The degrees of freedom of a sum are those of Welch and Satterthwaite (1946, "An approximate distribution of estimates of
variance components"). In simulations with released scores, the coverage is 94 to 98 % with as few as two samples per
stratum; bootstrap percentile intervals, which cannot extend beyond the sample's range, cover 50 to 91 %.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from genderscope.statistics.quantiles import student_quantile, student_tail
from genderscope.statistics.skewed_intervals import Reach, reach, student_equivalent

Array = npt.NDArray[np.float64]

#: minimum number of samples for an interval
FEWEST = 4
#: With fewer units (samples, clusters) than the first number, an interval carries a remark; with fewer clusters than
#: the second, there is no interval. The second number counts units because degrees of freedom are estimated, so a
#: threshold on them would select estimates by chance.
FEW, FEWEST_UNITS = 6, 3
#: variances below this are rounding error
ROUNDING = 1e-20


@dataclass(frozen=True, slots=True)
class Error:
    """Error of an estimate: its variance, and the degrees of freedom of that variance."""

    variance: float
    freedom: float
    #: skewness of the estimate, if it is so large and clear that Student's t must be corrected for it; otherwise 0
    skewness: float = 0.0

    def reach(self, confidence: float = 0.95) -> Reach:
        """Return how far the interval extends below and above the estimate."""
        scale = math.sqrt(self.variance)
        ends = reach(student_quantile((1 + confidence) / 2, self.freedom), self.skewness)
        return Reach(ends.below * scale, ends.above * scale)

    def p(self, value: float) -> float:
        """Return the two-sided p-value of an estimate for a true value of 0: below 0.05 if its interval excludes 0."""
        t = student_equivalent(-value / math.sqrt(self.variance), self.skewness)
        return min(1.0, 2 * student_tail(t, self.freedom))

    def half_width(self, confidence: float = 0.95) -> float:
        """Return the half-width of the interval."""
        return student_quantile((1 + confidence) / 2, self.freedom) * math.sqrt(self.variance)

    @property
    def remark(self) -> str | None:
        """A remark if the interval is based on few units; None otherwise."""
        return few_units(self.freedom + 1)

    def scaled(self, weight: float) -> "Error":
        """Return the error of the estimate multiplied by a weight."""
        return Error(weight**2 * self.variance, self.freedom, math.copysign(1.0, weight) * self.skewness)


def few_units(units: float) -> str | None:
    """Return a remark if an interval is based on few units; None otherwise."""
    return f"few units ({units:.0f}): the interval is approximate" if units < FEW else None


def why_no_interval(units: int, noun: str) -> str:
    """Return why a mean over units has no interval: there are few of them, or few of them decide it."""
    if units < FEWEST:
        return f"no interval with fewer than {FEWEST} {noun}"
    return f"no interval, because one or two of the {units} {noun} make up most of the data and decide the result"


def are_too_few(freedom: float) -> bool:
    """Return whether so few clusters decide an estimate that it has no interval: fewer than three of equal size."""
    return freedom < FEWEST_UNITS - 1 - 1e-9


def p_of_mean(value: float, error: Error | None) -> float | None:
    """Return the two-sided p-value for a mean of 0; None if there is no interval."""
    if interval(value, error) is None or error is None:
        return None
    return error.p(value)


#: maximum half-width on the log scale: exp(2 · 350) is close to the largest float
WIDEST = 350.0


def interval(value: float, error: Error | None, confidence: float = 0.95) -> tuple[float, float] | None:
    """Return the interval around a value; None if its error is unknown, zero, or would overflow on the ratio scale."""
    if error is None or not math.isfinite(error.variance) or error.variance <= ROUNDING:
        return None
    below, above = error.reach(confidence)
    return (value - below, value + above) if max(below, above) < WIDEST else None


def bounded_interval(value: float, half: float, bounds: tuple[float, float]) -> tuple[float, float]:
    """Return the interval of a value with this half-width, computed on the logit scale of the range within `bounds`."""
    low, high = bounds
    room = (value - low) * (high - value)
    if room <= 0:
        return value, value
    centre, reach = math.log((value - low) / (high - value)), half * (high - low) / room
    first, last = (low + (high - low) * (1 + math.tanh(end / 2)) / 2 for end in (centre - reach, centre + reach))
    return first, last


def total(errors: Iterable[Error]) -> Error:
    """Return the error of a sum of independent estimates."""
    varying = [error for error in errors if error.variance > 0]
    variance = sum(error.variance for error in varying)
    spread = sum(error.variance**2 / error.freedom for error in varying)
    return Error(variance, variance**2 / spread if spread > 0 else math.inf)


def influences(values: Array) -> Array:
    """Return each non-empty row's influence on the mean of the column means; missing values (NaN) are ignored.

    For a single column these are the deviations from the mean divided by n.
    """
    by_row: Array = _cells(values).sum(axis=1)
    return by_row[np.isfinite(values).any(axis=1)]


def _cells(values: Array) -> Array:
    """Return each cell's influence on the mean of the column means; 0 for missing values."""
    present = np.isfinite(values)
    counts = present.sum(axis=0)
    filled = np.where(present, values, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        deviations = np.where(present, filled - filled.sum(axis=0) / counts, 0.0) / counts
    by_cell: Array = deviations / values.shape[1]
    return by_cell


class PooledVariances(NamedTuple):
    """Pooled within-table variance of each column, and its degrees of freedom (0 if unknown)."""

    variances: Array
    freedom: Array


def pooled_variances(tables: Iterable[Array]) -> PooledVariances:
    """Return each column's within-table variance, pooled over tables."""
    squares, freedom = np.zeros(1), np.zeros(1)
    for values in tables:
        present = np.isfinite(values)
        counts = np.maximum(present.sum(axis=0), 1)
        filled = np.where(present, values, 0.0)
        deviations = np.where(present, filled - filled.sum(axis=0) / counts, 0.0)
        squares, freedom = squares + (deviations**2).sum(axis=0), freedom + counts - 1.0
    return PooledVariances(squares / np.maximum(freedom, 1), freedom)


def is_sparse(values: Array) -> bool:
    """Return whether any column has too few readings for a reliable variance of its own."""
    counts = np.isfinite(values).sum(axis=0)
    return bool((counts < min(FEWEST, len(values))).any())


def error_of_mean(values: Array, pooled: PooledVariances | None = None) -> Error | None:
    """Return the error of the mean of the column means; None for fewer than two rows.

    Each column has its own variance and degrees of freedom; columns covary through shared rows, so that complete
    columns have the n - 1 degrees of freedom of their row means. The variance of a column with fewer than `FEWEST`
    readings is at least the `pooled` one or, if there is none, that of all columns.
    """
    values = values[np.isfinite(values).any(axis=1)]
    present = np.isfinite(values)
    n, counts = len(values), present.sum(axis=0)
    if n < 2:
        return None
    cells = _cells(values)
    if present.all():
        return Error(float((cells.sum(axis=1) ** 2).sum()) * n / (n - 1), n - 1)
    freedom = np.maximum(counts - 1.0, 1.0)
    cells = cells * np.sqrt(counts / freedom)
    parts = cells.sum(axis=1) @ cells
    if is_sparse(values):
        column_variances = _known_variances(values, pooled)
        if column_variances is None:
            return None
        least = column_variances.variances / counts / len(counts) ** 2
        few = counts < FEWEST
        parts = np.where(few, np.maximum(parts, least), parts)
        freedom = np.where(few, column_variances.freedom, freedom)
    variance = float(parts.sum())
    shared = present.T.astype(np.float64) @ present / np.sqrt(np.outer(counts, counts))
    scaled = parts / np.sqrt(freedom)
    spread = float(scaled @ shared @ scaled)
    return Error(variance, max(1.0, variance**2 / spread) if spread > 0 else n - 1)


def _known_variances(values: Array, pooled: PooledVariances | None) -> PooledVariances | None:
    """Return a variance for every column: the pooled one or, failing that, that of all columns; None if unknown."""
    own = pooled_variances([values])
    whole = float(own.freedom.sum())
    if pooled is None:
        pooled = own
    has_variance = pooled.freedom > 0
    if whole == 0 and not has_variance.all():
        return None
    over_all = float((own.variances * own.freedom).sum()) / max(whole, 1)
    return PooledVariances(
        np.where(has_variance, pooled.variances, over_all), np.where(has_variance, pooled.freedom, whole)
    )


def error_of_strata(strata: Sequence[tuple[float, Array]], pooled: PooledVariances | None = None) -> Error | None:
    """Return the error of a weighted sum of stratum means, given as (weight, values [rows, columns]).

    Strata with one row have no variance of their own. Several of them are pooled into one stratum, whose variance also
    includes the differences between them and is therefore conservative; a single one is assigned the variance of the
    other strata.
    """
    errors, by_row, lone = [], [], []
    for weight, values in strata:
        error = error_of_mean(values, pooled)
        if error is None:
            lone.append((weight, float(np.nanmean(values))))
            continue
        n = error.freedom + 1
        by_row.append(Error(error.variance * n, error.freedom))
        errors.append(error.scaled(weight))
    if len(lone) > 1:
        spread = float(np.var([value for _, value in lone], ddof=1))
        errors.append(Error(sum(weight**2 for weight, _ in lone) * spread, len(lone) - 1))
    elif lone:
        freedom = sum(error.freedom for error in by_row)
        if freedom == 0:
            return None
        spread = sum(error.variance * error.freedom for error in by_row) / freedom
        errors.append(Error(lone[0][0] ** 2 * spread, freedom))
    if not errors:
        return None
    whole = total(errors)
    # Strata that share a pooled variance do not add to its degrees of freedom.
    return whole if pooled is None else Error(whole.variance, min(whole.freedom, float(pooled.freedom.sum())))
