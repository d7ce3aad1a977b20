"""Vectorised errors of all pairwise sums or differences of many estimates."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from genderscope.statistics.cluster_variance import Crossing
from genderscope.statistics.influence import ALONE, Errors, Influence, Stratified, hashed, unbiased, welch
from genderscope.statistics.wide_influence import WideTables

Array = npt.NDArray[np.float64]


def pairwise_errors(influences: Sequence[Influence], sign: float) -> Errors | None:
    """Return the errors of all pairwise sums, or differences if `sign` is -1: [estimates, estimates].

    None if there is too little data.
    """
    strata = [influence for influence in influences if isinstance(influence, Stratified)]
    crossings = [own for own in influences if isinstance(own, Crossing) and own.means == (1, 1)]
    tables = [influence for influence in influences if isinstance(influence, WideTables)]
    if len(strata) == len(influences) and _alike(strata):
        return None if any(influence.error is None for influence in strata) else _of_strata(strata, sign)
    if len(crossings) == len(influences):
        return None if any(influence.error is None for influence in crossings) else _of_crossings(crossings, sign)
    if len(tables) == len(influences) and len({(table.groups, table.column_labels) for table in tables}) == 1:
        return _of_tables(tables, sign)
    return _one_by_one(influences, sign)


def _of_tables(influences: Sequence[WideTables], sign: float) -> Errors | None:
    """Return the wide errors of all pairs, as in `WideTables.error`."""
    every = [influence.parts for influence in influences]
    narrow = pairwise_errors([influence.narrow for influence in influences], sign)
    parts = [own for own in every if own is not None]
    if narrow is None or len(parts) < len(every):
        return None
    deviations = zip(*((part.deviations for part in own.all()) for own in parts), strict=True)
    variances = [np.maximum(_squares(np.array(component), sign), 0.0) for component in deviations]
    variance, freedom, _ = parts[0].wide_error(variances, narrow.variance)
    strata = [table.narrow for table in influences if isinstance(table.narrow, Stratified)]
    if len(strata) == len(influences) and strata[0].counted is not None:
        variance = variance + np.maximum(_shared_variances(strata, sign), 0.0)
    return Errors(variance, freedom)


def _shared_variances(influences: Sequence[Stratified], sign: float) -> Array:
    """Return the covariances between strata with common sentences, as in `Stratified.shared_variance`."""
    shared = np.zeros((len(influences), len(influences)))
    for i, one in enumerate(influences):
        for j in range(i + 1):
            shared[i, j] = shared[j, i] = one.plus(influences[j], sign).shared_variance
    return shared


def _alike(influences: Sequence[Stratified]) -> bool:
    """Return whether all influences have the same units and, if sentences recur, unit sizes and missing values."""
    sizes = {b"" if influence.counted is None else influence.counted.tobytes() for influence in influences}
    recurs = influences[0].counted is not None
    present = {np.isfinite(influence.influences).tobytes() for influence in influences} if recurs else {b""}
    return len({influence.labels.tobytes() for influence in influences}) == len(sizes) == len(present) == 1


def _of_strata(influences: Sequence[Stratified], sign: float) -> Errors:
    by_unit = np.array([influence.influences for influence in influences])
    present = np.isfinite(by_unit)
    by_unit = np.where(present, by_unit, 0.0)
    codes, places = np.unique(np.max([influence.strata for influence in influences], axis=0), return_inverse=True)
    alike = bool((present == present[0]).all())
    squares, counts, weights = [], [], []
    counted = influences[0].counted
    for k, code in enumerate(codes):
        in_stratum = places == k
        squares.append(_squares(by_unit[:, in_stratum], sign))
        own = present[0, in_stratum] if counted is None else np.where(present[0, in_stratum], counted[in_stratum], 0.0)
        counts.append(np.array(float(own.sum())) if alike else _either(present[:, in_stratum]))
        weights.append(
            max(influence.weights.get(int(code), influence.weights.get(ALONE, 0.0)) for influence in influences)
        )
    reach = max(influence.reach for influence in influences)
    errors = welch(np.array(squares), np.array(counts), np.array(weights), reach)
    sentences = np.unique(influences[0].sentences[present[0]], return_inverse=True)[1]
    distinct = int(sentences.max(initial=-1)) + 1
    if counted is None or distinct == len(sentences):
        return errors
    # As in `Stratified.error`: rows of the same sentence are correlated.
    corrected = (by_unit * unbiased(np.array(counts))[places])[:, present[0]]
    sums = np.array([np.bincount(sentences, weights=influence) for influence in corrected])
    variance = np.maximum(errors.variance + _squares(sums, sign) - _squares(corrected, sign), 0.0)
    return Errors(variance, np.maximum(1.0, errors.freedom * distinct / len(sentences)))


def _of_crossings(influences: Sequence[Crossing], sign: float) -> Errors:
    """Return two-way clustered errors of all pairs, as in `cluster_variance.two_way`."""
    names = [(hashed(influence.first), hashed(influence.second)) for influence in influences]
    cells = _of_clusters(influences, [a * np.uint64(3) + b for a, b in names], sign)
    kinds = [_of_clusters(influences, [pair[k] for pair in names], sign) for k in (0, 1)]
    variance, spread = cells.variance, cells.variance**2 / cells.freedom
    for kind in kinds:
        adds = kind.variance > cells.variance
        variance = variance + np.where(adds, kind.variance - cells.variance, 0.0)
        spread = spread + np.where(adds, kind.variance**2 / np.maximum(kind.freedom, 1.0), 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        freedom = np.where(spread > 0, np.maximum(1.0, variance**2 / spread), 1.0)
    return Errors(variance + max(influence.imagined for influence in influences), freedom)


def _of_clusters(influences: Sequence[Crossing], labels: Sequence[npt.NDArray[np.uint64]], sign: float) -> Errors:
    every = np.unique(np.concatenate(labels))
    sums = np.array(
        [
            np.bincount(np.searchsorted(every, own_labels), weights=influence.influences, minlength=len(every))
            for influence, own_labels in zip(influences, labels, strict=True)
        ]
    )
    count = len(every)
    squares = np.maximum(_squares(sums, sign), 0.0)
    usable = count > 1
    return Errors(squares * count / (count - 1) if usable else 0 * squares, np.full(squares.shape, float(count - 1)))


def _squares(rows: Array, sign: float) -> Array:
    """Return the sum of squares of every pairwise sum (or difference) of rows."""
    products = rows @ rows.T
    own = np.diagonal(products)
    squares: Array = own[:, None] + own + 2 * sign * products
    return squares


def _either(present: npt.NDArray[np.bool_]) -> Array:
    """Return the number of units present in at least one of two rows, for all pairs of rows."""
    numbers = present.astype(np.float64)
    own = numbers.sum(axis=1)
    either: Array = own[:, None] + own - numbers @ numbers.T
    return either


def _one_by_one(influences: Sequence[Influence], sign: float) -> Errors | None:
    count = len(influences)
    variance, freedom = np.zeros((2, count, count))
    for i in range(count):
        for j in range(i):
            error = influences[i].plus(influences[j], sign).error
            if error is None:
                return None
            variance[i, j] = variance[j, i] = error.variance
            freedom[i, j] = freedom[j, i] = error.freedom
    return Errors(variance, np.where(freedom > 0, freedom, 1.0))
