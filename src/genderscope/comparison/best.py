"""All pairwise comparisons of the runs of a table: which may be the best, and which ranks each may have.

All pairs are compared on shared replicates, simultaneously at 95 % (max-t), so that the ranks hold for the whole table
and the apparent best is not favoured by selection. The intervals also give Hsu's multiple comparisons with the best:
how much further from neutral a run is than the best of the others.

If several estimates must be read together, a run's distance from neutral is that of its worst estimate, each in units
of its smallest effect of interest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from genderscope.comparison.nearer import further_interval
from genderscope.statistics.paired import Resampled
from genderscope.statistics.simultaneous import Family
from genderscope.statistics.tails import student_quantile

Array = npt.NDArray[np.float64]

#: the difference and the sum of two distances from neutral
SIGNS = (-1.0, 1.0)
#: contrasts computed at a time, few enough that their replicates stay in the processor's cache
AT_ONCE = 16


@dataclass(frozen=True)
class Standing:
    """The rank of one run; all intervals of a table hold simultaneously."""

    #: the best and the worst rank it may have
    ranks: tuple[int, int]
    #: how much further from neutral than the best of the others: value, low, high
    behind: tuple[float, float, float]
    #: whether another run is significantly nearer to neutral in at least one estimate
    beaten_in_one: bool


@dataclass(frozen=True)
class _Runs:
    """Signed distances from neutral [runs, estimates], in each estimate's unit, and their replicates."""

    values: Array
    replicates: Array
    sizes: Sequence[int]


def standings(runs: Sequence[Sequence[Resampled]], units: Sequence[float]) -> list[Standing] | None:
    """Compare runs, each given by the same estimates on the same rows; None if there is too little data."""
    sizes = [n for run in runs for each in run for n in each.sizes]
    if len(runs) < 2 or not sizes or min(sizes) < 2:
        return None
    values = np.array([[(r.value - r.neutral) / u for r, u in zip(run, units, strict=True)] for run in runs])
    if not np.isfinite(values).all() or len({len(r.replicates) for run in runs for r in run}) != 1:
        return None
    drawn = np.array([[(r.replicates - r.neutral) / u for r, u in zip(run, units, strict=True)] for run in runs])
    least, same = _least(_Runs(values, drawn, min((r.sizes for r in runs[0]), key=sum)))
    return [_standing(k, values, least, same) for k in range(len(runs))]


def _least(runs: _Runs) -> tuple[Array, Array]:
    """Return [runs, runs]: lower bounds on how much further from neutral one is, over all and in any one estimate."""
    family, spread = _contrasts(runs)
    count = len(runs.values)
    freedom = max(1, sum(n - 1 for n in runs.sizes))
    kept = float(np.sqrt(np.mean([(n - 1) / n for n in runs.sizes])))
    reach = -student_quantile(family.tail / 2, freedom) / kept
    ends = []
    for s, sign in enumerate(SIGNS):
        value = runs.values[:, :, np.newaxis, np.newaxis] + sign * runs.values
        ends.append((value - reach * spread[s], value + reach * spread[s]))
    below, above = further_interval(ends[0], ends[1])
    run = np.arange(count)
    earlier = (run[:, np.newaxis] < run)[:, np.newaxis, :, np.newaxis]
    low = np.where(earlier, below, -np.inf)
    low = np.where(earlier.swapaxes(0, 2), -above.transpose(2, 3, 0, 1), low)
    # Run i is at least as far from neutral as in its worst estimate, run j no further than in each of its own.
    whole = low.min(axis=3).max(axis=1)
    same = np.diagonal(low, axis1=1, axis2=3).max(axis=-1)
    return whole, same


def _contrasts(runs: _Runs) -> tuple[Family, Array]:
    """Return all contrasts and the spread of each: [sign, run, estimate, later run, estimate].

    A contrast is the difference or the sum of an estimate of one run and an estimate of a later one.
    """
    drawn = runs.replicates
    count, estimates = runs.values.shape
    family, spread = Family(), np.zeros((len(SIGNS), count, estimates, count, estimates))
    for i in range(count):
        for start in range(i + 1, count, AT_ONCE):
            later = slice(start, start + AT_ONCE)
            for k, m in product(range(estimates), repeat=2):
                for s, combined in enumerate((np.subtract, np.add)):  # in the order of SIGNS
                    spread[s, i, k, later, m] = family.add(combined(drawn[i, k], drawn[later, m]))
    return family, spread


def _standing(k: int, values: Array, least: Array, same: Array) -> Standing:
    others = [j for j in range(len(values)) if j != k]
    far = np.abs(values).max(axis=1)
    better = int((least[k, others] > 0).sum())
    worse = int((least[others, k] > 0).sum())
    behind = (
        float(far[k] - far[others].min()),
        float(least[k, others].max()),
        float((-least[others, k]).max()),
    )
    return Standing((1 + better, len(values) - worse), behind, bool((same[k, others] > 0).any()))
