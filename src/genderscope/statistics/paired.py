"""Paired comparison of two systems on the same rows.

Two estimates resampled with the same seed from the same rows share their draws, so the difference of their replicates
is the paired bootstrap of the difference: the difficulty of the sampled rows varies for both systems alike.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from genderscope.statistics.bootstrap import interval
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.student import Error
from genderscope.statistics.tails import normal_quantile, student_tail

Array = npt.NDArray[np.float64]

#: replicates that vary less than this are equal up to rounding
ROUNDING = 1e-9
#: every difference of clustered estimates uses the same random numbers, so that a family of them shares its draws
SEED = (2011,)


class Moved(Protocol):
    """The influence of clustered rows on an estimate."""

    @property
    def error(self) -> Error | None: ...

    def plus(self, other: Any, sign: float) -> "Moved": ...

    def deviations(self, seed: Sequence[int], resamples: int) -> Array: ...


@dataclass(frozen=True)
class Resampled:
    """An estimate with its bootstrap replicates; for a ratio (neutral 1) they are on the log scale."""

    estimate: Estimate
    value: float
    replicates: Array
    sizes: Sequence[int]
    #: for clustered rows: what two systems share determines the error of their difference
    moved: Moved | None = None

    @property
    def neutral(self) -> float:
        """The neutral point on the scale of the replicates."""
        return 0.0 if self.estimate.neutral == 1 else self.estimate.neutral or 0.0


@dataclass(frozen=True)
class Contrast:
    """A sum or difference of two paired estimates; interval and p are None if there is too little data."""

    value: float
    low: float | None
    high: float | None
    p: float | None
    #: whether all resamples gave the same value
    constant: bool


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


@dataclass(frozen=True)
class Drawn:
    """A contrast on the scale on which it was resampled, with its replicates and numbers of units."""

    contrast: Contrast
    replicates: Array
    sizes: Sequence[int]


def contrast(first: Resampled, second: Resampled) -> Drawn:
    """Return second minus first."""
    return _drawn(first, second, -1.0, second.value - first.value)


def joint_distance(first: Resampled, second: Resampled) -> Drawn:
    """Return the sum of the two distances from the neutral point, each with its sign.

    |b| < |a| holds exactly if b - a and b + a have opposite signs: deciding which is nearer to neutral needs both.
    """
    a, b = (each.value - each.neutral for each in (first, second))
    return _drawn(first, second, 1.0, a + b)


def _drawn(first: Resampled, second: Resampled, sign: float, value: float) -> Drawn:
    """Add two estimates (or subtract, by the sign).

    For clustered rows the sum has an error of its own: an adverb that moves both systems alike cancels in their
    difference. Otherwise the error comes from the replicates, which share their draws, whatever the order of the two.
    """
    count = len(second.replicates)
    if first.moved is not None and second.moved is not None and count:
        both = second.moved.plus(first.moved, sign)
        error = both.error
        sizes: Sequence[int] = [1 if error is None else int(error.freedom) + 1]
        replicates: Array = value + both.deviations(SEED, count)
    else:
        sizes = min((second.sizes, first.sizes), key=lambda each: sum(n - 1 for n in each))
        replicates = second.replicates + sign * first.replicates - (1 + sign) * second.neutral
    return Drawn(_contrast(value, replicates, sizes), replicates, sizes)


def _contrast(value: float, replicates: Array, sizes: Sequence[int]) -> Contrast:
    usable = replicates[np.isfinite(replicates)]
    constant = len(usable) > 0 and bool(np.ptp(usable) < ROUNDING)
    low, high = interval(replicates, sizes) or (None, None)
    return Contrast(value, low, high, two_sided_p(value, replicates, sizes), constant)


def two_sided_p(value: float, replicates: Array, sizes: Sequence[int]) -> float | None:
    """Return the p-value that belongs to the expanded percentile interval: 1 minus the confidence that just excludes 0.

    If too few replicates lie beyond 0 to be counted, the tail is that of Student's t.
    """
    usable = replicates[np.isfinite(replicates)]
    if not sizes or min(sizes) < 2 or len(usable) == 0:
        return None
    beyond = min(int((usable <= ROUNDING).sum()), int((usable >= -ROUNDING).sum()))
    tail = min(0.5, (beyond + 1) / (len(usable) + 1))
    freedom = sum(n - 1 for n in sizes)
    kept = float(np.sqrt(np.mean([(n - 1) / n for n in sizes])))
    p = 2 * student_tail(-normal_quantile(tail) * kept, freedom)
    spread = float(usable.std())
    if beyond == 0 and spread > ROUNDING:
        p = min(p, 2 * student_tail(abs(value) / spread * kept, freedom))
    return min(1.0, p)


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
