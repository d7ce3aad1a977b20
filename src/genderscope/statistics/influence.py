"""Influence of each unit on an estimate, used to compute the error of a difference between two runs.

An estimate is a weighted sum of stratum means. The influence of a unit (a sentence with all its templates or languages)
is its weighted deviation from the stratum mean, divided by n. The influences of two runs on the same units are
subtracted unit by unit, so that variation common to both runs cancels. The variance of the difference is the sum over
strata, with Welch-Satterthwaite degrees of freedom, as for a single run (`statistics/student_intervals.py`).

A sentence that recurs, in one stratum or in several, is one unit, as in a single run (`statistics/recurrence.py`).

Binary outcomes rarely differ between two runs, and a stratum without any difference has zero observed variance. One
pseudo-observation, split evenly between the runs and spread over all strata, adds variance and a degree of freedom
(after Bonett and Price 2012, "Adjusted Wald confidence interval for a difference of binomial proportions based on
paired data").
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from genderscope.statistics.student_intervals import FEWEST, Error, are_too_few

Array = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
Labels = npt.NDArray[np.uint64]

#: code of the stratum that collects the units of single-unit strata
ALONE = -1
#: upper bound on unit numbers within a stratum and on sentence numbers across all strata
MOST_UNITS = 2**32


class Influence(Protocol):
    """Protocol for the influence of units on an estimate."""

    @property
    def error(self) -> Error | None: ...

    def plus(self, other: Any, sign: float) -> "Influence": ...

    def scaled(self, weight: float) -> "Influence": ...

    def loadings(self) -> tuple[Labels, Array]:
        """Return labels and sizes of independent error sources; equal labels mark sources that estimates share."""
        ...


class Errors(NamedTuple):
    """Errors of many estimates."""

    variance: Array
    freedom: Array


@dataclass(frozen=True)
class Stratified:
    """Influence of units within strata; NaN marks a unit without a value."""

    influences: Array
    #: unit identifiers, consistent across runs
    labels: Labels
    strata: Codes
    #: stratum -> weight of its mean in the estimate
    weights: dict[int, float]
    #: for proportions, n times the largest effect of one unit on its stratum's mean; 0 for unbounded values
    reach: float = 0.0
    #: contribution of each unit to the size of its stratum, below 1 if units differ in size; None if all count fully
    counted: Array | None = None
    #: whether sentences recur, so that units of different strata may be the same sentence
    recurs: bool = False

    @property
    def sentences(self) -> Labels:
        """The sentence label of each unit, shared across strata; the unit label if no sentence recurs."""
        return self.labels % np.uint64(MOST_UNITS) if self.recurs else self.labels

    @property
    def pseudo(self) -> float:
        """The size of the pseudo-observation: 1, or that of an average cluster if clusters differ in size."""
        if self.counted is None or self.recurs or not self.counted.any():
            return 1.0
        return float(self.counted[self.counted > 0].mean())

    @cached_property
    def error(self) -> Error | None:
        """The error of the estimate; None if there are too few units, or too few of them decide the estimate."""
        present = np.isfinite(self.influences)
        sentences = np.unique(self.sentences[present], return_inverse=True)[1]
        distinct = int(sentences.max(initial=-1)) + 1
        if distinct < FEWEST:
            return None
        codes, places = np.unique(self.strata[present], return_inverse=True)
        squares: Array = np.bincount(places, weights=self.influences[present] ** 2).astype(np.float64)
        sizes = np.bincount(places, None if self.counted is None else self.counted[present]).astype(np.float64)
        if self.counted is not None and not self.recurs and are_too_few(float(sizes.sum()) - 1):
            return None
        weights = np.array([self.weights[int(code)] for code in codes])
        variance, freedom = (float(number) for number in welch(squares, sizes, weights, self.reach, self.pseudo))
        if distinct < len(sentences):
            variance += self.shared_variance
            freedom = max(1.0, freedom * distinct / len(sentences))
        return Error(max(variance, 0.0), freedom) if np.isfinite(variance) else None

    @cached_property
    def shared_variance(self) -> float:
        """Covariance between strata that have sentences in common; 0 if no sentence recurs."""
        if self.counted is None:
            return 0.0
        present = np.isfinite(self.influences)
        places = np.unique(self.strata[present], return_inverse=True)[1]
        sizes = np.bincount(places, self.counted[present]).astype(np.float64)
        influences = self.influences[present] * unbiased(sizes)[places]
        sentences = np.unique(self.sentences[present], return_inverse=True)[1]
        return float((np.bincount(sentences, weights=influences) ** 2).sum() - (influences**2).sum())

    def plus(self, other: "Stratified", sign: float) -> "Stratified":
        """Return the influence on the sum of two estimates, or on their difference if `sign` is -1."""
        one, two = (self, other) if np.array_equal(self.labels, other.labels) else _aligned(self, other)
        both = np.nan_to_num(one.influences) + sign * np.nan_to_num(two.influences)
        influences = np.where(np.isfinite(one.influences) | np.isfinite(two.influences), both, np.nan)
        weights = {k: max(one.weights.get(k, 0.0), two.weights.get(k, 0.0)) for k in {**one.weights, **two.weights}}
        counted = None if one.counted is None or two.counted is None else np.maximum(one.counted, two.counted)
        strata, reach = np.maximum(one.strata, two.strata), max(one.reach, two.reach)
        return Stratified(influences, one.labels, strata, weights, reach, counted, one.recurs and two.recurs)

    def scaled(self, weight: float) -> "Stratified":
        """Return the influence on the estimate multiplied by a weight."""
        weights = {stratum: abs(weight) * own for stratum, own in self.weights.items()}
        return replace(self, influences=weight * self.influences, weights=weights)

    def loadings(self) -> tuple[Labels, Array]:
        """Return each sentence's contribution to the error."""
        if not self.recurs:
            return self.labels, np.nan_to_num(self.influences)
        sentences, places = np.unique(self.sentences, return_inverse=True)
        return sentences, np.bincount(places, weights=np.nan_to_num(self.influences)).astype(np.float64)


