"""Simultaneous inference: intervals and p-values that hold for several contrasts at once.

The largest standardised deviation in each replicate shows how far the most extreme contrast deviates by chance
(the single-step max-t method, Westfall and Young 1993, on shared bootstrap replicates). It accounts for the correlation
of contrasts over the same samples, and is never stricter than Bonferroni's bound.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from genderscope.statistics.estimate import Estimate
from genderscope.statistics.tails import normal_quantile, normal_tail, student_quantile

Array = npt.NDArray[np.float64]

CONFIDENCE = 0.95
#: replicates that vary less than this are equal up to rounding
ROUNDING = 1e-9


class Family:
    """A family of contrasts, given by their replicates; only the largest deviations are kept."""

    def __init__(self, replicates: Iterable[Array] = ()) -> None:
        self.size = 0
        self._largest: Array | None = None
        for each in replicates:
            self.add(each[np.newaxis])

    def add(self, block: Array) -> Array:
        """Add contrasts, [contrasts, replicates], and return the standard deviation of each."""
        self.size += len(block)
        if not np.isfinite(block).all():
            return np.array([self._add_partial(row) for row in block])
        centred = block - block.mean(axis=1, keepdims=True)
        spread: Array = np.sqrt(np.einsum("ij,ij->i", centred, centred) / block.shape[1])
        varied = spread >= ROUNDING  # a constant never deviates
        if varied.any():
            centred = centred if varied.all() else centred[varied]
            np.abs(centred, out=centred)
            centred /= spread[varied, np.newaxis]
            self._keep(centred.max(axis=0))
        return spread

    def _add_partial(self, replicates: Array) -> float:
        finite = np.isfinite(replicates)
        spread = float(replicates[finite].std()) if finite.any() else np.nan
        if spread >= ROUNDING:
            self._keep(np.where(finite, np.abs(replicates - replicates[finite].mean()) / spread, 0.0))
        return spread

    def _keep(self, strayed: Array) -> None:
        if self._largest is None:
            self._largest = strayed
        elif len(self._largest) == len(strayed):  # contrasts drawn in another way fall under Bonferroni's bound
            self._largest = np.maximum(self._largest, strayed)

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
        beyond = int((self._largest >= -normal_quantile(p / 2)).sum())
        return max(p, min(bound, (beyond + 1) / (len(self._largest) + 1)))

    def widening(self, sizes: Sequence[int]) -> float:
        """Return the factor by which a 95 % interval must be widened."""
        freedom = max(1, sum(n - 1 for n in sizes))
        return student_quantile(self.tail / 2, freedom) / student_quantile((1 - CONFIDENCE) / 2, freedom)


def bonferroni_widening(looked_at: int) -> float:
    """The same without replicates: Bonferroni on the normal scale."""
    alone = (1 - CONFIDENCE) / 2
    return normal_quantile(alone / max(1, looked_at)) / normal_quantile(alone)


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
