"""Simultaneous inference: intervals and p-values that hold for several contrasts at once.

How small the smallest of several p-values is by chance follows from how the contrasts' errors correlate (the
single-step min-p method, Westfall and Young 1993, on normal deviates with the correlations of the contrasts). Each
contrast keeps its own degrees of freedom: p-values are compared, not t. The correction accounts for contrasts over the
same samples and is never stricter than Bonferroni's.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from genderscope.statistics.estimate import Estimate
from genderscope.statistics.influence import Influence, aligned
from genderscope.statistics.tails import normal_quantile, normal_tail

Array = npt.NDArray[np.float64]

CONFIDENCE = 0.95
#: contrasts that vary less than this are constant up to rounding
ROUNDING = 1e-9
#: with this many deviates an adjusted p varies by about 0.001 around 0.05
DEVIATES = 50_000
#: the deviates do not depend on the seed of a run
_SEED = 2011
_AT_ONCE = 5_000


class Family:
    """A family of contrasts; only the largest deviation in each draw is kept."""

    def __init__(self, influences: Sequence[Influence] = ()) -> None:
        self.size = len(influences)
        self._largest: Array | None = None
        if self.size > 1:
            self._largest = _largest(correlation_root(influences))

    def add(self, block: Array) -> None:
        """Add contrasts, given by standardised deviations: [contrasts, draws]."""
        self.size += len(block)
        largest = np.abs(block).max(axis=0)
        self._largest = largest if self._largest is None else np.maximum(self._largest, largest)

    @cached_property
    def tail(self) -> float:
        """The two-sided error level of each contrast at which the family has 5 %."""
        alone = 1 - CONFIDENCE
        if self.size <= 1 or self._largest is None:
            return alone / max(1, self.size)
        together = 2 * normal_tail(float(np.quantile(self._largest, CONFIDENCE)))
        return min(alone, max(alone / self.size, together))

    def adjusted(self, p: float) -> float:
        """Return the p-value of one contrast, corrected for the whole family."""
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
    """Return the square root of the contrasts' correlation matrix; constants are left out.

    A contrast and its opposite have the same root, so that the order of two runs does not change a correction.
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
    """Return independent normal deviates, the same ones each time: [rank, draws]."""
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
    """Return p-values corrected for all of them together (Holm 1979); a missing one stays missing."""
    known = sorted((p, k) for k, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (p, k) in enumerate(known):
        largest = max(largest, min(1.0, (len(known) - rank) * p))
        corrected[k] = largest
    return corrected


def with_adjusted_p(estimates: Sequence[Estimate], p_values: Sequence[float | None]) -> list[Estimate]:
    """Return estimates of one table, such as of sixteen stereotypes, with p-values corrected for all of them."""
    return [replace(e, p_adjusted=p) for e, p in zip(estimates, holm(p_values), strict=True)]
