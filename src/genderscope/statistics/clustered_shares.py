"""Proportions averaged over strata, such as languages, with clusters as the units.

Within a stratum, every reading counts once; the proportion is the mean of the strata's proportions. A cluster may have
readings in several strata. Clusters may differ widely in size (`cluster_variance.correction`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from genderscope.statistics.cluster_variance import cluster_error, codes
from genderscope.statistics.proportions import Share, by_student, effective, interval
from genderscope.statistics.student_intervals import FEWEST, Error, few_units

if TYPE_CHECKING:
    import pandas as pd

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class WeightedShare:
    """A proportion, and each reading's influence, weight and unit."""

    value: float
    influences: Array
    loads: Array
    items: npt.NDArray[np.str_]
    n: int
    #: the mean from which each reading's deviation is computed: its stratum's
    means: npt.NDArray[np.int64]
    #: number of answers that the pseudo-answer is one of, if not `n`; larger if it differs by less than 1
    answers: float | None = None

    @cached_property
    def units(self) -> int:
        """The number of units."""
        return len(np.unique(self.items))

    @cached_property
    def error(self) -> Error | None:
        """The error of the proportion (variance and degrees of freedom); None if too few units decide it."""
        return cluster_error(self.influences, self.loads, codes(self.items), self.means)

    @cached_property
    def share(self) -> Share:
        """The proportion with its effective sample size, which is the number of readings if none share a unit."""
        if not self.clustered or self.error is None:
            return Share(self.value, self.n)
        return effective(self.value, self.error.variance, self.answers or self.n, self.units)

    @property
    def clustered(self) -> bool:
        """Whether readings share a unit, or may lie between 0 and 1."""
        return self.units < self.n or (self.answers or 0) > self.n

    @property
    def freedom(self) -> float | None:
        """The degrees of freedom of the variance over units; None if no readings share a unit."""
        return self.error.freedom if self.error is not None and self.clustered else None

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The confidence interval; None for too few units."""
        if self.units < FEWEST or self.error is None:
            return None
        return interval(self.share if self.freedom is None else by_student(self.share, self.freedom))

    @property
    def remark(self) -> str | None:
        """A warning if the interval is based on few units, otherwise None."""
        return few_units(self.units)


class Sides(NamedTuple):
    """The readings of a proportion, or of both sides of a difference of proportions."""

    influences: Array
    loads: Array
    items: npt.NDArray[np.str_]
    means: npt.NDArray[np.int64]

    @classmethod
    def of(cls, shares: Sequence[WeightedShare]) -> "Sides":
        """Join the readings of one or two shares; those of the second have negative influences."""
        return cls(
            np.concatenate([sign * share.influences for sign, share in zip((1.0, -1.0), shares, strict=False)]),
            np.concatenate([share.loads for share in shares]),
            np.concatenate([share.items for share in shares]),
            np.concatenate([2 * share.means + side for side, share in enumerate(shares)]),
        )


def weighted_share(
    values: "pd.Series[float]", strata: "pd.Series[str]", units: "pd.Series[str]"
) -> WeightedShare | None:
    """Return the mean of values between 0 and 1, ignoring missing ones; None if a stratum has no values."""
    every = sorted(strata.unique())
    numbers = values.to_numpy(dtype=np.float64)
    present = ~np.isnan(numbers)
    numbers = numbers[present]
    influences, loads = np.zeros((2, len(numbers)))
    means, mean_of = [], np.zeros(len(numbers), dtype=np.int64)
    for k, stratum in enumerate(every):
        mine = np.full(len(numbers), True) if len(every) == 1 else (strata == stratum).to_numpy()[present]
        if not mine.any():
            return None
        read = numbers[mine]
        means.append(float(read.mean()))
        influences[mine] = (read - read.mean()) / (len(read) * len(every))
        loads[mine] = 1 / (len(read) * len(every))
        mean_of[mine] = k
    if not means:
        return None
    items = units.to_numpy(dtype=str)[present]
    return WeightedShare(float(np.mean(means)), influences, loads, items, len(numbers), mean_of)


def ratio(
    parts: "pd.Series[float]", wholes: "pd.Series[float]", strata: "pd.Series[str]", units: "pd.Series[str]"
) -> WeightedShare | None:
    """Return the sum of the parts divided by that of the wholes, averaged over strata; None if a stratum has no whole.

    A row's influence is that on a ratio of means; rows without a whole have none.
    """
    every = sorted(strata.unique())
    order = np.argsort(strata.to_numpy(dtype=str), kind="stable")
    counted = order[(wholes > 0).to_numpy()[order]]
    part, whole = (column.to_numpy(dtype=np.float64)[counted] for column in (parts, wholes))
    stratum_of = strata.to_numpy()[counted]
    influences, loads = np.zeros((2, len(part)))
    ratios, mean_of = [], np.zeros(len(part), dtype=np.int64)
    for k, stratum in enumerate(every):
        chosen = stratum_of == stratum
        total = whole[chosen].sum()
        if total == 0:
            return None
        ratios.append(float(part[chosen].sum() / total))
        influences[chosen] = (part[chosen] - ratios[-1] * whole[chosen]) / (total * len(every))
        loads[chosen] = whole[chosen] / (total * len(every))
        mean_of[chosen] = k
    if not ratios:
        return None
    items = units.to_numpy(dtype=str)[counted]
    return WeightedShare(float(np.mean(ratios)), influences, loads, items, len(part), mean_of)


def error_of_gap(one: WeightedShare, other: WeightedShare) -> Error | None:
    """Return the error of a difference of proportions, given that readings of one unit are correlated."""
    if min(one.units, other.units) < FEWEST:
        return None
    sides = Sides.of((one, other))
    return cluster_error(sides.influences, sides.loads, codes(sides.items), sides.means)
