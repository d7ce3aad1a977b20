"""Pearson and Spearman correlations across models, with intervals, p-values and leave-one-out ranges.

Models of the same family resemble each other. The effective number of models is the number of independent models that
would give the same variance of r: n / (1 + Σ m (m - 1) / n · ICC(x) · ICC(y)), for families of m models, with
intraclass correlations from a one-way analysis of variance. Noise in the values attenuates r; `corrected_for_noise`
divides r and its interval by the square root of the product of both reliabilities (Spearman 1904).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations
from typing import Literal

import numpy as np
import numpy.typing as npt

from genderscope.statistics.quantiles import normal_quantile, student_tail
from genderscope.statistics.ranks import average_ranks

Array = npt.NDArray[np.float64]
Kind = Literal["Pearson", "Spearman"]

#: minimum number of points for a correlation
FEWEST = 3
#: minimum number of points for an interval and a p-value: four points are easily in perfect order by chance
FEWEST_FOR_INTERVAL = 5
#: minimum number of families for an interval and a p-value: with three, coverage is 77 %
FEWEST_FAMILIES = 4
#: minimum reliability (share of the values' variance that is not noise) for correcting r
LEAST_RELIABLE = 0.5
#: maximum number of points for enumerating all permutations
MOST_COUNTED = 8


@dataclass(frozen=True, slots=True)
class Correlation:
    """Correlation over n points. Interval and p-value are None if there are too few points.

    `fisher` is the interval from Fisher's transformation (for Spearman with the variance of Bonett and Wright 2000): it
    has nominal coverage with as few as 5 points, where the coverage of the bootstrap is only 85 %. `without_one` is the
    leave-one-out range of r. Spearman's p is an exact permutation p-value for up to 8 points.
    """

    kind: Kind
    n: int
    r: float
    p: float | None
    fisher: tuple[float, float] | None
    without_one: tuple[float, float] | None
    #: index of the point whose removal changes r the most
    most_influential: int | None
    #: effective sample size; n unless several points belong to the same family
    effective: float | None = None


def correlate(x: Sequence[float], y: Sequence[float], kind: Kind, families: Sequence[str] | None = None) -> Correlation:
    """Correlate paired values; r is NaN if one side is constant. `families` labels points that are not independent."""
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    n = len(a)
    if n < FEWEST:
        raise ValueError(f"{n} points are too few for a correlation")
    r = _r(a, b, kind)
    if not math.isfinite(r):
        return Correlation(kind, n, math.nan, None, None, None, None)
    others = [_r(np.delete(a, k), np.delete(b, k), kind) for k in range(n)] if n > FEWEST else []
    finite = [(k, value) for k, value in enumerate(others) if math.isfinite(value)]
    range_ = (min(v for _, v in finite), max(v for _, v in finite)) if finite else None
    most = max(finite, key=lambda pair: abs(pair[1] - r))[0] if finite else None
    effective = n if families is None else effective_points(a, b, families, kind)
    p = _p(a, b, r, kind) if effective == n else _clustered_p(r, effective)
    return Correlation(kind, n, r, p, _fisher(r, effective, kind), range_, most, effective)


def effective_points(x: Array, y: Array, families: Sequence[str], kind: Kind = "Pearson") -> float:
    """Return the effective sample size; 0 if there are too few families."""
    _, codes, sizes = np.unique(np.asarray(families), return_inverse=True, return_counts=True)
    if len(sizes) == len(x):
        return len(x)
    if len(sizes) < FEWEST_FAMILIES:
        return 0.0
    sides = (average_ranks(x), average_ranks(y)) if kind == "Spearman" else (x, y)
    alike = math.prod(_intraclass(side, codes, sizes) for side in sides)
    return len(x) / (1 + float((sizes * (sizes - 1)).sum()) / len(x) * alike)


def _intraclass(values: Array, codes: npt.NDArray[np.int64], sizes: npt.NDArray[np.int64]) -> float:
    """Return the intraclass correlation, clipped to [0, 1]."""
    n, families = len(values), len(sizes)
    means = np.bincount(codes, values) / sizes
    within = float(((values - means[codes]) ** 2).sum()) / (n - families)
    between = float((sizes * (means - values.mean()) ** 2).sum()) / (families - 1)
    size = (n - float((sizes**2).sum()) / n) / (families - 1)
    whole = between + (size - 1) * within
    return min(1.0, max(0.0, (between - within) / whole)) if whole > 0 else 0.0


def corrected_for_noise(plain: Correlation, reliabilities: tuple[float, float]) -> Correlation | None:
    """Return the correlation corrected for attenuation, given the reliability of each side.

    None if more than half of either side's variance is noise, which is too much to correct for.
    """
    if min(reliabilities) < LEAST_RELIABLE or not math.isfinite(plain.r):
        return None
    scale = math.sqrt(math.prod(reliabilities))
    low, high = plain.fisher or (math.nan, math.nan)
    bounds = None if plain.fisher is None else (_bounded(low / scale), _bounded(high / scale))
    return replace(plain, r=_bounded(plain.r / scale), fisher=bounds, without_one=None, most_influential=None)


def reliability(values: Sequence[float], errors: Sequence[float]) -> float:
    """Return the share of the values' variance that is not noise, given their standard errors."""
    spread = float(np.var(values, ddof=1))
    return 1 - float(np.mean(np.square(errors))) / spread if spread > 0 else 0.0


