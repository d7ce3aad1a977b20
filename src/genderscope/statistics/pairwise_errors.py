"""Vectorised errors of all pairwise sums or differences of many estimates."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from genderscope.statistics.cluster_variance import Correction, Crossing, codes, correction, weights_of_clusters
from genderscope.statistics.influence import ALONE, Errors, Influence, Stratified, hashed, unbiased, welch
from genderscope.statistics.wide_influence import WideTables

Array = npt.NDArray[np.float64]


def pairwise_errors(influences: Sequence[Influence], sign: float) -> Errors | None:
    """Return the errors of all pairwise sums, or differences if `sign` is -1: [estimates, estimates].

    None if there is too little data.
    """
    strata = [influence for influence in influences if isinstance(influence, Stratified)]
    crossings = [influence for influence in influences if isinstance(influence, Crossing)]
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
    first = influences[0]
    if any(not np.array_equal(own.labels, first.labels) or own.recurs != first.recurs for own in influences):
        return False
    return not first.recurs or all(
        own.counted is not None
        and first.counted is not None
        and np.array_equal(own.counted, first.counted)
        and np.array_equal(np.isfinite(own.influences), np.isfinite(first.influences))
        for own in influences
    )


def _of_strata(influences: Sequence[Stratified], sign: float) -> Errors:
    by_unit = np.array([influence.influences for influence in influences])
    present = np.isfinite(by_unit)
    by_unit = np.where(present, by_unit, 0.0)
    codes, places = np.unique(np.max([influence.strata for influence in influences], axis=0), return_inverse=True)
    counted_units = [np.ones_like(own.influences) if own.counted is None else own.counted for own in influences]
    sizes = np.where(present, counted_units, 0.0)
    alike = bool((sizes == sizes[0]).all())
    squares, counts, weights = [], [], []
    for k, code in enumerate(codes):
        in_stratum = places == k
        squares.append(_squares(by_unit[:, in_stratum], sign))
        counts.append(np.array(float(sizes[0, in_stratum].sum())) if alike else _larger(sizes[:, in_stratum]))
        weights.append(
            max(influence.weights.get(int(code), influence.weights.get(ALONE, 0.0)) for influence in influences)
        )
    reach, pseudo = max(own.reach for own in influences), float(np.mean([own.pseudo for own in influences]))
    errors = welch(np.array(squares), np.array(counts), np.array(weights), reach, pseudo)
    sentences = np.unique(influences[0].sentences[present[0]], return_inverse=True)[1]
    distinct = int(sentences.max(initial=-1)) + 1
    if not influences[0].recurs or distinct == len(sentences):
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
    squares = np.maximum(_squares(sums, sign), 0.0)
    if len(every) < 2:
        return Errors(0 * squares, np.zeros(squares.shape))
    corrections: dict[bytes, Correction] = {}
    factors, freedom = [], []
    for each, mine in zip(influences, labels, strict=True):
        key = b"".join(part.tobytes() for part in (each.row_weights, each.means, mine))
        if key not in corrections:
            corrections[key] = correction(*weights_of_clusters(each.row_weights, codes(mine), each.means))
        factors.append(corrections[key].factor)
        freedom.append(corrections[key].freedom)
    roots, least = np.sqrt(factors), np.array(freedom)
    return Errors(squares * np.outer(roots, roots), np.minimum(least[:, None], least))


def _squares(rows: Array, sign: float) -> Array:
    """Return the sum of squares of every pairwise sum (or difference) of rows."""
    products = rows @ rows.T
    own = np.diagonal(products)
    squares: Array = own[:, None] + own + 2 * sign * products
    return squares


def _larger(sizes: Array) -> Array:
    """Return the sum of the larger sizes of the units in two rows, for all pairs of rows.

    The units of a row have the same size, except missing ones, whose size is 0.
    """
    present, size = (sizes > 0).astype(np.float64), sizes.max(axis=1, initial=0.0)
    own, both = sizes.sum(axis=1), present @ present.T
    larger: Array = own[:, None] + own - np.minimum(size[:, None], size) * both
    return larger


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
