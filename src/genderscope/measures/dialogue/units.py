"""Units of the dialogue suite: passages that share an adjective or its companion are correlated.

A translation system associates "nervous", "arrogantly" or a carpenter with a gender wherever they occur. Adjectives are
crossed with adverbs or occupations, so both are units; a passage with neither is its own unit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.statistics.cluster_variance import (
    codes,
    correction,
    crossed,
    shared_errors,
    sums,
    together,
    weights_of_clusters,
)
from genderscope.statistics.proportions import Share, by_student, difference, effective, interval
from genderscope.statistics.student_intervals import FEWEST, Error

Array = npt.NDArray[np.float64]

UNITS = "adjectives and adverbs, occupations or passages as crossed units"
SHARE = f"Agresti-Coull, {UNITS}"
DIFFERENCE = f"Agresti-Caffo, {UNITS}"
TOO_FEW = f"no interval with fewer than {FEWEST} readings or {FEWEST} adjectives"


def companion(rows: pd.DataFrame) -> pd.Series[str]:
    """Return each adjective's companion: its adverb, its occupation, or else the passage."""
    passage = "passage " + rows["source"].astype(str)
    beside = rows["adverb"].where(rows["adverb"].notna(), rows["occupation"])
    return beside.where(beside.notna(), passage).astype(str)


@dataclass(frozen=True)
class Crossed:
    """A weighted proportion of readings, each row's influence on it, and the rows' units."""

    value: float
    influences: Array
    #: the weight of each row
    row_weights: Array
    adjectives: npt.NDArray[np.str_]
    companions: npt.NDArray[np.str_]
    #: number of adjective kinds with their own mean, and number of conditions
    means: tuple[int, int]
    sources: int
    #: variance added for pseudo-observations in comparisons
    imagined: float = 0.0

    @property
    def crossed_units(self) -> tuple[npt.NDArray[np.str_], npt.NDArray[np.str_]]:
        """The labels of each row's two units."""
        return self.adjectives, self.companions

    @cached_property
    def error(self) -> Error | None:
        """The error of the proportion: variance and degrees of freedom."""
        first, second = codes(self.adjectives), codes(self.companions)
        if len(self.influences) < FEWEST or len(np.unique(first)) < FEWEST:
            return None
        of_adjectives = self._error_over(first, self.means[0], corrected=True)
        of_companions = self._error_over(second, self.means[1], corrected=False)
        of_cells = self._error_over(crossed(first, second), self.means[0], corrected=True)
        kinds = [kind_error for kind_error in (of_adjectives, of_companions) if kind_error is not None]
        if of_cells is None or not kinds:
            return None
        error = together(of_cells, kinds)
        return Error(error.variance + self.imagined, error.freedom)

    def _error_over(self, clusters: npt.NDArray[np.int64], means: int, corrected: bool) -> Error | None:
        """Return the error over clusters; `corrected` if the influences are already corrected for estimated means."""
        count = len(np.unique(clusters))
        if count <= means:
            return None
        factor, freedom = correction(*weights_of_clusters(self.row_weights, clusters))
        kept = (count - means) / (count - 1)
        variance = float((sums(self.influences, clusters) ** 2).sum()) * (1.0 if corrected else factor / kept)
        return Error(variance, max(1.0, freedom * kept))

    @property
    def share(self) -> Share:
        """The proportion with its effective sample size."""
        variance = 0.0 if self.error is None else self.error.variance
        return effective(self.value, variance, max(1, len(self.influences)), max(1, self.sources))

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The confidence interval for the proportion."""
        return None if self.error is None else interval(by_student(self.share, self.error.freedom))

    def less(self, other: Crossed) -> tuple[float, float, float] | None:
        """Return the interval for the difference from another proportion, and its degrees of freedom."""
        error = self.plus(other, -1.0).error
        if error is None or self.error is None or other.error is None:
            return None
        return (*difference(self.share, other.share, error), error.freedom)

    def plus(self, other: Crossed, sign: float) -> Crossed:
        """Return the sum of two proportions with its influences, or their difference if `sign` is -1."""
        return Crossed(
            self.value + sign * other.value,
            np.concatenate([self.influences, sign * other.influences]),
            np.concatenate([self.row_weights, other.row_weights]),
            np.concatenate([self.adjectives, other.adjectives]),
            np.concatenate([self.companions, other.companions]),
            (max(self.means[0], other.means[0]), self.means[1] + other.means[1]),
            self.sources + other.sources,
            max(self.imagined, other.imagined),
        )

    def scaled(self, weight: float) -> Crossed:
        """Return the proportion and its influences multiplied by a weight."""
        return replace(
            self, value=weight * self.value, influences=weight * self.influences, imagined=weight**2 * self.imagined
        )

    def loadings(self) -> tuple[npt.NDArray[np.uint64], Array]:
        """Return independent error components by label."""
        return shared_errors(self.influences, self.adjectives, self.companions)


def plain(hit: pd.Series[bool], rows: pd.DataFrame) -> Crossed:
    """Return the unweighted proportion of hits among the rows."""
    values: Array = hit.to_numpy().astype(np.float64)
    value = float(values.mean()) if len(values) else math.nan
    labels = rows["adjective"].to_numpy(dtype=str), companion(rows).to_numpy(dtype=str)
    row_weights = np.full(len(values), 1 / max(1, len(values)))
    influences = mended((values - value) * row_weights, labels[0], np.zeros(len(values)))
    return Crossed(value, influences, row_weights, *labels, (1, 1), int(rows["source"].nunique()))


def mended(influences: Array, adjectives: npt.NDArray[np.str_], cells: npt.ArrayLike) -> Array:
    """Correct deviations from a cell's mean for the rows' own leverage (CR2, Bell and McCaffrey 2002).

    An adjective that makes up half of a cell pulls the cell's mean halfway towards itself.
    """
    cell = codes(cells)
    both = crossed(codes(adjectives), cell)
    part = np.bincount(both)[both] / np.bincount(cell)[cell]
    corrected: Array = np.where(part < 1, influences / np.sqrt(np.maximum(1 - part, 1e-9)), influences)
    return corrected