def _bounded(r: float) -> float:
    return min(1.0, max(-1.0, r))


def _r(x: Array, y: Array, kind: Kind) -> float:
    if kind == "Spearman":
        x, y = (average_ranks(values) for values in (x, y))
    return float(pearson(x, y))


def pearson(x: Array, y: Array, *, axis: int = 0) -> Array:
    """Return Pearson's correlation along an axis; NaN if one side is constant."""
    x, y = (values - values.mean(axis=axis, keepdims=True) for values in (x, y))
    spread = np.sqrt((x**2).sum(axis=axis) * (y**2).sum(axis=axis))
    with np.errstate(invalid="ignore", divide="ignore"):
        r: Array = np.where(spread > 1e-300, (x * y).sum(axis=axis) / spread, np.nan).clip(-1, 1)
    return r


def pearson_of_sums(n: Array, x: Array, y: Array, xx: Array, yy: Array, xy: Array) -> Array:
    """Return Pearson's correlation from counts, sums, sums of squares and sums of products."""
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.sqrt(np.clip(xx - x * x / n, 0, None) * np.clip(yy - y * y / n, 0, None))
        r: Array = np.where(spread > 0, (xy - x * y / n) / spread, np.nan)
    return r


def _clustered_p(r: float, effective: float) -> float | None:
    """Return the p-value from Student's t, with degrees of freedom based on the effective sample size."""
    if effective < FEWEST_FOR_INTERVAL:
        return None
    freedom = effective - 2
    return 0.0 if abs(r) >= 1 else 2 * student_tail(abs(r) * math.sqrt(freedom / (1 - r**2)), freedom)


def _fisher(r: float, n: float, kind: Kind, confidence: float = 0.95) -> tuple[float, float] | None:
    if n < FEWEST_FOR_INTERVAL or abs(r) >= 1:
        return None
    variance = (1 if kind == "Pearson" else 1 + r**2 / 2) / (n - 3)
    half = normal_quantile((1 + confidence) / 2) * math.sqrt(variance)
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)


def _p(x: Array, y: Array, r: float, kind: Kind) -> float | None:
    n = len(x)
    if n < FEWEST_FOR_INTERVAL:
        return None
    from scipy import stats  # takes half a second to import

    if kind == "Pearson":
        return float(stats.pearsonr(x, y).pvalue)
    if n > MOST_COUNTED:
        return float(stats.spearmanr(x, y).pvalue)
    one, other = (average_ranks(values) - (n + 1) / 2 for values in (x, y))
    reached = np.abs(other[_orders(n)] @ one) / np.sqrt((one @ one) * (other @ other))
    return float((reached >= abs(r) - 1e-12).mean())


@cache
def _orders(n: int) -> npt.NDArray[np.int64]:
    """Return all permutations of n points."""
    return np.array(list(permutations(range(n))), dtype=np.int64)
