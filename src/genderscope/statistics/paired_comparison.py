"""Paired comparison of two systems on the same rows.

The influences of each row on the two estimates are subtracted, so that the difficulty of a row, which affects both
systems, cancels. The error of the difference gives the interval and p-value by Student's t.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from genderscope.statistics.estimate import Estimate
from genderscope.statistics.influence import Influence, replicated
from genderscope.statistics.quantiles import student_tail
from genderscope.statistics.student_intervals import ROUNDING as NO_VARIANCE
from genderscope.statistics.student_intervals import Error

Array = npt.NDArray[np.float64]

#: differences smaller than this are rounding error
ROUNDING = 1e-9


@dataclass(frozen=True)
class Resampled:
    """Estimate with the influence of its rows or, failing that, with bootstrap replicates and stratum sizes.

    For ratios (neutral 1), value, influence and replicates are on the log scale.
    """

    estimate: Estimate
    value: float
    replicates: Array | None = None
    sizes: Sequence[int] = ()
    given_influence: Influence | None = None
    #: influence for the wide interval, if the measure has one, which then generalises over `estimate.wide_over`
    wide: Influence | None = None

    @property
    def neutral(self) -> float:
        """The neutral point on the scale of the value."""
        return 0.0 if self.estimate.neutral == 1 else self.estimate.neutral or 0.0

    @cached_property
    def influence(self) -> Influence:
        """The influence of the rows, approximated by the replicates if not given."""
        if self.given_influence is not None:
            return self.given_influence
        return replicated(np.empty(0) if self.replicates is None else self.replicates, self.sizes)


@dataclass(frozen=True)
class Contrast:
    """Sum or difference of two paired estimates; interval and p-value are None if there is too little data."""

    value: float
    influence: Influence

    @property
    def error(self) -> Error | None:
        """The error of the contrast."""
        return self.influence.error

    @cached_property
    def p(self) -> float | None:
        """The two-sided p-value; if all rows differ by the same amount, that of a sign-flip test."""
        if self.error is None or not math.isfinite(self.value):
            return None
        if self.error.variance <= NO_VARIANCE:
            return 1.0 if abs(self.value) < ROUNDING else 0.5 ** min(self.error.freedom, 1000.0)
        return min(1.0, 2 * student_tail(abs(self.value) / math.sqrt(self.error.variance), self.error.freedom))

    def interval(self, level: float = 0.05) -> tuple[float, float] | None:
        """Return the interval with confidence 1 - level; it excludes 0 exactly when p < level."""
        if self.error is None or self.p is None:
            return None
        if self.error.variance <= NO_VARIANCE:
            return (self.value, self.value) if self.p < level else (min(0.0, self.value), max(0.0, self.value))
        half = self.error.half_width(1 - level)
        return self.value - half, self.value + half


@dataclass(frozen=True)
class SignTest:
    """Sign test: counts of items on which the second system is above, below and equal to the first; ties are ignored.

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
        """The lower limit of the share's Clopper-Pearson interval."""
        return None if self.share is None else float(_clopper_pearson(self.above, self.below).low)

    @property
    def high(self) -> float | None:
        """The upper limit of the share's Clopper-Pearson interval."""
        return None if self.share is None else float(_clopper_pearson(self.above, self.below).high)

    def to_json(self) -> dict[str, float | None]:
        """Return the test as a JSON-serialisable dictionary."""
        return {**asdict(self), "share": self.share, "low": self.low, "high": self.high}


def generalised(first: Resampled, second: Resampled) -> tuple[Resampled, Resampled] | None:
    """Return both estimates with their wide influences in place of the narrow ones; None if one has none."""
    if first.wide is None or second.wide is None:
        return None
    return replace(first, given_influence=first.wide), replace(second, given_influence=second.wide)


def contrast(first: Resampled, second: Resampled) -> Contrast:
    """Return the contrast second minus first."""
    return Contrast(second.value - first.value, second.influence.plus(first.influence, -1.0))


def joint_distance(first: Resampled, second: Resampled) -> Contrast:
    """Return the sum of the two signed distances from the neutral point.

    |b| < |a| exactly when b - a and b + a have opposite signs, so both are needed to tell which is nearer to neutral.
    """
    a, b = (side.value - side.neutral for side in (first, second))
    return Contrast(a + b, second.influence.plus(first.influence, 1.0))


def sign_test(first: Array, second: Array) -> SignTest:
    """Run the exact sign test on paired outcomes."""
    changes = second - first
    above, below = int((changes > ROUNDING).sum()), int((changes < -ROUNDING).sum())
    p = float(_binomial_test(above, below).pvalue) if above + below else 1.0
    return SignTest(above, below, len(changes) - above - below, p)


@cache
def _binomial_test(above: int, below: int) -> Any:
    from scipy import stats  # takes half a second to import, and only comparisons need it

    return stats.binomtest(above, above + below, 0.5)


@cache
def _clopper_pearson(above: int, below: int) -> Any:
    return _binomial_test(above, below).proportion_ci(0.95, "exact")
