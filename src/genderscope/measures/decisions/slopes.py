"""The slope of a share on a score, with scenarios as the units.

The interval adds four pseudo-answers, one of each gender at one standard deviation below and above the mean score, as
Agresti and Caffo (2000) do for differences of shares; without them, it would collapse where all answers agree. The
variance is heteroscedasticity-consistent (HC2), since the variance of a share depends on the share.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from genderscope.statistics.cluster_variance import codes, one_way
from genderscope.statistics.student_intervals import FEWEST, Error

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Slope:
    """A least-squares slope and each value's influence on it."""

    scores: Array
    values: Array
    items: npt.NDArray[np.str_]

    @property
    def n(self) -> int:
        """The number of values."""
        return len(self.values)

    @cached_property
    def value(self) -> float:
        """The change of the value for a score that is higher by 1."""
        return _fitted(self.scores, self.values)[0]

    @cached_property
    def moved(self) -> Array:
        """The influence of each value, corrected for its leverage."""
        return _fitted(self.scores, self.values)[1]

    @cached_property
    def error(self) -> Error | None:
        """The error of the slope over scenarios."""
        return _error(self.moved, self.items)

    @property
    def units(self) -> int:
        """The number of scenarios."""
        return len(np.unique(self.items))

    @cached_property
    def ends(self) -> tuple[float, float] | None:
        """The interval; None for too few scenarios."""
        if self.units < max(FEWEST, 4):
            return None
        middle, far = float(self.scores.mean()), float(self.scores.std())
        scores = np.concatenate([self.scores, np.repeat([middle - far, middle + far], 2)])
        values = np.concatenate([self.values, [0.0, 1.0, 0.0, 1.0]])
        items = np.concatenate([self.items, [f"\0{k}" for k in range(4)]])
        centre, moved = _fitted(scores, values)
        error = _error(moved, items)
        if error is None:
            return None
        half = Error(error.variance, self.units - 2).half_width()
        return min(self.value, centre - half), max(self.value, centre + half)


def slope_of(values: Array, scores: Array, items: npt.NDArray[np.str_]) -> Slope | None:
    """Return the slope over the non-missing values; None if their scores do not differ."""
    present = np.isfinite(values)
    if present.sum() < 2 or np.ptp(scores[present]) == 0:
        return None
    return Slope(scores[present], values[present], items[present])


def _fitted(scores: Array, values: Array) -> tuple[float, Array]:
    """Return the slope and each value's influence on it."""
    centred = scores - scores.mean()
    size = float((centred**2).sum())
    around = values - values.mean()
    slope = float(centred @ around) / size
    residuals = around - slope * centred
    leverage = np.minimum(1 / len(scores) + centred**2 / size, 1 - 1e-9)
    return slope, centred * residuals / size / np.sqrt(1 - leverage)


def _error(moved: Array, items: npt.NDArray[np.str_]) -> Error | None:
    found = one_way(moved, codes(items), 2)
    if found is None:
        return None
    units = found.freedom + 2
    return Error(found.variance * found.freedom / units, found.freedom)  # HC2 has its own correction for two means
