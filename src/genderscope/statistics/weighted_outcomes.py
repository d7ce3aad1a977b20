"""Weighted sums of mean outcomes with the influence of each unit, on the rows that two runs share."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from genderscope.statistics.cluster_variance import Crossing, clustered, pseudo_variance
from genderscope.statistics.influence import Influence
from genderscope.statistics.student_intervals import FEWEST
from genderscope.statistics.wide_influence import Dyads

Array = npt.NDArray[np.float64]

#: between the members of a wider pair
JOINER = "\t"


def members_of(pair: str) -> list[str]:
    """Return the members of a pair."""
    return pair.split(JOINER)


@dataclass(frozen=True)
class OutcomeColumns:
    """Outcomes of one run by column, with each row's unit, stratum and stratum weight; NaN marks a missing outcome."""

    values: Mapping[str, Array]
    units: npt.NDArray[np.str_]
    strata: npt.NDArray[np.int64]
    weights: Array
    #: second units, crossed with the first; None if there are none
    companions: npt.NDArray[np.str_] | None = None
    #: wider units that a comparison of models generalises over, or the members of wider pairs; None if there are none
    wider: npt.NDArray[np.str_] | None = None
    members: npt.NDArray[np.str_] | None = None
    #: code of the rows' side, if wider units are sampled on each of two sides
    sides: npt.NDArray[np.int64] | None = None

    def mean(self, column: str, rows: npt.NDArray[np.bool_]) -> float | None:
        """Return the weighted mean of the strata's means over some rows; None if there are none."""
        if column not in self.values or not rows.any():
            return None
        return float((self._row_weights(rows) * np.where(rows, self.values[column], 0.0)).sum())

    def _row_weights(self, rows: npt.NDArray[np.bool_]) -> Array:
        """Return the weight of each row in a mean over some rows; 0 for the others."""
        counts = np.bincount(self.strata[rows], minlength=int(self.strata.max(initial=0)) + 1)
        present = np.zeros(len(counts))
        present[self.strata[rows]] = self.weights[rows]
        shares = np.divide(present, counts * present.sum(), out=np.zeros(len(counts)), where=counts > 0)
        return np.where(rows, shares[self.strata], 0.0)

    def _deviations(self, outcomes: Array, rows: npt.NDArray[np.bool_]) -> Array:
        """Return each outcome's deviation from the mean of its stratum, corrected for the estimated mean.

        A row that is alone in its stratum shows no deviation there, so it is compared with all rows, which is
        conservative.
        """
        counts = np.bincount(self.strata, weights=rows)
        means = np.bincount(self.strata, weights=rows * outcomes) / np.maximum(1, counts)
        overall = outcomes[rows].mean() if rows.any() else 0.0
        n = counts[self.strata]
        centres = np.where(n > 1, means[self.strata], overall)
        deviations: Array = (outcomes - centres) * np.sqrt(np.where(n > 1, n / np.maximum(1, n - 1), 1.0))
        return deviations

    def wide_influence(
        self, terms: Mapping[str, float], rows: Mapping[str, npt.NDArray[np.bool_]], span: float
    ) -> Influence | None:
        """Return the influence for a comparison that generalises to other wider units; None if there are none."""
        labels = self.wider if self.members is None else self.members
        if labels is None:
            return None
        sides = np.zeros(len(self.units), dtype=np.int64) if self.sides is None else self.sides
        influences, row_weights = np.zeros((2, len(self.units)))
        counted = np.zeros(len(self.units), dtype=bool)
        for column, weight in terms.items():
            own = self._row_weights(rows[column])
            outcomes = np.where(rows[column], self.values[column], 0.0)
            centres = np.bincount(sides, weights=own * outcomes) / np.maximum(np.bincount(sides, weights=own), 1e-300)
            influences += weight * own * (outcomes - centres[sides])
            row_weights += np.abs(weight) * own
            counted |= rows[column]
        first, second = self.units[counted], labels[counted]
        if min(len(np.unique(second[sides[counted] == side])) for side in np.unique(sides)) < FEWEST:
            return None
        reach = span * sum(map(abs, terms.values()))
        if self.members is not None:
            narrow = self.influence(terms, rows, span)[1]
            return Dyads(influences[counted], row_weights[counted], second, members_of, narrow)
        imagined = pseudo_variance(reach, first, second)
        return Crossing(influences[counted], row_weights[counted], sides[counted], first, second, imagined)

    def influence(
        self, terms: Mapping[str, float], rows: Mapping[str, npt.NDArray[np.bool_]], span: float
    ) -> tuple[float, Influence]:
        """Return a weighted sum of mean outcomes, and the influence of each unit on it.

        Args:
            terms: The weight of each column's mean.
            rows: The rows that count for each column.
            span: The difference between the largest and the smallest possible outcome.
        """
        value = 0.0
        influences, weights = np.zeros((2, len(self.units)))
        counted = np.zeros(len(self.units), dtype=bool)
        for column, weight in terms.items():
            has_outcome = rows[column]
            outcomes, row_weights = np.where(has_outcome, self.values[column], 0.0), self._row_weights(has_outcome)
            value += weight * float((row_weights * outcomes).sum())
            influences += weight * row_weights * self._deviations(outcomes, has_outcome)
            weights += abs(weight) * row_weights
            counted |= has_outcome
        reach = span * sum(map(abs, terms.values()))
        if self.companions is None:
            return value, clustered(np.where(counted, influences, np.nan), weights, self.units, reach)
        first, second = self.units[counted], self.companions[counted]
        means = np.zeros(len(first), dtype=np.int64)  # deviations are corrected for the strata's means already
        imagined = pseudo_variance(reach, first, second)
        return value, Crossing(influences[counted], weights[counted], means, first, second, imagined)
