"""Correlations over models: Pearson and Spearman, with intervals, p-values, and the influence of a single model."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import Literal

import numpy as np
import numpy.typing as npt

from genderscope.statistics.ranks import average_ranks
from genderscope.statistics.tails import normal_quantile

Array = npt.NDArray[np.float64]
Kind = Literal["Pearson", "Spearman"]

#: fewer points than this have no correlation
FEWEST = 3
#: fewer than this cannot be generalised from: four points may be in perfect order by chance
FEWEST_FOR_INTERVAL = 5
#: up to this many points all permutations can be enumerated
MOST_COUNTED = 8


@dataclass(frozen=True, slots=True)
class Correlation:
    """A correlation over n points. Interval and p are None where there are too few points for them.

    `fisher` is the interval by Fisher's transformation (for Spearman with the variance of Bonett and Wright 2000): it
    covers from 5 points on, where resampling the points covers 85 %. `without_one` is the range when each point is left
    out in turn. Spearman's p is an exact permutation p-value for up to 8 points.
    """

    kind: Kind
    n: int
    r: float
    p: float | None
    fisher: tuple[float, float] | None
    without_one: tuple[float, float] | None
    #: the index of the point whose removal changes r the most
    most_influential: int | None


def correlate(x: Sequence[float], y: Sequence[float], kind: Kind) -> Correlation:
    """Correlate paired values; r and p are NaN if one side does not vary."""
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    n = len(a)
    if n < FEWEST:
        raise ValueError(f"{n} points are too few for a correlation")
    r = _r(a, b, kind)
    if not math.isfinite(r):
        return Correlation(kind, n, math.nan, None, None, None, None)
    others = [_r(np.delete(a, k), np.delete(b, k), kind) for k in range(n)] if n > FEWEST else []
    known = [(k, value) for k, value in enumerate(others) if math.isfinite(value)]
    range_ = (min(v for _, v in known), max(v for _, v in known)) if known else None
    most = max(known, key=lambda pair: abs(pair[1] - r))[0] if known else None
    return Correlation(kind, n, r, _p(a, b, r, kind), _fisher(r, n, kind), range_, most)


def _r(x: Array, y: Array, kind: Kind) -> float:
    if kind == "Spearman":
        x, y = (average_ranks(values) for values in (x, y))
    return float(pearson(x, y))


def pearson(x: Array, y: Array, *, axis: int = 0) -> Array:
    """Correlate along an axis; NaN if one side does not vary."""
    x, y = (values - values.mean(axis=axis, keepdims=True) for values in (x, y))
    spread = np.sqrt((x**2).sum(axis=axis) * (y**2).sum(axis=axis))
    with np.errstate(invalid="ignore", divide="ignore"):
        r: Array = np.where(spread > 1e-300, (x * y).sum(axis=axis) / spread, np.nan).clip(-1, 1)
    return r


def pearson_of_sums(n: Array, x: Array, y: Array, xx: Array, yy: Array, xy: Array) -> Array:
    """Correlate from counts, sums, sums of squares and of products, which are all that resampling needs."""
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.sqrt(np.clip(xx - x * x / n, 0, None) * np.clip(yy - y * y / n, 0, None))
        r: Array = np.where(spread > 0, (xy - x * y / n) / spread, np.nan)
    return r


def _fisher(r: float, n: int, kind: Kind, confidence: float = 0.95) -> tuple[float, float] | None:
    if n < FEWEST_FOR_INTERVAL or abs(r) >= 1:
        return None
    variance = (1 if kind == "Pearson" else 1 + r**2 / 2) / (n - 3)
    half = normal_quantile((1 + confidence) / 2) * math.sqrt(variance)
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)


def _p(x: Array, y: Array, r: float, kind: Kind) -> float | None:
    n = len(x)
    if n < FEWEST_FOR_INTERVAL:
        return None
    from scipy import stats  # half a second to import

    if kind == "Pearson":
        return float(stats.pearsonr(x, y).pvalue)
    if n > MOST_COUNTED:
        return float(stats.spearmanr(x, y).pvalue)
    one, other = (average_ranks(values) - (n + 1) / 2 for values in (x, y))
    reached = np.abs(other[_orders(n)] @ one) / np.sqrt((one @ one) * (other @ other))
    return float((reached >= abs(r) - 1e-12).mean())


@cache
def _orders(n: int) -> npt.NDArray[np.int64]:
    """All permutations of n points."""
    return np.array(list(permutations(range(n))), dtype=np.int64)
