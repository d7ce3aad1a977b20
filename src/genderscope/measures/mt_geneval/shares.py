"""Shares over segments: within a language every segment counts once; the same English in several languages is one unit.

A share over several languages is the mean of the languages' shares. Units of contextual segments are professions, some
of which are much more frequent than others: the degrees of freedom are those of their effective number.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.statistics.clustered import codes
from genderscope.statistics.clustered import weighed as clustered_error
from genderscope.statistics.proportions import Share, by_student, effective, interval
from genderscope.statistics.student import FEWEST, Error, few_units

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Weighed:
    """A share, each reading's influence on it and weight in it, and its unit: a segment or a profession."""

    value: float
    moved: Array
    loads: Array
    items: npt.NDArray[np.str_]
    n: int

    @cached_property
    def units(self) -> int:
        """The number of units."""
        return len(np.unique(self.items))

    @cached_property
    def error(self) -> Error | None:
        """The error of the share; None with one unit."""
        return clustered_error(self.moved, self.loads, codes(self.items), 1, False)

    @cached_property
    def share(self) -> Share:
        """The share with its effective sample size: the number of readings where none share a unit."""
        if self.units == self.n or self.error is None:
            return Share(self.value, self.n)
        return effective(self.value, self.error.variance, self.n, self.units)

    @property
    def freedom(self) -> float | None:
        """The degrees of freedom of the variance over units; None where no readings share one."""
        return None if self.error is None or self.units == self.n else self.error.freedom

    @property
    def ends(self) -> tuple[float, float] | None:
        """The interval; None for too few units."""
        if self.units < FEWEST or self.error is None:
            return None
        return interval(self.share if self.freedom is None else by_student(self.share, self.freedom))

    @property
    def remark(self) -> str | None:
        """Say that the interval rests on few units."""
        return few_units(self.units)


def weighed(values: "pd.Series[float]", languages: "pd.Series[str]", items: "pd.Series[str]") -> Weighed | None:
    """Return the share of values that are 1, missing ones left out; None if a language has none."""
    every = sorted(languages.unique())
    numbers = values.to_numpy(dtype=np.float64)
    present = ~np.isnan(numbers)
    numbers = numbers[present]
    moved, loads = np.zeros((2, len(numbers)))
    means = []
    for language in every:
        mine = np.full(len(numbers), True) if len(every) == 1 else (languages == language).to_numpy()[present]
        if not mine.any():
            return None
        read = numbers[mine]
        means.append(float(read.mean()))
        moved[mine] = (read - read.mean()) / (len(read) * len(every))
        loads[mine] = 1 / (len(read) * len(every))
    if not means:
        return None
    return Weighed(float(np.mean(means)), moved, loads, items.to_numpy(dtype=str)[present], len(numbers))


def error_of_gap(one: Weighed, other: Weighed) -> Error | None:
    """Return the error of a difference of shares; the two versions of a segment vary together."""
    if min(one.units, other.units) < FEWEST:
        return None
    moved = np.concatenate([one.moved, -other.moved])
    loads = np.concatenate([one.loads, other.loads])
    return clustered_error(moved, loads, codes(np.concatenate([one.items, other.items])), 1, False)
