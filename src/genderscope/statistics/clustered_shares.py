"""Proportions averaged over strata, such as languages, with clusters as the units.

Within a stratum, every reading counts once; the proportion is the mean of the strata's proportions. A cluster may have
readings in several strata. Clusters may differ widely in size, so the degrees of freedom are based on their effective
number.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from genderscope.statistics.cluster_variance import clustered_error, codes
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
    row_weights: Array
    items: npt.NDArray[np.str_]
    n: int
    #: number of answers that the pseudo-answer is one of, if not `n`; larger if it differs by less than 1
    answers: float | None = None

    @cached_property
    def units(self) -> int:
        """The number of units."""
        return len(np.unique(self.items))

    @cached_property
    def error(self) -> Error | None:
        """The error of the proportion (variance and degrees of freedom); None with a single unit."""
        return clustered_error(self.influences, self.row_weights, codes(self.items), 1, False)

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


def weighted_share(
    values: "pd.Series[float]", strata: "pd.Series[str]", units: "pd.Series[str]"
) -> WeightedShare | None:
    """Return the mean of values between 0 and 1, ignoring missing ones; None if a stratum has no values."""
    every = sorted(strata.unique())
    numbers = values.to_numpy(dtype=np.float64)
    present = ~np.isnan(numbers)
    numbers = numbers[present]
    influences, row_weights = np.zeros((2, len(numbers)))
    means = []
    for stratum in every:
        in_stratum = np.full(len(numbers), True) if len(every) == 1 else (strata == stratum).to_numpy()[present]
        if not in_stratum.any():
            return None
        read = numbers[in_stratum]
        means.append(float(read.mean()))
        influences[in_stratum] = (read - read.mean()) / (len(read) * len(every))
        row_weights[in_stratum] = 1 / (len(read) * len(every))
    if not means:
        return None
    return WeightedShare(
        float(np.mean(means)), influences, row_weights, units.to_numpy(dtype=str)[present], len(numbers)
    )


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
    ratios = []
    for stratum in every:
        in_stratum = stratum_of == stratum
        total = whole[in_stratum].sum()
        if total == 0:
            return None
        ratios.append(float(part[in_stratum].sum() / total))
        influences[in_stratum] = (part[in_stratum] - ratios[-1] * whole[in_stratum]) / (total * len(every))
        row_weights[in_stratum] = whole[in_stratum] / (total * len(every))
    if not ratios:
        return None
    return WeightedShare(float(np.mean(ratios)), influences, row_weights, units.to_numpy(dtype=str)[counted], len(part))


def error_of_gap(one: WeightedShare, other: WeightedShare) -> Error | None:
    """Return the error of a difference of proportions, given that readings of one unit are correlated."""
    if min(one.units, other.units) < FEWEST:
        return None
    influences = np.concatenate([one.influences, -other.influences])
    row_weights = np.concatenate([one.row_weights, other.row_weights])
    return clustered_error(influences, row_weights, codes(np.concatenate([one.items, other.items])), 1, False)
