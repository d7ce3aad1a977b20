"""Paired comparison of two systems on the same rows.

The influence of each row on the two estimates is subtracted, so that the difficulty of a row, which both systems share,
cancels. The error of what is left gives interval and p by Student's t.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from genderscope.statistics.estimate import Estimate
from genderscope.statistics.influence import Influence, replicated
from genderscope.statistics.student import ROUNDING as NO_VARIANCE
from genderscope.statistics.student import Error
from genderscope.statistics.tails import student_tail

Array = npt.NDArray[np.float64]

#: differences smaller than this are rounding error
ROUNDING = 1e-9


@dataclass(frozen=True)
class Resampled:
    """An estimate with the influence of its rows, or else with bootstrap replicates and the sizes of the strata.

    Value, influence and replicates of a ratio (neutral 1) are on the log scale.
    """

    estimate: Estimate
    value: float
    replicates: Array | None = None
    sizes: Sequence[int] = ()
    moved: Influence | None = None

    @property
    def neutral(self) -> float:
        """The neutral point on the scale of the value."""
        return 0.0 if self.estimate.neutral == 1 else self.estimate.neutral or 0.0

    @cached_property
    def influence(self) -> Influence:
        """The influence of the rows, or what the replicates show of it."""
        if self.moved is not None:
            return self.moved
        return replicated(np.empty(0) if self.replicates is None else self.replicates, self.sizes)


@dataclass(frozen=True)
class Contrast:
    """A sum or difference of two paired estimates; interval and p are None if there is too little data."""

    value: float
    influence: Influence

    @property
    def error(self) -> Error | None:
        """The error of the contrast."""
        return self.influence.error

    @cached_property
    def p(self) -> float | None:
        """The two-sided p-value; if all rows differ by the same amount, that of flipping their signs."""
        if self.error is None or not math.isfinite(self.value):
            return None
        if self.error.variance <= NO_VARIANCE:
            return 1.0 if abs(self.value) < ROUNDING else 0.5 ** min(self.error.freedom, 1000.0)
        return min(1.0, 2 * student_tail(abs(self.value) / math.sqrt(self.error.variance), self.error.freedom))

    def interval(self, level: float = 0.05) -> tuple[float, float] | None:
        """Return the interval at an error level; it excludes 0 exactly if p is below that level."""
        if self.error is None or self.p is None:
            return None
        if self.error.variance <= NO_VARIANCE:
            return (self.value, self.value) if self.p < level else (min(0.0, self.value), max(0.0, self.value))
        half = self.error.half_width(1 - level)
        return self.value - half, self.value + half


@dataclass(frozen=True)
class SignTest:
    """In how many items the second system lies above the first, and below; ties do not count.

    For binary outcomes with one row per item this is the exact McNemar test.
    """

    above: int
    below: int
    equal: int
    p: float

    @property
    def share(self) -> float | None:
        """The share of `above` among the items that differ."""
        differ = self.above + self.below
        return self.above / differ if differ else None

    @property
    def low(self) -> float | None:
        """The lower end of the share's Clopper-Pearson interval."""
        return None if self.share is None else float(_clopper_pearson(self.above, self.below).low)

    @property
    def high(self) -> float | None:
        """The upper end of the share's Clopper-Pearson interval."""
        return None if self.share is None else float(_clopper_pearson(self.above, self.below).high)

    def to_json(self) -> dict[str, float | None]:
        """Return the test in JSON types."""
        return {**asdict(self), "share": self.share, "low": self.low, "high": self.high}


def contrast(first: Resampled, second: Resampled) -> Contrast:
    """Return second minus first."""
    return Contrast(second.value - first.value, second.influence.plus(first.influence, -1.0))


def joint_distance(first: Resampled, second: Resampled) -> Contrast:
    """Return the sum of the two distances from the neutral point, each with its sign.

    |b| < |a| holds exactly if b - a and b + a have opposite signs: deciding which is nearer to neutral needs both.
    """
    a, b = (each.value - each.neutral for each in (first, second))
    return Contrast(a + b, second.influence.plus(first.influence, 1.0))


def sign_test(first: Array, second: Array) -> SignTest:
    """Run the exact sign test on two outcomes of the same items."""
    moved = second - first
    above, below = int((moved > ROUNDING).sum()), int((moved < -ROUNDING).sum())
    p = float(_binomial_test(above, below).pvalue) if above + below else 1.0
    return SignTest(above, below, len(moved) - above - below, p)


@cache
def _binomial_test(above: int, below: int) -> Any:
    from scipy import stats  # half a second to import, and only comparisons need it

    return stats.binomtest(above, above + below, 0.5)


@cache
def _clopper_pearson(above: int, below: int) -> Any:
    return _binomial_test(above, below).proportion_ci(0.95, "exact")
