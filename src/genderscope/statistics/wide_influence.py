"""Influences on an estimate for comparisons that generalise further than to other sentences.

The wide interval of a single run is computed from tables of means by group and column (`statistics/wide_intervals.py`)
or from clusters (`statistics/cluster_variance.py`). The tables or clusters of two runs are subtracted, so that the wide
error of a difference comes from the same function as that of a single run.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from genderscope.statistics.cluster_variance import codes, dyadic, together
from genderscope.statistics.influence import Influence, Labels, Stratified, hashed
from genderscope.statistics.student_intervals import Error
from genderscope.statistics.wide_intervals import FEWEST_GROUPS, Columns, Components, components

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class WideTables:
    """Tables of means [groups, columns] of each side, with the influence of the sentences.

    A table with a single row generalises to other columns only.
    """

    sides: tuple[Array, ...]
    narrow: Influence
    #: the groups of each side, and the columns, consistent across runs
    groups: tuple[tuple[object, ...], ...]
    column_labels: tuple[object, ...] = ()
    #: the columns as a random factor; None if they are fixed
    columns: Columns | None = None

    @cached_property
    def parts(self) -> Components | None:
        """The parts of the wide variance; None if a mean is missing or there are too few groups."""
        counts = {len(side) for side in self.sides}
        if not counts or not all(np.isfinite(side).all() for side in self.sides):
            return None
        parts = components(self.sides, self.columns) if counts == {1} or min(counts) >= FEWEST_GROUPS else None
        return parts if parts is not None and parts.all() else None

    @property
    def has_columns(self) -> bool:
        """Whether the error generalises to other columns."""
        return self.parts is not None and self.parts.columns is not None

    @property
    def shared(self) -> float:
        """Covariance between groups that have sentences in common, which their means do not show."""
        return max(0.0, self.narrow.shared_variance) if isinstance(self.narrow, Stratified) else 0.0

    @cached_property
    def error(self) -> Error | None:
        """The error over groups and sampled columns; None if there is too little data."""
        narrow = self.narrow.error
        if self.parts is None or narrow is None:
            return None
        variances = [np.float64(part.variance) for part in self.parts.all()]
        variance, freedom, _ = map(float, self.parts.wide_error(variances, narrow.variance))
        return Error(variance + self.shared, freedom)

    def plus(self, other: "WideTables", sign: float) -> "WideTables":
        """Return the tables of the sum of two estimates, or of their difference if `sign` is -1.

        Columns that only one run has are fixed: the rows' means are compared. Without common groups, there is no error.
        """
        narrow = self.narrow.plus(other.narrow, sign)
        if self.groups != other.groups:
            return WideTables((), narrow, ())
        one, two = (self, other) if self.column_labels == other.column_labels else (self.averaged(), other.averaged())
        sides = tuple(a + sign * b for a, b in zip(one.sides, two.sides, strict=True))
        return replace(one, sides=sides, narrow=narrow)

    def averaged(self) -> "WideTables":
        """Return the means over columns, which are then fixed."""
        sides = tuple(side.mean(axis=1, keepdims=True) for side in self.sides)
        return replace(self, sides=sides, column_labels=(), columns=None)

    def scaled(self, weight: float) -> "WideTables":
        """Return the tables of the estimate multiplied by a weight."""
        return replace(self, sides=tuple(weight * side for side in self.sides), narrow=self.narrow.scaled(weight))

    def loadings(self) -> tuple[Labels, Array]:
        """Return each group's and each cluster of columns' contribution to the error."""
        if self.parts is None:
            return np.empty(0, dtype=np.uint64), np.empty(0)
        names = [f"group {group}" for groups in self.groups for group in groups] if self.parts.groups else []
        signed = [sign * part.deviations for sign, part in zip((1.0, -1.0), self.parts.groups, strict=False)]
        if self.parts.columns is not None:
            variances = [np.float64(part.variance) for part in self.parts.all()]
            added, whole = float(self.parts.wide_error(variances, 0.0)[2]), self.parts.columns.variance
            signed.append(self.parts.columns.deviations * np.sqrt(added / whole if whole else 0.0))
            names += [f"column {k}" for k in range(len(self.parts.columns.deviations))]
        return hashed(names), np.concatenate(signed)


@dataclass(frozen=True)
class Dyads:
    """Influence of rows on an estimate, with the pair of each row; pairs with a common member are correlated."""

    influences: Array
    row_weights: Array
    pairs: npt.NDArray[np.str_]
    #: the members of a pair
    members: Callable[[str], Sequence[str]]
    narrow: Influence

    @cached_property
    def error(self) -> Error | None:
        """The error over the members of pairs; None if there are too few."""
        narrow = self.narrow.error
        if narrow is None or not len(self.pairs):
            return None
        names = np.unique(self.pairs)
        error = dyadic(
            self.influences, self.row_weights, codes(self.pairs), [self.members(str(name)) for name in names]
        )
        return None if error is None else together(narrow, [error])

    def plus(self, other: "Dyads", sign: float) -> "Dyads":
        """Return the influence on the sum of two estimates, or on their difference if `sign` is -1."""
        return Dyads(
            np.concatenate([self.influences, sign * other.influences]),
            np.concatenate([self.row_weights, other.row_weights]),
            np.concatenate([self.pairs, other.pairs]),
            self.members,
            self.narrow.plus(other.narrow, sign),
        )

    def scaled(self, weight: float) -> "Dyads":
        """Return the influence on the estimate multiplied by a weight."""
        return replace(self, influences=weight * self.influences, narrow=self.narrow.scaled(weight))

    def loadings(self) -> tuple[Labels, Array]:
        """Return each pair's contribution to the error; correlations between pairs are neglected."""
        names, places = np.unique(self.pairs, return_inverse=True)
        return hashed(names), np.bincount(places, weights=self.influences, minlength=len(names)).astype(np.float64)
