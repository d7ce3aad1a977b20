"""How well two measures agree over models: correlation, its interval, and how much hangs on a single model."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import stats

Array = npt.NDArray[np.float64]
Kind = Literal["Pearson", "Spearman"]

RESAMPLES = 2000
#: fewer points than this say nothing about a correlation
FEWEST = 3


@dataclass(frozen=True, slots=True)
class Correlation:
    """A correlation over n points. An interval is None where there are too few points for it.

    `fisher` is the interval by Fisher's transformation (for Spearman with the variance of Bonett and Wright 2000),
    `bootstrap` resamples the points; `without_one` is the range when each point is left out in turn.
    """

    kind: Kind
    n: int
    r: float
    p: float
    fisher: tuple[float, float] | None
    bootstrap: tuple[float, float] | None
    without_one: tuple[float, float] | None
    #: the index of the point whose removal changes r the most
    most_influential: int | None


def correlate(x: Sequence[float], y: Sequence[float], kind: Kind, seed: int = 0) -> Correlation:
    """Correlate paired values; where one side does not vary, r and p are NaN."""
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    n = len(a)
    if n < FEWEST:
        raise ValueError(f"{n} points are too few for a correlation")
    r = _r(a, b, kind)
    if not math.isfinite(r):
        return Correlation(kind, n, math.nan, math.nan, None, None, None, None)
    p = float(stats.pearsonr(a, b).pvalue if kind == "Pearson" else stats.spearmanr(a, b).pvalue)
    others = [_r(np.delete(a, k), np.delete(b, k), kind) for k in range(n)] if n > FEWEST else []
    known = [(k, value) for k, value in enumerate(others) if math.isfinite(value)]
    range_ = (min(v for _, v in known), max(v for _, v in known)) if known else None
    most = max(known, key=lambda pair: abs(pair[1] - r))[0] if known else None
    return Correlation(kind, n, r, p, _fisher(r, n, kind), _bootstrap(a, b, kind, seed), range_, most)


def _r(x: Array, y: Array, kind: Kind) -> float:
    return float(_rs(x[None], y[None], kind)[0])


def _rs(x: Array, y: Array, kind: Kind) -> Array:
    """Correlate along the last axis, one value for each row; NaN where a row does not vary."""
    if kind == "Spearman":
        x, y = (np.asarray(stats.rankdata(values, axis=1), dtype=np.float64) for values in (x, y))
    x, y = (values - values.mean(axis=1, keepdims=True) for values in (x, y))
    spread = np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        r: Array = np.where(spread > 1e-300, (x * y).sum(axis=1) / spread, np.nan).clip(-1, 1)
    return r


def _fisher(r: float, n: int, kind: Kind, confidence: float = 0.95) -> tuple[float, float] | None:
    if n <= 3 or abs(r) >= 1:
        return None
    variance = (1 if kind == "Pearson" else 1 + r**2 / 2) / (n - 3)
    half = float(stats.norm.ppf((1 + confidence) / 2)) * math.sqrt(variance)
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)


def _bootstrap(x: Array, y: Array, kind: Kind, seed: int, confidence: float = 0.95) -> tuple[float, float] | None:
    n = len(x)
    if n < 5:  # resamples of fewer points are mostly repetitions of two or three
        return None
    draws = np.random.default_rng(seed).integers(n, size=(RESAMPLES, n))
    replicates = _rs(x[draws], y[draws], kind)
    usable = replicates[np.isfinite(replicates)]
    low, high = np.quantile(usable, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)
