"""Standard errors of means over strata, such as stereotypes, and of contrasts between two groups of strata.

`values` maps each stratum to its table [samples, columns], NaN if unread; `columns` are the indices of the columns,
such as templates, that a mean is taken over.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from genderscope.statistics.cluster_variance import Codes
from genderscope.statistics.recurrence import error_with_recurrence, stratum
from genderscope.statistics.student_intervals import (
    FEWEST,
    ROUNDING,
    Error,
    PooledVariances,
    error_of_mean,
    error_of_strata,
    influences,
    is_sparse,
    pooled_variances,
    total,
)
from genderscope.statistics.unread import mean_range

Array = npt.NDArray[np.float64]
Values = Mapping[int, Array]


def read_samples(values: Array, columns: Sequence[int]) -> Array:
    """Return the samples that were parsed in at least one of the columns."""
    table = values[:, columns]
    rows: Array = table[np.isfinite(table).any(axis=1)]
    return rows


def error_of_contrast(
    values: Values,
    plus: Sequence[int],
    minus: Sequence[int],
    columns: Sequence[int],
    recurring: Mapping[int, Codes] | None = None,
) -> Error | None:
    """Return the error of the mean over the `plus` strata minus the mean over the `minus` strata.

    `recurring` maps strata to sentence codes, if some sentences occur more than once.
    """
    strata = [
        (sign / len(group), read_samples(values[i], columns))
        for sign, group in ((1.0, plus), (-1.0, minus))
        for i in group
    ]
    sides = [sum(len(rows) for w, rows in strata if (w > 0) is up) for up in (True, False) if up or minus]
    if min(sides) < FEWEST or any(len(rows) == 0 for _, rows in strata):
        return None
    if recurring is None:
        return error_of_strata(strata, pooled_if_sparse(values, [rows for _, rows in strata], columns))
    signed = zip(strata, (*plus, *minus), strict=True)
    return error_with_recurrence([stratum(weight, values[i][:, columns], recurring[i]) for (weight, _), i in signed])


def pooled_if_sparse(values: Values, subsets: Sequence[Array], columns: Sequence[int]) -> PooledVariances | None:
    """Return each column's pooled variance within strata if any chosen rows are sparse, otherwise None."""
    if not any(map(is_sparse, subsets)):
        return None
    return pooled_variances(table[:, columns] for table in values.values())


def sparse_remark(values: Array, columns: Sequence[int], noun: str) -> str | None:
    """Return a remark on the variance estimate if a column has too few readings, otherwise None."""
    if not is_sparse(read_samples(values, columns)):
        return None
    return f"fewer than {FEWEST} readings in a {noun}, so its variance is set to at least that of other stereotypes"


def reason(error: Error | None) -> str | None:
    """Return the reason why there is no interval, or None if there is one."""
    if error is None:
        return f"no interval with fewer than {FEWEST} samples"
    return "all samples gave the same value, so there is no variance to estimate" if same(error) else None


def same(error: Error) -> bool:
    """Return whether the variance is only rounding error."""
    return not error.variance > ROUNDING


def error_of_subset(values: Values, subset: Array, columns: Sequence[int], codes: Codes | None = None) -> Error | None:
    """Return the error of a mean over samples from several strata.

    `codes` are the samples' sentence codes, if some sentences recur.
    """
    if codes is not None:
        return error_with_recurrence([stratum(1.0, subset[:, columns], codes)])
    samples = read_samples(subset, columns)
    return error_of_mean(samples, pooled_if_sparse(values, [samples], columns))


def error_of_subset_contrast(
    values: Values,
    members: Mapping[int, npt.NDArray[np.bool_]],
    columns: Sequence[int],
    recurring: Mapping[int, Codes] | None = None,
) -> Error | None:
    """Return the error of the mean over a subset of the samples minus the mean over the subset's strata.

    The two means are correlated, because both include the subset. `members` marks its samples in each stratum.
    """
    subset = np.concatenate([values[i][rows] for i, rows in members.items()])
    codes = None if recurring is None else np.concatenate([recurring[i][rows] for i, rows in members.items()])
    alone = error_of_subset(values, subset, columns, codes)
    whole = error_of_contrast(values, list(members), [], columns, recurring)
    if alone is None or whole is None or len(read_samples(subset, columns)) < FEWEST:
        return None
    of_subset = _aligned(subset[:, columns])
    shares = {i: _aligned(values[i][:, columns]) / len(members) for i in members}
    if codes is None or recurring is None:
        own = np.concatenate([shares[i][rows] for i, rows in members.items()])
        shared = sum(float(one) * float(other) for one, other in zip(of_subset, own, strict=True))
    else:
        every = np.concatenate([recurring[i] for i in members])
        size = int(every.max()) + 1
        by_sentence = np.bincount(every, np.concatenate(list(shares.values())), size)
        shared = float(np.bincount(codes, of_subset, size) @ by_sentence)
    both = total((alone, whole))
    return Error(max(both.variance - 2 * shared, ROUNDING), both.freedom)


def _aligned(values: Array) -> Array:
    """Return each row's influence on the mean, 0 for rows without a reading."""
    by_row = np.zeros(len(values))
    by_row[np.isfinite(values).any(axis=1)] = influences(values)
    return by_row


def noise(values: Array, pair: Sequence[int]) -> tuple[Array, int]:
    """Return the error covariance of two columns' means, and the number of samples it is based on."""
    by_column = np.column_stack([_aligned(values[:, [column]]) for column in pair])
    n = int(np.isfinite(values[:, list(pair)]).all(axis=1).sum())
    covariances: Array = by_column.T @ by_column * (n / (n - 1) if n > 1 else np.nan)
    return covariances, n


def noises(pairs: Sequence[tuple[Array, Array]], columns: Sequence[Sequence[int]]) -> tuple[Array, int]:
    """Return the error covariances of two rates for each stereotype, and their degrees of freedom.

    Two templates over the same rows share sentences, so their errors are correlated; errors over different rows are
    independent.
    """
    covariances, freedom = np.zeros((len(pairs), 2, 2)), 0
    for k, (one, other) in enumerate(pairs):
        if one is other:
            covariances[k], n = noise(one, [columns[0][0], columns[1][0]])
            freedom += n - 1
            continue
        for side, values in enumerate((one, other)):
            error = error_of_mean(read_samples(values, columns[side]))
            covariances[k, side, side] = np.nan if error is None else error.variance
            freedom += 0 if error is None else int(error.freedom)
    return covariances, freedom


def unread_range(
    value: float,
    values: Mapping[int, Array],
    sides: tuple[Sequence[int], Sequence[int]],
    columns: Sequence[int],
    unread: Mapping[tuple[int, int], int],
) -> tuple[float, float] | None:
    """Return the range of a rate if one gender goes unread more often than the other; None if nothing is unread.

    Args:
        value: The rate, on the log scale.
        values: The log-ratios [samples, columns] of each stereotype.
        sides: The stereotypes that are averaged, and those whose mean is subtracted.
        columns: The columns that the rate is averaged over.
        unread: (stereotype, column) -> number of unread rows.
    """
    cells = [
        (sign / len(group) / len(columns), read[np.isfinite(read)], unread[i, column])
        for sign, group in zip((1.0, -1.0), sides, strict=True)
        for i in group
        for column in columns
        for read in [values[i][:, column]]
    ]
    return mean_range(value, cells)