@dataclass(frozen=True)
class Replicated:
    """Bootstrap replicates of an estimate, for measures that do not provide influences.

    The strata are assumed to have equal variance, which determines the degrees of freedom.
    """

    deviations: Array
    sizes: Sequence[int]

    @cached_property
    def error(self) -> Error | None:
        """The error of the estimate; None if a stratum has fewer than two units."""
        usable = self.deviations[np.isfinite(self.deviations)]
        n = np.asarray(self.sizes, dtype=np.float64)
        if not len(usable) or not len(n) or n.min() < 2:
            return None
        kept = ((n - 1) / n**2).sum() / (1 / n).sum()
        return Error(float(usable.var() / kept), float((1 / n).sum() ** 2 / (1 / n**2 / (n - 1)).sum()))

    def plus(self, other: "Replicated", sign: float) -> "Replicated":
        """Return the deviations of the sum of two estimates, or of their difference if `sign` is -1."""
        sizes = min((self.sizes, other.sizes), key=lambda counts: min(counts, default=0))
        if len(self.deviations) != len(other.deviations):
            return Replicated(np.empty(0), [])
        return Replicated(self.deviations + sign * other.deviations, sizes)

    def scaled(self, weight: float) -> "Replicated":
        """Return the deviations of the estimate multiplied by a weight."""
        return Replicated(weight * self.deviations, self.sizes)

    def loadings(self) -> tuple[Labels, Array]:
        """Return the replicates, scaled so that their inner products are covariances, as for influences."""
        finite = np.where(np.isfinite(self.deviations), self.deviations, 0.0)
        return np.arange(len(finite), dtype=np.uint64), finite / max(1.0, np.sqrt(len(finite)))


def replicated(replicates: Array, sizes: Sequence[int]) -> Replicated:
    """Return the replicates as deviations from their mean."""
    finite = replicates[np.isfinite(replicates)]
    return Replicated(replicates - (finite.mean() if len(finite) else 0.0), sizes)


def welch(squares: Array, counts: Array, weights: Array, reach: float, pseudo: float = 1.0) -> Errors:
    """Return errors from sums of squared influences [strata, ...] and unit counts [strata, ...].

    `pseudo` is the size of the pseudo-observation, which is only added if there is a `reach`.
    """
    extra = (slice(None), *(None,) * (squares.ndim - 1))
    weights, counts = weights[extra], counts[extra] if counts.ndim < squares.ndim else counts
    imagined = pseudo / len(squares) if reach else 0.0
    n = counts + imagined
    several = counts >= 2
    with np.errstate(invalid="ignore", divide="ignore"):
        shown = np.maximum(squares, 0.0) * (counts / n) ** 2 + imagined * (weights * reach / n) ** 2
        own = np.where(several, shown * n / (n - 1), 0.0)
        freedom = np.where(several, n - 1 + pseudo if reach else n - 1, 0.0)
        alike = np.where(several, own * n / weights**2 * freedom, 0.0).sum(axis=0) / freedom.sum(axis=0)
        own = np.where(counts == 1, weights**2 * alike, own)
        freedom = np.where(counts == 1, freedom.sum(axis=0), freedom)
        variance = own.sum(axis=0)
        spread = np.where(own > 0, own**2 / freedom, 0.0).sum(axis=0)
        return Errors(variance, np.where(spread > 0, variance**2 / spread, np.maximum(1.0, freedom.sum(axis=0))))


def unbiased(sizes: Array) -> Array:
    """Return factors that correct the units' influences for the estimated stratum means: √(n / (n - 1))."""
    return np.sqrt(np.divide(sizes, sizes - 1, out=np.ones(len(sizes)), where=sizes >= 2))


def hashed(names: npt.ArrayLike) -> Labels:
    """Return hashed labels for named units."""
    from pandas.util import hash_array

    return hash_array(np.asarray(names, dtype=object))


def aligned(influences: Sequence[Influence]) -> tuple[Labels, Array]:
    """Return all error sources, and the loadings of each estimate on them: [estimates, sources]."""
    loadings = [influence.loadings() for influence in influences]
    first = loadings[0][0]
    if all(np.array_equal(first, labels) for labels, _ in loadings):
        return first, np.array([values for _, values in loadings])
    every = np.unique(np.concatenate([labels for labels, _ in loadings]))
    table = np.zeros((len(loadings), len(every)))
    for row, (labels, values) in zip(table, loadings, strict=True):
        np.add.at(row, np.searchsorted(every, labels), values)
    return every, table


def _aligned(one: Stratified, two: Stratified) -> tuple[Stratified, Stratified]:
    """Reindex both influences to the union of their units."""
    labels = np.union1d(one.labels, two.labels)

    def over_all(influence: Stratified) -> Stratified:
        influences, strata = np.full(len(labels), np.nan), np.full(len(labels), ALONE)
        places = np.searchsorted(labels, influence.labels)
        influences[places], strata[places] = influence.influences, influence.strata
        counted = None
        if influence.counted is not None:
            counted = np.zeros(len(labels))
            counted[places] = influence.counted
        return replace(influence, influences=influences, labels=labels, strata=strata, counted=counted)

    return over_all(one), over_all(two)
