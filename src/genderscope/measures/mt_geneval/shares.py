"""Shares over segments: within a language every segment counts once; the same English in several languages is one unit.

A share over several languages is the mean of the languages' shares.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.statistics.clustered import codes, one_way
from genderscope.statistics.proportions import Share, difference, effective, interval
from genderscope.statistics.student import FEWEST

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Weighed:
    """A share, the influence of each reading on it, and the segment that each is of."""

    value: float
    moved: Array
    items: npt.NDArray[np.str_]
    n: int

    @cached_property
    def units(self) -> int:
        """The number of segments."""
        return len(np.unique(self.items))

    @cached_property
    def share(self) -> Share:
        """The share with its effective sample size: the number of readings where none share a segment."""
        if self.units == self.n:
            return Share(self.value, self.n)
        error = one_way(self.moved, codes(self.items))
        return Share(self.value, self.n) if error is None else effective(self.value, error.variance, self.n, self.units)

    @property
    def ends(self) -> tuple[float, float] | None:
        """The interval; None for too few segments."""
        return None if self.units < FEWEST else interval(self.share)


def weighed(values: "pd.Series[float]", languages: "pd.Series[str]", items: "pd.Series[str]") -> Weighed | None:
    """Return the share of values that are 1, missing ones left out; None if a language has none."""
    every = sorted(languages.unique())
    numbers = values.to_numpy(dtype=np.float64)
    present = ~np.isnan(numbers)
    numbers = numbers[present]
    moved = np.zeros(len(numbers))
    means = []
    for language in every:
        mine = np.full(len(numbers), True) if len(every) == 1 else (languages == language).to_numpy()[present]
        if not mine.any():
            return None
        read = numbers[mine]
        means.append(float(read.mean()))
        moved[mine] = (read - read.mean()) / (len(read) * len(every))
    if not means:
        return None
    return Weighed(float(np.mean(means)), moved, items.to_numpy(dtype=str)[present], len(numbers))


def gap_interval(one: Weighed, other: Weighed) -> tuple[float, float] | None:
    """Return the interval of a difference of shares; the two versions of a segment vary together."""
    if min(one.units, other.units) < FEWEST:
        return None
    moved = np.concatenate([one.moved, -other.moved])
    error = one_way(moved, codes(np.concatenate([one.items, other.items])))
    return None if error is None else difference(one.share, other.share, error)
