"""Proportions over segments, clustered by English segment or profession.

Within a language, every segment counts once; the same English segment in several languages is one unit. A proportion
over several languages is the mean of the languages' proportions. Units of contextual segments are professions, whose
frequencies vary widely, so the degrees of freedom are based on their effective number.
"""

import re
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.samples.mt_geneval import CONTEXTUAL
from genderscope.statistics.cluster_variance import codes
from genderscope.statistics.cluster_variance import weighed as clustered_error
from genderscope.statistics.proportions import Share, by_student, effective, interval
from genderscope.statistics.student_intervals import FEWEST, Error, few_units

Array = npt.NDArray[np.float64]

#: subset -> the kind of its units
UNITS = {CONTEXTUAL: "professions"}
SEGMENTS = "segments"


@cache
def professions() -> tuple[str, ...]:
    """Return the known English professions, one of which occurs in 99 % of the released contextual segments."""
    return tuple((files(__package__) / "professions.csv").read_text(encoding="utf-8").split()[1:])


@cache
def _finder() -> re.Pattern[str]:
    return re.compile(rf"\b({'|'.join(professions())})s?\b", re.IGNORECASE)


def profession_in(source: str) -> str | None:
    """Return the last profession in a text, since context precedes the judged sentence and modifiers precede a noun."""
    names = _finder().findall(source)
    return names[-1].lower() if names else None


def units_of(rows: pd.DataFrame) -> "pd.Series[str]":
    """Return each row's unit: the profession in a contextual segment, if known, otherwise the segment."""
    contextual = rows["subset"] == CONTEXTUAL
    named = rows.loc[contextual, "source"].map(profession_in)
    return rows["item"].where(~contextual | named.reindex(rows.index).isna(), named.reindex(rows.index))


@dataclass(frozen=True)
class Weighed:
    """A proportion, each reading's influence and weight, and its unit (a segment or a profession)."""

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
        """The error of the proportion (variance and degrees of freedom); None with a single unit."""
        return clustered_error(self.moved, self.loads, codes(self.items), 1, False)

    @cached_property
    def share(self) -> Share:
        """The proportion with its effective sample size, which is the number of readings if none share a unit."""
        if self.units == self.n or self.error is None:
            return Share(self.value, self.n)
        return effective(self.value, self.error.variance, self.n, self.units)

    @property
    def freedom(self) -> float | None:
        """The degrees of freedom of the variance over units; None if no readings share a unit."""
        return None if self.error is None or self.units == self.n else self.error.freedom

    @property
    def ends(self) -> tuple[float, float] | None:
        """The confidence interval; None for too few units."""
        if self.units < FEWEST or self.error is None:
            return None
        return interval(self.share if self.freedom is None else by_student(self.share, self.freedom))

    @property
    def remark(self) -> str | None:
        """A warning if the interval is based on few units, otherwise None."""
        return few_units(self.units)


def weighed(values: "pd.Series[float]", languages: "pd.Series[str]", items: "pd.Series[str]") -> Weighed | None:
    """Return the proportion of values that are 1, ignoring missing ones; None if a language has no values."""
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
    """Return the error of a difference of proportions, where the two versions of a segment are correlated."""
    if min(one.units, other.units) < FEWEST:
        return None
    moved = np.concatenate([one.moved, -other.moved])
    loads = np.concatenate([one.loads, other.loads])
    return clustered_error(moved, loads, codes(np.concatenate([one.items, other.items])), 1, False)
