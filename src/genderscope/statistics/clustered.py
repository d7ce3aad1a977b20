"""The variance of a mean over rows that are clustered one way or two ways (crossed).

Rows that share an adjective, an identity term or an occupation vary together. `moved` is each row's influence on the
estimate; its sums over clusters give the variance (Cameron, Gelbach and Miller 2011, "Robust inference with multiway
clustering"): that over the first kind of cluster, plus that over the second, minus that over their intersections. As
clusters are few, Student's t is used, with Satterthwaite's degrees of freedom of the parts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from genderscope.statistics.student import Error

Array = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
Labels = npt.NDArray[np.str_]

#: from this many on, a sum of random signs is as good as normal
_MANY = 200
#: replicates drawn at a time
_BLOCK = 250


def codes(labels: npt.ArrayLike) -> Codes:
    """Number the clusters."""
    _, found = np.unique(np.asarray(labels), return_inverse=True)
    numbers: Codes = found.astype(np.int64)
    return numbers


def sums(moved: Array, clusters: Codes) -> Array:
    """Return each cluster's influence on the estimate."""
    totals: Array = np.bincount(clusters, weights=moved).astype(np.float64)
    return totals


def one_way(moved: Array, clusters: Codes, means: int = 1) -> Error | None:
    """Return the one-way clustered error; `means` is the number of means estimated to compute `moved`."""
    count = len(np.unique(clusters))
    if count <= means:
        return None
    variance = float((sums(moved, clusters) ** 2).sum()) * count / (count - means)
    return Error(variance, count - means)


def two_way(moved: Array, first: Codes, second: Codes, means: Sequence[int] = (1, 1)) -> Error | None:
    """Return the two-way clustered error; None if either kind has only one cluster.

    A kind never adds a negative amount to the cells' variance; where it would, its uncertainty, which is large for few
    clusters, does not count either.
    """
    cells = one_way(moved, crossed(first, second), 1)
    kinds = [one_way(moved, each, used) for each, used in ((first, means[0]), (second, means[1]))]
    known = [kind for kind in kinds if kind is not None]
    return None if cells is None or not known else together(cells, known)


def crossed(first: Codes, second: Codes) -> Codes:
    """Number the cells of two kinds of clusters."""
    return codes(first * (int(second.max(initial=0)) + 1) + second)


def together(cells: Error, kinds: Sequence[Error]) -> Error:
    """Add up the variance over cells and what each kind of cluster adds to it."""
    added = [kind for kind in kinds if kind.variance > cells.variance]
    variance = cells.variance + sum(kind.variance - cells.variance for kind in added)
    spread = sum(part.variance**2 / part.freedom for part in (cells, *added))
    if spread == 0:
        return Error(0.0, min(kind.freedom for kind in kinds))
    return Error(variance, max(1.0, variance**2 / spread))


def weighed(moved: Array, loads: Array, clusters: Codes, means: int, corrected: bool) -> Error | None:
    """Return the one-way clustered error of a mean that weights its rows by `loads`.

    The degrees of freedom are the effective number of clusters minus the number of means estimated; `corrected` says
    that the rows are already corrected for the latter.
    """
    count = len(np.unique(clusters))
    if count <= means:
        return None
    weights = sums(loads, codes(clusters)) ** 2
    effective = float(weights.sum() ** 2 / (weights**2).sum()) if weights.any() else 1.0
    kept = (count - means) / count
    variance = float((sums(moved, codes(clusters)) ** 2).sum()) / (1.0 if corrected else kept)
    return Error(variance, max(1.0, effective * kept))


def error_of_clusters(means: Array, weights: Array) -> Error:
    """Return the error of the weighted mean of independent clusters; the weights sum to 1."""
    factor, freedom = correction(weights)
    return Error(float((weights**2 * (means - weights @ means) ** 2).sum()) * factor, freedom)


def correction(weights: Array) -> tuple[float, float]:
    """Return the factor that makes the weighted squared deviations unbiased, and their degrees of freedom.

    After Bell and McCaffrey (2002, "Bias reduction in standard errors for linear regression with multi-stage samples"),
    for clusters of equal variance; of n clusters with equal weights these are n / (n - 1) and n - 1.
    """
    deviations = weights[:, None] * (np.eye(len(weights)) - weights)
    form = deviations.T @ deviations
    trace = float(np.trace(form))
    return float((weights**2).sum()) / trace, trace**2 / float((form**2).sum())


def multiplied(moved: Array, first: Codes, second: Codes, seed: npt.ArrayLike, resamples: int) -> Array:
    """Return replicates of an estimate's error: clusters and cells weighted by random normal numbers (wild bootstrap).

    Their variance is that of `two_way`. Two runs on the same rows get the same numbers, so that the difference of their
    replicates is paired.
    """
    generator = np.random.default_rng(np.asarray(seed).tolist())
    cells = crossed(first, second)
    of_cells = sums(moved, cells)
    own = float((of_cells**2).sum())
    replicates: Array = np.concatenate(
        [_signs(generator, size, len(of_cells)) @ of_cells for size in _blocks(resamples)]
    )
    for clusters in (first, second):
        of_clusters = sums(moved, codes(clusters))
        noise = generator.normal(size=(resamples, len(of_clusters)))
        whole = float((of_clusters**2).sum())
        if whole > own:
            replicates += np.sqrt((whole - own) / whole) * (noise @ of_clusters)
    return replicates


def _signs(generator: np.random.Generator, resamples: int, count: int) -> npt.NDArray[np.float32]:
    """Return random signs, or normal numbers if there are few, so that their sum is normal either way."""
    if count < _MANY:
        return generator.standard_normal((resamples, count), dtype=np.float32)
    bits = np.frombuffer(generator.bytes(resamples * count // 8 + 1), dtype=np.uint8)
    signs = np.unpackbits(bits, count=resamples * count).reshape(resamples, count).astype(np.float32)
    return signs * 2 - 1


def _blocks(resamples: int) -> list[int]:
    return [min(_BLOCK, resamples - start) for start in range(0, resamples, _BLOCK)] or [0]


@dataclass(frozen=True)
class Crossing:
    """Each row's influence on an estimate, and the labels of its two clusters."""

    moved: Array
    first: Labels
    second: Labels

    @property
    def error(self) -> Error | None:
        """The error of the estimate."""
        return two_way(self.moved, codes(self.first), codes(self.second)) if len(self.moved) else None

    def plus(self, other: "Crossing", sign: float) -> "Crossing":
        """Return the influences on the sum of two estimates (difference for a sign of -1), which share clusters."""
        return Crossing(
            np.concatenate([self.moved, sign * other.moved]),
            np.concatenate([self.first, other.first]),
            np.concatenate([self.second, other.second]),
        )

    def deviations(self, seed: Sequence[int], resamples: int) -> Array:
        """Return replicates of the estimate's error."""
        return multiplied(self.moved, codes(self.first), codes(self.second), list(seed), resamples)
