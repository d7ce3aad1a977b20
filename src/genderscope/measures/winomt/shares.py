"""Shares of sentences and differences of shares, with pairs of people as units.

The wide interval also accounts for occupations, which recur in several pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.samples.winomt import JOINER, SOMEONE
from genderscope.statistics.cluster_variance import dyadic, together
from genderscope.statistics.clustered_shares import Weighed, error_of_gap, weighed
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.influence import Stratified, clustered
from genderscope.statistics.paired_comparison import ROUNDING
from genderscope.statistics.proportions import by_student, difference, effective, interval
from genderscope.statistics.student_intervals import FEWEST, Error, few_units

Array = npt.NDArray[np.float64]

SHARE = "Agresti-Coull, pairs of people as units"
GAP = "Agresti-Caffo, pairs of people as units"
TOO_FEW = f"no interval with fewer than {FEWEST} pairs of people"
WIDE = "occupations"


@dataclass(frozen=True)
class _Wide:
    """Error over occupations, and their number."""

    error: Error
    occupations: int


@dataclass(frozen=True)
class Sum:
    """A share, or the difference of two shares, with the influence of each sentence."""

    parts: Sequence[Weighed]

    @property
    def value(self) -> float:
        """The share, or the first share minus the second."""
        return self.parts[0].value - (self.parts[1].value if len(self.parts) > 1 else 0.0)

    @cached_property
    def moved(self) -> Array:
        """The influence of each sentence on the value."""
        return np.concatenate([sign * part.moved for sign, part in zip((1.0, -1.0), self.parts, strict=False)])

    @cached_property
    def pairs(self) -> npt.NDArray[np.str_]:
        """The pair of people in each sentence."""
        return np.concatenate([part.items for part in self.parts])

    @cached_property
    def error(self) -> Error | None:
        """The error over pairs of people; None if there are too few."""
        if len(self.parts) > 1:
            error = error_of_gap(self.parts[0], self.parts[1])
            # If everyone is translated alike, both sides of every pair cancel out, but another pair could differ:
            # as if one of two added pairs did (Agresti and Min 2005).
            if error is not None and error.variance < ROUNDING**2:
                error = replace(error, variance=(min(part.units for part in self.parts) + 2) ** -2)
            return error
        return None if self.parts[0].units < FEWEST else self.parts[0].error

    def in_estimate(self, blank: Estimate, has_wide: bool = True) -> Estimate:
        """Return the estimate with value, interval and, if it has one, wide interval."""
        error = self.error
        fewest = min(part.units for part in self.parts)
        ends = None if error is None else self._ends(error, self.parts[0].units)
        if error is None or ends is None:
            return blank.within(self.value, None, remark=joined(TOO_FEW, blank.remark))
        remark = joined(few_units(fewest), blank.remark)
        found = blank.within(self.value, ends, remark=remark, freedom=error.freedom)
        wide = self._wide(error) if has_wide else None
        if wide is None:
            return found
        low, high = self._ends(wide.error, wide.occupations)
        return replace(found, wide_low=min(low, ends[0]), wide_high=max(high, ends[1]), wide_over=WIDE)

    def influence(self) -> Stratified:
        """Return the influence of each pair of people, for comparisons of runs."""
        return clustered(self.moved, self.pairs, reach=1.0)

    def _ends(self, error: Error, units: int) -> tuple[float, float]:
        if len(self.parts) > 1:
            return difference(self.parts[0].share, self.parts[1].share, error)
        (part,) = self.parts
        return interval(by_student(effective(part.value, error.variance, part.n, units), error.freedom))

    def _wide(self, error: Error) -> _Wide | None:
        names, pairs = np.unique(self.pairs, return_inverse=True)
        members = [_occupations(str(name)) for name in names]
        occupations = len({name for each in members for name in each})
        loads = np.concatenate([part.loads for part in self.parts])
        over = dyadic(self.moved, loads, pairs.astype(np.int64), members) if occupations >= FEWEST else None
        return None if over is None else _Wide(together(error, [over]), occupations)


def share_of(values: "pd.Series[float]", rows: pd.DataFrame) -> Sum | None:
    """Return the mean of values between 0 and 1; None if a language has no values."""
    part = weighed(values, rows["language"], rows["pair"])
    return None if part is None else Sum((part,))


def gap_of(one: Sum | None, other: Sum | None) -> Sum | None:
    """Return the difference of two shares; None if one of them is missing."""
    return None if one is None or other is None else Sum((*one.parts, *other.parts))


def f1_of(rows: pd.DataFrame, gender: str) -> Sum | None:
    """Return the F1 of a gender, averaged over languages; None if a language has no such sentence.

    F1 is the share of matched cases among all sentences with this gender and all translations read with it, so it has
    the influence of a ratio: (2 · matched - F1 · (is of the gender + is read with it)) / their number.
    """
    languages = sorted(rows["language"].unique())
    read = rows[rows["reading"].notna()]
    parts: list[tuple[float, Array, Array, npt.NDArray[np.str_]]] = []
    for language in languages:
        mine = read[read["language"] == language]
        gold = (mine["gender"] == gender).to_numpy(dtype=np.float64)
        named = (mine["reading"] == gender).to_numpy(dtype=np.float64)
        if not gold.any():
            return None
        counted, matched = gold + named, gold * named
        total = counted.sum()
        value = float(2 * matched.sum() / total)
        chosen = counted > 0
        moved = (2 * matched - value * counted)[chosen] / total / len(languages)
        loads = counted[chosen] / total / len(languages)
        parts.append((value, moved, loads, mine["pair"].to_numpy(dtype=str)[chosen]))
    if not parts:
        return None
    values, moved, loads, pairs = zip(*parts, strict=True)
    moves = np.concatenate(moved)
    return Sum((Weighed(float(np.mean(values)), moves, np.concatenate(loads), np.concatenate(pairs), len(moves)),))


def _occupations(pair: str) -> tuple[str, ...]:
    """Return the occupations in a pair of people; a pair without any counts as one of its own."""
    names = tuple(name for name in pair.split(JOINER) if name != SOMEONE)
    return names or (pair,)
