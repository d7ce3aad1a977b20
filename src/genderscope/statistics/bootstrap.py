"""Bootstrap of means within strata, with samples as the resampling unit.

Per-sample statistics are computed once; resampling only reweights them. Interval limits are percentiles of the
bootstrap distribution, expanded for small samples as proposed by Hesterberg (2015, "What teachers should know about the
bootstrap", section 5.3): the plain percentile interval is too narrow by sqrt((n - 1) / n) and ignores Student's t.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from genderscope.statistics.quantiles import normal_quantile, normal_tail, student_quantile

Array = npt.NDArray[np.float64]

RESAMPLES = 2000
#: method name for intervals from `normal_interval`
NORMAL = "bootstrap, normal"
_CHUNK_CELLS = 4_000_000
#: Above this many rows, counting drawn row indices is twenty times as fast as drawing multinomial counts.
_MANY_ROWS = 20_000


def resampled_means(values: Array, generator: np.random.Generator, resamples: int = RESAMPLES) -> Array:
    """Return the column means of resampled rows, ignoring NaN: [resamples, columns]."""
    present = np.isfinite(values)
    filled = np.where(present, values, 0.0)
    rows = len(values)
    means = np.full((resamples, values.shape[1]), np.nan)
    for start, size in _chunks(resamples, rows):
        weights = resampling_weights(rows, generator, size)
        counts = weights @ present.astype(np.float64)
        with np.errstate(invalid="ignore", divide="ignore"):
            means[start : start + size] = (weights @ filled) / counts
    return means


def resampled_sums(values: Array, generator: np.random.Generator, resamples: int = RESAMPLES) -> Array:
    """Return the column sums of resampled rows, for statistics other than means: [resamples, columns]."""
    rows = len(values)
    sums = np.empty((resamples, values.shape[1]))
    for start, size in _chunks(resamples, rows):
        weights = resampling_weights(rows, generator, size)
        sums[start : start + size] = weights @ values
    return sums


def resampling_weights(rows: int, generator: np.random.Generator, size: int) -> Array:
    """Return how often each row is drawn in each of `size` resamples: [size, rows]."""
    if rows <= _MANY_ROWS:
        return generator.multinomial(rows, np.full(rows, 1 / rows), size=size).astype(np.float64)
    weights = np.empty((size, rows))
    for resample in weights:
        resample[:] = np.bincount(generator.integers(0, rows, rows, dtype=np.uint32), minlength=rows)
    return weights


def stratified_means(strata: Mapping[int, Array], seed: int, resamples: int = RESAMPLES) -> dict[int, Array]:
    """Resample each stratum with its own random stream, so that adding a stratum does not affect the others."""
    return {
        key: resampled_means(values, np.random.default_rng([seed, key]), resamples) for key, values in strata.items()
    }


def interval(replicates: Array, sizes: Sequence[int], confidence: float = 0.95) -> tuple[float, float] | None:
    """Return the expanded percentile interval of the replicates, or None if the strata are too small.

    `sizes` are the sample sizes of the resampled strata.
    """
    usable = replicates[np.isfinite(replicates)]
    if not sizes or min(sizes) < 2 or len(usable) == 0:
        return None
    tail = expanded_tail(sizes, confidence)
    low, high = np.quantile(usable, [tail, 1 - tail])
    return float(low), float(high)


def expanded_tail(sizes: Sequence[int], confidence: float = 0.95) -> float:
    """Return the tail probability per side, adjusted for Student's t and for the (n - 1) / n shrinkage."""
    freedom = sum(n - 1 for n in sizes)
    shrinkage = float(np.mean([(n - 1) / n for n in sizes]))
    t = student_quantile((1 + confidence) / 2, freedom)
    return normal_tail(float(t / np.sqrt(shrinkage)))


def normal_interval(replicates: Array, confidence: float = 0.95) -> tuple[float, float] | None:
    """Return the central interval of a normal distribution fitted to the replicates, as in the GEST paper."""
    usable = replicates[np.isfinite(replicates)]
    if len(usable) == 0:
        return None
    half = normal_quantile((1 + confidence) / 2) * usable.std()
    return float(usable.mean() - half), float(usable.mean() + half)


def _chunks(total: int, rows: int) -> Iterator[tuple[int, int]]:
    """Split the resamples into chunks that bound the size of the weight matrix; yield (start, size)."""
    size = max(1, _CHUNK_CELLS // max(1, rows))
    for start in range(0, total, size):
        yield start, min(size, total - start)
