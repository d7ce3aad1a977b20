"""Skewness of several samples, with checks that it is not due to chance."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

#: The coverage of Student's t is 90.8 % for the mean of 16 exponential values (skewness 2) and 93.5 % for that of 60;
#: the skewness of these means is 0.5 and 0.26.
TOO_SKEWED = 0.3
#: Skewness must exceed this many standard errors, both for normal values and over blocks. In simulations, 0 to 0.2 % of
#: normal samples do, and 3 % of those with long tails on both sides (Student's t with 3 degrees of freedom).
CLEARLY = 2.5
#: size of the blocks of values whose skewness is compared; a single extreme value affects only one of them
BLOCK = 8


class Skewness(NamedTuple):
    """Pooled skewness of several samples, its standard error for normal values, and its t statistic over blocks."""

    value: float
    error: float
    over_blocks: float = math.inf

    @property
    def is_clear(self) -> bool:
        """Whether the values are skewed beyond chance, and not only by long tails on both sides."""
        clear = abs(self.value) > CLEARLY * self.error
        return clear and math.copysign(1.0, self.value) * self.over_blocks > CLEARLY

    def distorts_mean(self, n: float) -> bool:
        """Return whether the Student's t interval for the mean of n values probably has coverage below 93 %."""
        return abs(self.value) > max(TOO_SKEWED * math.sqrt(n), CLEARLY * self.error)


def pooled_skewness(samples: Iterable[Array]) -> Skewness:
    """Return the precision-weighted skewness within samples; samples of fewer than 3 values are ignored.

    A single sample of 16 seldom reveals that 3 % of its values are extreme, but many samples together do.
    """
    used = [values for values in samples if len(values) >= 3]
    cubes = squares = weight = freedom = 0.0
    for values in used:
        n = len(values)
        deviations = values - values.mean()
        cubes += float((deviations**3).sum())
        squares += float((deviations**2).sum())
        weight += (n - 1) * (n - 2) / n
        freedom += n - 1
    if not squares > 0:
        return Skewness(0.0, math.inf)
    value = cubes / weight / (squares / freedom) ** 1.5
    return Skewness(value, math.sqrt(6 / weight), _over_blocks(used))


def _over_blocks(samples: Sequence[Array]) -> float:
    """Return the t statistic of the blocks' own skewness, which is bounded; infinite if there are too few blocks."""
    blocks = [block for values in samples for block in np.array_split(values, max(1, len(values) // BLOCK))]
    own = np.array([_plain_skewness(block) for block in blocks])
    if len(own) < 3:
        return math.inf
    spread = float(own.std(ddof=1))
    return float(own.mean()) / spread * math.sqrt(len(own)) if spread > 0 else 0.0


def _plain_skewness(values: Array) -> float:
    deviations = values - values.mean()
    variance = float((deviations**2).mean())
    return float((deviations**3).mean()) / variance**1.5 if variance > 0 else 0.0
