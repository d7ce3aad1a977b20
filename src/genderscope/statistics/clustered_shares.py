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

from genderscope.statistics.cluster_variance import (
    Crossing,
    cluster_error,
    clustered,
    codes,
    one_way,
    together,
    two_way,
)
from genderscope.statistics.clustered_means import ClusteredMean
from genderscope.statistics.influence import Influence
from genderscope.statistics.proportions import Share, by_student, effective, interval
from genderscope.statistics.student_intervals import FEWEST, FEWEST_UNITS, Error, few_units, total

if TYPE_CHECKING:
    import pandas as pd

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class WeightedShare(ClusteredMean):
    """A proportion, and each reading's influence, weight and unit."""

    #: number of answers that the pseudo-answer is one of, if not `n`; larger if it differs by less than 1
    answers: float | None = None
    #: number of clusters that a pseudo-answer is one of, if not the number of units
    texts: int | None = None
    #: second units, crossed with the first
    companions: npt.NDArray[np.str_] | None = None

    @cached_property
    def units(self) -> int:
        """The number of units; of readings, if the units are crossed."""
        return len(np.unique(self.items)) if self.companions is None else self.n

    @cached_property
    def error(self) -> Error | None:
        """The error of the proportion (variance and degrees of freedom); None if too few units decide it."""
        if self.companions is None:
            return super().error
        return two_way(self.influences, self.row_weights, self._codes, codes(self.companions), self.means)

    @cached_property
    def share(self) -> Share:
        """The proportion with its effective sample size, which is the number of readings if none share a unit."""
        if not self.clustered or self.error is None:
            return Share(self.value, self.n)
        return effective(self.value, self.error.variance, self.answers or self.n, self.texts or self.units)

    @property
    def clustered(self) -> bool:
        """Whether readings share a unit, or may lie between 0 and 1."""
        return self.companions is not None or super().clustered or (self.answers or 0) > self.n

    @property
    def freedom(self) -> float | None:
        """The degrees of freedom of the variance over units; None if no readings share a unit."""
        return super().freedom if self.clustered else None

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The confidence interval; None for too few units."""
        if self.units < FEWEST or self.error is None:
            return None
        return self.bounds_at(0.95)

    def bounds_at(self, confidence: float) -> tuple[float, float]:
        """Return the interval with this confidence, given enough units."""
        sized = self.share if self.freedom is None else by_student(self.share, self.freedom, confidence)
        return interval(sized, confidence)

    @property
    def influence(self) -> Influence:
        """The influence of each unit, for comparisons of runs."""
        if self.companions is None:
            return clustered(self.influences, self.row_weights, self.items, 1.0, self.means)
        imagined = 1 / ((self.answers or self.n) * self.units)
        return Crossing(self.influences, self.row_weights, self.mean_of_row, self.items, self.companions, imagined)

    @property
    def remark(self) -> str | None:
        """A warning if the interval is based on few units, otherwise None."""
        if self.companions is not None and self.error is not None:
            return self.error.remark
        return few_units(self.units)


class Sides(NamedTuple):
    """The readings of a proportion, or of both sides of a difference of proportions."""

    influences: Array
    row_weights: Array
    items: npt.NDArray[np.str_]
    means: npt.NDArray[np.int64]

    @classmethod
    def of(cls, shares: Sequence[WeightedShare]) -> "Sides":
        """Join the readings of one or two shares; those of the second have negative influences."""
        return cls(
            np.concatenate([sign * share.influences for sign, share in zip((1.0, -1.0), shares, strict=False)]),
            np.concatenate([share.row_weights for share in shares]),
            np.concatenate([share.items for share in shares]),
            np.concatenate([2 * share.mean_of_row + side for side, share in enumerate(shares)]),
        )


def weighted_share(
    values: "pd.Series[float]", strata: "pd.Series[str]", units: "pd.Series[str]"
) -> WeightedShare | None:
    """Return the mean of values between 0 and 1, ignoring missing ones; None if a stratum has no values."""
    every = sorted(strata.unique())
    numbers = values.to_numpy(dtype=np.float64)
    present = ~np.isnan(numbers)
    numbers = numbers[present]
    influences, row_weights = np.zeros((2, len(numbers)))
    means, mean_of = [], np.zeros(len(numbers), dtype=np.int64)
    for k, stratum in enumerate(every):
        in_stratum = np.full(len(numbers), True) if len(every) == 1 else (strata == stratum).to_numpy()[present]
        if not in_stratum.any():
            return None
        read = numbers[in_stratum]
        means.append(float(read.mean()))
        influences[in_stratum] = (read - read.mean()) / (len(read) * len(every))
        row_weights[in_stratum] = 1 / (len(read) * len(every))
        mean_of[in_stratum] = k
    if not means:
        return None
    items = units.to_numpy(dtype=str)[present]
    return WeightedShare(float(np.mean(means)), influences, row_weights, items, len(numbers), mean_of)


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
    influences, row_weights = np.zeros((2, len(part)))
    ratios, mean_of = [], np.zeros(len(part), dtype=np.int64)
    for k, stratum in enumerate(every):
        in_stratum = stratum_of == stratum
        total = whole[in_stratum].sum()
        if total == 0:
            return None
        ratios.append(float(part[in_stratum].sum() / total))
        influences[in_stratum] = (part[in_stratum] - ratios[-1] * whole[in_stratum]) / (total * len(every))
        row_weights[in_stratum] = whole[in_stratum] / (total * len(every))
        mean_of[in_stratum] = k
    if not ratios:
        return None
    items = units.to_numpy(dtype=str)[counted]
    return WeightedShare(float(np.mean(ratios)), influences, row_weights, items, len(part), mean_of)


def error_of_gap(one: WeightedShare, other: WeightedShare) -> Error | None:
    """Return the error of a difference of proportions, given that readings of one unit are correlated."""
    if min(one.units, other.units) < FEWEST:
        return None
    if one.companions is not None and other.companions is not None:
        return _error_of_crossed_gap((one, other), np.concatenate([one.companions, other.companions]))
    sides = Sides.of((one, other))
    return cluster_error(sides.influences, sides.row_weights, codes(sides.items), sides.means)


def _error_of_crossed_gap(sides: tuple[WeightedShare, WeightedShare], companions: npt.NDArray[np.str_]) -> Error | None:
    """Return the error of a difference between sides with different units but shared companions.

    Two single units (he, she) are compared over companions alone. Otherwise, a side with too few units has no error.
    """
    sizes = [len(np.unique(side.items)) for side in sides]
    if None in (side.error for side in sides) or (max(sizes) > 1 and min(sizes) < FEWEST_UNITS):
        return None
    cells = total(
        one_way(side.influences, side.row_weights, np.arange(len(side.influences))) or Error(0.0, 1.0) for side in sides
    )
    both = Sides.of(sides)
    kinds = [one_way(both.influences, both.row_weights, codes(companions), both.means)]
    if max(sizes) > 1:
        units = total(
            error for side in sides if (error := one_way(side.influences, side.row_weights, codes(side.items)))
        )
        # If the smaller side's variance is underestimated, its degrees of freedom get too little weight.
        alike = total(Error(1 / size, size - 1) for size in sizes)
        kinds.append(Error(units.variance, min(units.freedom, alike.freedom)))
    usable = [kind for kind in kinds if kind is not None]
    return together(cells, usable) if usable else None
