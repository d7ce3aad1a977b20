"""Cluster-robust variance of a mean, with one-way or two-way (crossed) clustering.

Rows that share an adjective, an identity term or an occupation are correlated. `influences` are the rows' influences on
the estimate; their sums over clusters give the variance (Cameron, Gelbach and Miller 2011, "Robust inference with
multiway clustering"): the variance over the first kind of cluster, plus that over the second, minus that over
their intersections. Since there are few clusters, Student's t is used, with Satterthwaite's degrees of freedom.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from genderscope.statistics.influence import hashed
from genderscope.statistics.student_intervals import Error

Array = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
Labels = npt.NDArray[np.str_]


def codes(labels: npt.ArrayLike) -> Codes:
    """Return an integer code per row for its cluster label."""
    _, inverse = np.unique(np.asarray(labels), return_inverse=True)
    numbers: Codes = inverse.astype(np.int64)
    return numbers


def sums(influences: Array, clusters: Codes) -> Array:
    """Return the summed influence of each cluster."""
    totals: Array = np.bincount(clusters, weights=influences).astype(np.float64)
    return totals


def one_way(influences: Array, clusters: Codes, means: int = 1) -> Error | None:
    """Return the one-way clustered error; `means` is the number of means estimated in computing `influences`."""
    count = len(np.unique(clusters))
    if count <= means:
        return None
    variance = float((sums(influences, clusters) ** 2).sum()) * count / (count - means)
    return Error(variance, count - means)


def two_way(influences: Array, first: Codes, second: Codes, means: Sequence[int] = (1, 1)) -> Error | None:
    """Return the two-way clustered error; None if there are too few clusters of both kinds.

    A kind of cluster that would reduce the variance below that of the cells is ignored, also in the degrees of freedom,
    since a variance estimated from few clusters is very uncertain.
    """
    cells = one_way(influences, crossed(first, second), 1)
    kinds = [one_way(influences, clusters, used) for clusters, used in ((first, means[0]), (second, means[1]))]
    errors = [kind for kind in kinds if kind is not None]
    return None if cells is None or not errors else together(cells, errors)


def crossed(first: Codes, second: Codes) -> Codes:
    """Return an integer code per row for its cell, the intersection of its two clusters."""
    return codes(first * (int(second.max(initial=0)) + 1) + second)


def together(cells: Error, kinds: Sequence[Error]) -> Error:
    """Combine the variance over cells with the contribution of each kind of cluster."""
    added = [kind for kind in kinds if kind.variance > cells.variance]
    variance = cells.variance + sum(kind.variance - cells.variance for kind in added)
    spread = sum(part.variance**2 / part.freedom for part in (cells, *added))
    if spread == 0:
        return Error(0.0, min(kind.freedom for kind in kinds))
    return Error(variance, max(1.0, variance**2 / spread))


def clustered_error(
    influences: Array, row_weights: Array, clusters: Codes, means: int, corrected: bool
) -> Error | None:
    """Return the one-way clustered error of a mean that weights its rows by `row_weights`.

    The degrees of freedom are the effective number of clusters, reduced for the number of means estimated. Set
    `corrected` if the rows are already corrected for the estimated means.
    """
    count = len(np.unique(clusters))
    if count <= means:
        return None
    weights = sums(row_weights, codes(clusters)) ** 2
    effective = float(weights.sum() ** 2 / (weights**2).sum()) if weights.any() else 1.0
    kept = (count - means) / count
    variance = float((sums(influences, codes(clusters)) ** 2).sum()) / (1.0 if corrected else kept)
    return Error(variance, max(1.0, effective * kept))


def dyadic(influences: Array, row_weights: Array, pairs: Codes, members: Sequence[Collection[str]]) -> Error | None:
    """Return the error over the members of pairs, which recur in other pairs; None with fewer than two members.

    Pairs that share a member are correlated (Aronow, Samii and Assenova 2015, "Cluster-robust variance estimation for
    dyadic data"). `members` lists the members of each pair code. The variance within pairs is included once.
    """
    by_pair, weight_by_pair = sums(influences, pairs), sums(row_weights, pairs)
    names = sorted({name for pair_members in members for name in pair_members})
    if len(names) < 2:
        return None
    places = {name: place for place, name in enumerate(names)}
    totals, weights = np.zeros(len(names)), np.zeros(len(names))
    repeated = 0.0
    for total, weight, pair_members in zip(by_pair, weight_by_pair, members, strict=True):
        for name in pair_members:
            totals[places[name]] += total
            weights[places[name]] += weight
        repeated += (len(pair_members) - 1) * total**2
    squares = weights**2
    effective = float(squares.sum() ** 2 / (squares**2).sum()) if squares.any() else 1.0
    kept = (len(names) - 1) / len(names)
    return Error(max(0.0, float((totals**2).sum()) - repeated) / kept, max(1.0, effective * kept))


def shared_errors(influences: Array, first: Labels, second: Labels) -> tuple[npt.NDArray[np.uint64], Array]:
    """Return labels and sizes of independent error sources: the cells, and the contribution of each kind of cluster."""
    names = hashed(first), hashed(second) * np.uint64(3)
    parts = [_sums_by_label(influences, names[0] * np.uint64(5) + names[1])]
    own = float((parts[0][1] ** 2).sum())
    for kind_labels in names:
        labels, sizes = _sums_by_label(influences, kind_labels)
        whole = float((sizes**2).sum())
        parts.append((labels, sizes * np.sqrt(max(0.0, whole - own) / whole) if whole else sizes))
    return np.concatenate([labels for labels, _ in parts]), np.concatenate([sizes for _, sizes in parts])


def error_of_clusters(means: Array, weights: Array) -> Error:
    """Return the error of the weighted mean of independent clusters; the weights sum to 1."""
    factor, freedom = correction(weights)
    return Error(float((weights**2 * (means - weights @ means) ** 2).sum()) * factor, freedom)


def correction(weights: Array) -> tuple[float, float]:
    """Return the factor that makes the weighted squared deviations unbiased, and their degrees of freedom.

    Both follow Bell and McCaffrey (2002, "Bias reduction in standard errors for linear regression with multi-stage
    samples") and assume clusters of equal variance. For n equally weighted clusters, they are n / (n - 1) and n - 1.
    """
    deviations = weights[:, None] * (np.eye(len(weights)) - weights)
    form = deviations.T @ deviations
    trace = float(np.trace(form))
    return float((weights**2).sum()) / trace, trace**2 / float((form**2).sum())


def _sums_by_label(influences: Array, labels: npt.NDArray[np.uint64]) -> tuple[npt.NDArray[np.uint64], Array]:
    unique_labels, places = np.unique(labels, return_inverse=True)
    return unique_labels, np.bincount(places, weights=influences, minlength=len(unique_labels)).astype(np.float64)


@dataclass(frozen=True)
class Crossing:
    """Influence of rows on an estimate, with the labels of each row's two clusters."""

    influences: Array
    first: Labels
    second: Labels
    #: variance added by pseudo-observations, for proportions
    imagined: float = 0.0

    @property
    def crossed_units(self) -> tuple[Labels, Labels]:
        """The labels of each row's two units."""
        return self.first, self.second

    @cached_property
    def error(self) -> Error | None:
        """The two-way clustered error of the estimate; None if there are too few clusters."""
        error = two_way(self.influences, codes(self.first), codes(self.second)) if len(self.influences) else None
        return None if error is None else Error(error.variance + self.imagined, error.freedom)

    def plus(self, other: "Crossing", sign: float) -> "Crossing":
        """Return the influence on the sum of two estimates, or on their difference if `sign` is -1."""
        return Crossing(
            np.concatenate([self.influences, sign * other.influences]),
            np.concatenate([self.first, other.first]),
            np.concatenate([self.second, other.second]),
            max(self.imagined, other.imagined),
        )

    def scaled(self, weight: float) -> "Crossing":
        """Return the influence on the estimate multiplied by a weight."""
        return replace(self, influences=weight * self.influences, imagined=weight**2 * self.imagined)

    def loadings(self) -> tuple[npt.NDArray[np.uint64], Array]:
        """Return labels and sizes of independent error sources."""
        return shared_errors(self.influences, self.first, self.second)
