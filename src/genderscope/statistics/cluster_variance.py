"""Cluster-robust variance of a mean, with one-way or two-way (crossed) clustering.

Rows that share an adjective, an identity term or an occupation are correlated. `influences` are the rows' influences on
the estimate; their sums over clusters give the variance (Cameron, Gelbach and Miller 2011, "Robust inference with
multiway clustering"): the variance over the first kind of cluster, plus that over the second, minus that over
their intersections. Since there are few clusters, Student's t is used, with Satterthwaite's degrees of freedom.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from genderscope.statistics.influence import Stratified, hashed
from genderscope.statistics.student_intervals import Error, are_too_few

Array = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
Labels = npt.NDArray[np.str_]

#: assumed correlation of the rows of a cluster. It decides how much less a large cluster's mean varies than a small
#: one's. With normal scores whose correlation is between 0 and 1, means over clusters of 2 to 100 rows, or of MBBQ's
#: sizes, cover 95 to 98 %; larger assumed values cover more (`benchmarks/simulated/clusters.py` has shares as well).
WITHIN = 0.05


class Correction(NamedTuple):
    """The factor that makes a sum of squares unbiased, and its degrees of freedom."""

    factor: float
    freedom: float


def codes(labels: npt.ArrayLike) -> Codes:
    """Return an integer code per row for its cluster label."""
    _, inverse = np.unique(np.asarray(labels), return_inverse=True)
    numbers: Codes = inverse.astype(np.int64)
    return numbers


def sums(influences: Array, clusters: Codes) -> Array:
    """Return the summed influence of each cluster."""
    totals: Array = np.bincount(clusters, weights=influences).astype(np.float64)
    return totals


def one_way(influences: Array, row_weights: Array, clusters: Codes, means: Codes | None = None) -> Error | None:
    """Return the one-way clustered error of an estimate; None if each of its means has a single cluster.

    Args:
        influences: The influence of each row on the estimate.
        row_weights: The weight of each row in the estimate, without its sign.
        clusters: The cluster of each row.
        means: The number of the mean from which each row's deviation is computed, if there are several: those of both
            sides of a difference, of both runs, or of several languages.
    """
    clusters = codes(clusters)
    if int(clusters.max(initial=0)) == 0:
        return None
    factor, freedom = correction(*weights_of_clusters(row_weights, clusters, means))
    return Error(float((sums(influences, clusters) ** 2).sum()) * factor, freedom) if freedom > 0 else None


def cluster_error(influences: Array, row_weights: Array, clusters: Codes, means: Codes | None = None) -> Error | None:
    """Return the one-way clustered error; None if too few clusters decide the estimate."""
    error = one_way(influences, row_weights, clusters, means)
    return None if error is None or are_too_few(error.freedom) else error


def two_way(
    influences: Array, row_weights: Array, first: Codes, second: Codes, means: Codes | None = None
) -> Error | None:
    """Return the two-way clustered error; None if there are too few clusters of both kinds.

    A kind of cluster that would reduce the variance below that of the cells is ignored, also in the degrees of freedom,
    since a variance estimated from few clusters is very uncertain.
    """
    cells = one_way(influences, row_weights, crossed(first, second), means)
    kinds = [
        error for labels in (first, second) if (error := one_way(influences, row_weights, labels, means)) is not None
    ]
    return None if cells is None or not kinds else together(cells, kinds)


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
    totals, weights, squares = np.zeros((3, len(names)))
    repeated = 0.0
    for total, weight, pair_members in zip(by_pair, weight_by_pair, members, strict=True):
        for name in pair_members:
            totals[places[name]] += total
            weights[places[name]] += weight
            squares[places[name]] += weight**2
        repeated += (len(pair_members) - 1) * total**2
    factor, freedom = correction(weights, squares)
    return Error(max(0.0, float((totals**2).sum()) - repeated) * factor, freedom)


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


def correction(weights: Array, squares: Array | None = None) -> Correction:
    """Return the factor that makes the squared influences of clusters unbiased, and their degrees of freedom.

    Both follow Bell and McCaffrey (2002, "Bias reduction in standard errors for linear regression with multi-stage
    samples") for a working model, in which the rows of a cluster are correlated by `WITHIN`. For n clusters of equal
    size, they are n / (n - 1) and n - 1. If the estimate combines several means, each has its own clusters' weights.

    Args:
        weights: The summed weights of each cluster's rows in the estimate: [clusters] or [means, clusters].
        squares: The sums of their squares; by default, all clusters have the same variance.
    """
    weights = np.atleast_2d(weights)
    total = weights.sum(axis=1, keepdims=True)
    own = weights**2 if squares is None else WITHIN * weights**2 + (1 - WITHIN) * np.atleast_2d(squares)
    # The covariance of the clusters' influences i and j on a mean is own_i [i = j] + w_i w_j (whole - pull_i - pull_j).
    pull = np.divide(own, weights * total, out=np.zeros_like(own), where=weights > 0)
    whole = own.sum(axis=1) / total[:, 0] ** 2
    extra = weights**2 * (whole[:, None] - 2 * pull)
    trace = float(own.sum() + extra.sum())
    if trace <= 1e-9 * float(own.sum()):  # every mean has a single cluster
        return Correction(1.0, 0.0)
    shared, pulled = weights @ weights.T, (weights * pull) @ weights.T
    both_pulled = (weights * pull) @ (weights * pull).T
    mixed = whole[:, None] * shared * pulled.T
    products = (
        own @ own.T
        + own @ extra.T
        + extra @ own.T
        + np.outer(whole, whole) * shared**2
        - 2 * (mixed + mixed.T)
        + 2 * shared * both_pulled
        + 2 * pulled * pulled.T
    )
    return Correction(float(own.sum()) / trace, trace**2 / float(products.sum()))


def weights_of_clusters(row_weights: Array, clusters: Codes, means: Codes | None = None) -> tuple[Array, Array]:
    """Return the sums of the rows' weights and of their squares: [means, clusters]."""
    count = int(clusters.max()) + 1
    means = np.zeros(len(row_weights), dtype=np.int64) if means is None else codes(means)
    places, size = means * count + clusters, (int(means.max()) + 1) * count
    sums_of = (row_weights, row_weights**2)
    weights, squares = (np.bincount(places, values, size).reshape(-1, count) for values in sums_of)
    return weights.astype(np.float64), squares.astype(np.float64)


def _sums_by_label(influences: Array, labels: npt.NDArray[np.uint64]) -> tuple[npt.NDArray[np.uint64], Array]:
    unique_labels, places = np.unique(labels, return_inverse=True)
    return unique_labels, np.bincount(places, weights=influences, minlength=len(unique_labels)).astype(np.float64)


def pseudo_variance(reach: float, first: Labels, second: Labels) -> float:
    """Return the variance of a pseudo-observation of a proportion, given the rows' two clusters.

    As in `influence.clustered`, it weighs more than a single row and less than a whole cluster. `reach` is the number
    of rows times the largest effect of one row on the mean.
    """
    return reach**2 / max(1, len(first) * min(len(np.unique(first)), len(np.unique(second))))


def clustered(
    influences: Array, row_weights: Array, clusters: npt.ArrayLike, reach: float = 0.0, means: Codes | None = None
) -> Stratified:
    """Return the influence of clusters of rows, all in one stratum; NaN marks a row without a value.

    `row_weights` and `means` are those of `one_way`; `reach` is the number of rows times the largest effect of one row
    on the mean.
    """
    names, places = np.unique(np.asarray(clusters, dtype=np.str_), return_inverse=True)
    present = np.isfinite(influences)
    total = np.bincount(places, weights=np.where(present, influences, 0.0), minlength=len(names))
    has_rows = np.bincount(places, weights=present, minlength=len(names)) > 0
    units, read = int(has_rows.sum()), int(present.sum())
    counted, scale = np.where(has_rows, 1.0, 0.0), 0.0
    if units > 1:
        own = None if means is None else means[present]
        factor, freedom = correction(*weights_of_clusters(row_weights[present], codes(places[present]), own))
        # With so many units, their squared influences have the degrees of freedom of the unequal clusters.
        total, counted = total * np.sqrt(factor * freedom / (freedom + 1)), counted * (freedom + 1) / units
        # A pseudo-observation weighs more than a single row and less than a whole cluster.
        scale = reach * float(np.sqrt(units / read))
    return Stratified(
        np.where(has_rows, total, np.nan), hashed(names), np.zeros(len(names), dtype=np.int64), {0: 1.0}, scale, counted
    )


@dataclass(frozen=True)
class Crossing:
    """Influence of rows on an estimate, with the labels of each row's two clusters."""

    influences: Array
    #: the weight of each row, and the mean from which its deviation is computed, as in `one_way`
    row_weights: Array
    means: Codes
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
        if not len(self.influences):
            return None
        error = two_way(self.influences, self.row_weights, codes(self.first), codes(self.second), self.means)
        return None if error is None else Error(error.variance + self.imagined, error.freedom)

    def plus(self, other: "Crossing", sign: float) -> "Crossing":
        """Return the influence on the sum of two estimates, or on their difference if `sign` is -1."""
        return Crossing(
            np.concatenate([self.influences, sign * other.influences]),
            np.concatenate([self.row_weights, other.row_weights]),
            np.concatenate([self.means, other.means + self.means.max(initial=-1) + 1]),
            np.concatenate([self.first, other.first]),
            np.concatenate([self.second, other.second]),
            max(self.imagined, other.imagined),
        )

    def scaled(self, weight: float) -> "Crossing":
        """Return the influence on the estimate multiplied by a weight."""
        row_weights = abs(weight) * self.row_weights
        return replace(
            self, influences=weight * self.influences, row_weights=row_weights, imagined=weight**2 * self.imagined
        )

    def loadings(self) -> tuple[npt.NDArray[np.uint64], Array]:
        """Return labels and sizes of independent error sources."""
        return shared_errors(self.influences, self.first, self.second)
