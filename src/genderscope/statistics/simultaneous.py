"""Simultaneous inference: intervals and p-values corrected for several contrasts.

The null distribution of the smallest p-value depends on the correlations between the contrasts' errors (the single-step
min-p method, Westfall and Young 1993, on normal deviates with the correlations of the contrasts). Each contrast keeps
its own degrees of freedom, since p-values are compared rather than t statistics. The correction exploits the
correlation of contrasts over the same samples and is never stricter than Bonferroni's.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from genderscope.statistics.estimate import Estimate
from genderscope.statistics.influence import Influence, aligned
from genderscope.statistics.quantiles import normal_quantile, normal_tail

Array = npt.NDArray[np.float64]

CONFIDENCE = 0.95
#: contrasts that vary less than this are treated as constant
ROUNDING = 1e-9
#: number of deviates, for a Monte Carlo error of about 0.001 at an adjusted p of 0.05
DEVIATES = 50_000
#: fixed seed, independent of a run's seed
_SEED = 2011
_AT_ONCE = 5_000


class Family:
    """Family of contrasts, represented by the maximum absolute deviation in each draw."""

    def __init__(self, influences: Sequence[Influence] = ()) -> None:
        self.size = len(influences)
        self._largest: Array | None = None
        if self.size > 1:
            self._largest = _largest(correlation_root(influences))

    def add(self, block: Array) -> None:
        """Add contrasts, given as standardised deviations [contrasts, draws]."""
        self.size += len(block)
        largest = np.abs(block).max(axis=0)
        self._largest = largest if self._largest is None else np.maximum(self._largest, largest)

    @cached_property
    def tail(self) -> float:
        """The two-sided level per contrast that gives a familywise level of 5 %."""
        alone = 1 - CONFIDENCE
        if self.size <= 1 or self._largest is None:
            return alone / max(1, self.size)
        together = 2 * normal_tail(float(np.quantile(self._largest, CONFIDENCE)))
        return min(alone, max(alone / self.size, together))

    def adjusted(self, p: float) -> float:
        """Return a contrast's p-value corrected for the whole family."""
        if self.size <= 1:
            return p
        bound = min(1.0, self.size * p)
        if self._largest is None:
            return bound
        beyond = len(self._sorted) - int(np.searchsorted(self._sorted, -normal_quantile(p / 2)))
        return max(p, min(bound, (beyond + 1) / (len(self._sorted) + 1)))

    @cached_property
    def _sorted(self) -> Array:
        assert self._largest is not None
        return np.sort(self._largest)


def correlation_root(influences: Sequence[Influence]) -> Array:
    """Return the square root of the contrasts' correlation matrix, excluding constant contrasts.

    Signs are normalised, so that swapping two runs does not change the correction.
    """
    _, loadings = aligned(influences)
    sizes = np.sqrt((loadings**2).sum(axis=1))
    scaled = loadings[sizes > ROUNDING] / sizes[sizes > ROUNDING, None]
    magnitudes = np.abs(scaled)
    largest = np.argmax(magnitudes > (1 - 1e-6) * magnitudes.max(axis=1, initial=0.0, keepdims=True), axis=1)
    scaled *= np.sign(scaled[np.arange(len(scaled)), largest])[:, None]
    values, vectors = np.linalg.eigh(scaled @ scaled.T)
    root: Array = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    return root


def deviates(rank: int, draws: int) -> npt.NDArray[np.float32]:
    """Return independent normal deviates with a fixed seed: [rank, draws]."""
    return np.random.default_rng(_SEED).standard_normal((rank, draws), dtype=np.float32)


def _largest(root: Array) -> Array | None:
    if not len(root):
        return None
    generator = np.random.default_rng(_SEED)
    parts = [
        np.abs(root @ generator.standard_normal((root.shape[1], _AT_ONCE))).max(axis=0)
        for _ in range(DEVIATES // _AT_ONCE)
    ]
    return np.concatenate(parts)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return Holm-corrected p-values (Holm 1979); None stays None."""
    ordered = sorted((p, k) for k, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (p, k) in enumerate(ordered):
        largest = max(largest, min(1.0, (len(ordered) - rank) * p))
        corrected[k] = largest
    return corrected


def with_adjusted_p(estimates: Sequence[Estimate], p_values: Sequence[float | None]) -> list[Estimate]:
    """Return the estimates of one table, e.g. of sixteen stereotypes, with Holm-corrected p-values."""
    return [replace(e, p_adjusted=p) for e, p in zip(estimates, holm(p_values), strict=True)]
