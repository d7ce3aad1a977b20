"""Rank intervals from all pairwise comparisons of a table's runs.

All pairs are compared on shared rows using Student's t with simultaneous 95 % confidence (min-p), so that the ranks are
valid for the whole table and selecting the apparent best run causes no bias. The intervals also give Hsu's
multiple comparisons with the best: how much further from neutral a run is than the best of the others.

If several estimates must be interpreted together, each distance from neutral is expressed as a fraction of the largest
possible one, and a run's distance is that of its worst estimate.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import numpy.typing as npt

from genderscope.comparison.neutral_distance import further_interval
from genderscope.statistics.influence import Influence, aligned
from genderscope.statistics.paired_comparison import ROUNDING, Resampled
from genderscope.statistics.pairwise_errors import pairwise_errors
from genderscope.statistics.simultaneous import Family, deviates

Array = npt.NDArray[np.float64]

#: signs of the two contrasts: difference and sum of the distances from neutral
SIGNS = (-1.0, 1.0)
#: number of contrasts per block, small enough for their deviates to fit in the CPU cache
AT_ONCE = 16
#: minimum and maximum number of draws; within these limits, at most `MOST_CELLS` deviates are computed
DRAWS = 2_000, 20_000
MOST_CELLS = 4e8


@dataclass(frozen=True)
class Standing:
    """Rank interval of one run, with simultaneous coverage for the whole table."""

    #: best and worst possible rank; a run that is significantly nearer to neutral in any one estimate may rank higher
    ranks: tuple[int, int]
    #: how much further from neutral the run is than the best of the others: value, low, high
    behind: tuple[float, float, float]
    #: what ranks generalise over, in words, if over more than the questions
    over: str | None = None


def standings(runs: Sequence[Sequence[Resampled]], units: Sequence[float], tables: int = 1) -> list[Standing] | None:
    """Compare runs, given the same estimates of each on the same rows; return None if there is too little data.

    If there are several such tables, such as one per language, ranks are also corrected for their number.
    """
    if len(runs) < 2:
        return None
    values = np.array([[(r.value - r.neutral) / u for r, u in zip(run, units, strict=True)] for run in runs])
    if not np.isfinite(values).all():
        return None
    reach, over = _widest_reach(runs, units, tables)
    if reach is None:
        return None
    least, same = _least(values, reach)
    return [replace(_standing(k, values, least, same), over=over) for k in range(len(runs))]


def _widest_reach(
    runs: Sequence[Sequence[Resampled]], units: Sequence[float], tables: int
) -> tuple[Array | None, str | None]:
    """Return the half-widths for statements about models, and what they generalise over, if over more than items."""
    wide = [[r.wide for r in run if r.wide is not None] for run in runs]
    over = {r.estimate.wide_units for run in runs for r in run if r.wide is not None}
    if len(over) == 1 and all(len(own) == len(units) for own in wide):
        reach = _reach(wide, units, tables)
        if reach is not None:
            return reach, over.pop()
    return _reach([[r.influence for r in run] for run in runs], units, tables), None


def _reach(runs: Sequence[Sequence[Influence]], units: Sequence[float], tables: int) -> Array | None:
    """Return the half-width of each contrast's interval: [sign, run, estimate, run, estimate]."""
    from scipy import special  # takes a third of a second to import

    shape = len(runs), len(units)
    influences = [influence.scaled(1 / u) for run in runs for influence, u in zip(run, units, strict=True)]
    errors = [pairwise_errors(influences, sign) for sign in SIGNS]
    available = [error for error in errors if error is not None]
    if len(available) < len(SIGNS):
        return None
    tail = _family(aligned(influences)[1].reshape(*shape, -1)).tail / tables
    halves = [-special.stdtrit(e.freedom, tail / 2) * np.sqrt(np.maximum(e.variance, 0.0)) for e in available]
    return np.array(halves, dtype=np.float64).reshape(len(SIGNS), *shape, *shape)


def _family(root: Array) -> Family:
    """Return the family of all contrasts between runs, given their loadings [runs, estimates, sources]."""
    count, estimates, _ = root.shape
    contrasts = count * (count - 1) * estimates**2
    draws = int(np.clip(MOST_CELLS / contrasts, *DRAWS))
    flat = root.reshape(count * estimates, -1)
    drawn = (flat @ deviates(flat.shape[1], draws)).reshape(count, estimates, draws).astype(np.float32)
    family, own = Family(), (root**2).sum(axis=2)
    for i in range(count):
        for start in range(i + 1, count, AT_ONCE):
            later = slice(start, start + AT_ONCE)
            for k, m in product(range(estimates), repeat=2):
                shared = root[later, m] @ root[i, k]
                for sign, combined in zip(SIGNS, (np.subtract, np.add), strict=True):
                    spread = np.sqrt(np.maximum(own[i, k] + own[later, m] + 2 * sign * shared, 0.0))
                    scale = np.divide(1.0, spread, out=np.zeros(len(spread)), where=spread > ROUNDING)
                    block = combined(drawn[i, k], drawn[later, m])
                    block *= scale[:, None].astype(np.float32)
                    family.add(block)
    return family


def _least(values: Array, reach: Array) -> tuple[Array, Array]:
    """Return lower bounds [runs, runs] on how much further from neutral each run is than every other run.

    The first array considers all estimates together, the second only the single estimate with the largest bound.
    """
    intervals = []
    for s, sign in enumerate(SIGNS):
        value = values[:, :, np.newaxis, np.newaxis] + sign * values
        intervals.append((value - reach[s], value + reach[s]))
    low, _ = further_interval(intervals[0], intervals[1])
    run = np.arange(len(values))
    low[run, :, run, :] = -np.inf
    # A run's distance is that of its worst estimate, so take the minimum over run j's estimates, then the maximum over
    # run i's.
    whole = low.min(axis=3).max(axis=1)
    same = np.diagonal(low, axis1=1, axis2=3).max(axis=-1)
    return whole, same


def _standing(k: int, values: Array, least: Array, same: Array) -> Standing:
    others = [j for j in range(len(values)) if j != k]
    far = np.abs(values).max(axis=1)
    better = int((least[k, others] > 0).sum())
    worse = int(((least[others, k] > 0) & ~(same[k, others] > 0)).sum())
    behind = (
        float(far[k] - far[others].min()),
        float(least[k, others].max()),
        float((-least[others, k]).max()),
    )
    return Standing((1 + better, len(values) - worse), behind)
