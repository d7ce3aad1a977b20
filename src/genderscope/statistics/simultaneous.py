"""Simultaneous inference: intervals and p-values that hold for several contrasts at once.

The largest standardised deviation in each replicate shows how far the most extreme contrast deviates by chance
(the single-step max-t method, Westfall and Young 1993, on shared bootstrap replicates). It accounts for the correlation
of contrasts over the same samples, and is never stricter than Bonferroni's bound.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from genderscope.statistics.tails import normal_quantile, normal_tail, student_quantile

Array = npt.NDArray[np.float64]

CONFIDENCE = 0.95
#: replicates that vary less than this are equal up to rounding
ROUNDING = 1e-9


class Family:
    """A family of contrasts. `replicates` may be a generator: only the largest deviations are kept."""

    def __init__(self, replicates: Iterable[Array]) -> None:
        self.size = 0
        self._largest: Array | None = None
        for each in replicates:
            self.size += 1
            self._add(each)

    def _add(self, replicates: Array) -> None:
        finite = np.isfinite(replicates)
        spread = float(replicates[finite].std()) if finite.any() else 0.0
        if spread < ROUNDING or (self._largest is not None and len(self._largest) != len(replicates)):
            return  # a constant never deviates; contrasts drawn in another way fall under Bonferroni's bound
        strayed = np.where(finite, np.abs(replicates - replicates[finite].mean()) / spread, 0.0)
        self._largest = strayed if self._largest is None else np.maximum(self._largest, strayed)

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
