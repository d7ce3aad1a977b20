"""Weighted means over cells and their bootstrap, which needs only each cell's sum and count."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.dialogue.tables import Compared, Weighting
from genderscope.measures.dialogue.units import Crossed, companion, mended
from genderscope.statistics.bootstrap import RESAMPLES, resampled_sums
from genderscope.statistics.unread import completed

Array = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

KINDS = ("character", "appearance")
SENTIMENTS = ("pos", "neg")
ROLES = ("I", "you")
GENDERS = ("M", "F", "none")


@dataclass(frozen=True)
class BootstrappedRate:
    """A weighted mean with its bootstrap replicates; `sizes` are the numbers of sources per stratum."""

    value: float
    replicates: Array
    sizes: list[int]
    n: int
    others: int
    #: each reading's influence on the mean; None if computed as published
    crossed: Crossed | None = None
    #: the mean for each relative risk of missing the adjectives of one gender; None if all were found
    by_risk: Array | None = None

    @property
    def sources(self) -> int:
        """The number of sources behind the mean."""
        return sum(self.sizes)


def rates(
    rows: pd.DataFrame, table: Compared, weighting: Weighting, by_role: bool, seed: int, resamples: int = RESAMPLES
) -> dict[str, BootstrappedRate]:
    """Return the rate for each condition and, as 'all', for all rows, based on the same resamples.

    `rows` are the rows counted in the table, with the column `outcome`: 1, 0, or NaN if no gender was found. `by_role`
    also splits cells by role (I or you) and true gender.
    """
    names = list(table.conditions)
    number_of = {name: k for k, name in enumerate(names)}
    condition: Indices = np.array([number_of[value] for value in rows[table.by]], dtype=np.int64)
    shape = _shape(table, by_role)
    cells = math.prod(shape)
    codes = condition * cells + _cells(rows, table, names, condition, shape)
    outcome = rows["outcome"].to_numpy(dtype=np.float64)
    total = len(names) * cells
    sums, draws = _resampled(rows, codes, outcome, total, seed, resamples)
    unread = np.bincount(codes[rows["unread"].notna().to_numpy()], minlength=total).astype(np.float64)
    by_risk = _by_risk(sums, unread, total) if unread.any() else None
    by_condition: dict[str, BootstrappedRate] = {}
    for k, name in enumerate([*names, "all"]):
        in_condition = condition == k if k < len(names) else np.ones(len(rows), dtype=bool)
        read = in_condition & np.isfinite(outcome)
        columns = slice(k * cells, (k + 1) * cells) if k < len(names) else None
        point = _split(sums[None, :], total, columns, len(names))
        many = _split(draws, total, columns, len(names))
        sizes = [int(count) for count in rows[read].groupby("template")["source"].nunique()]
        value = float(_weighed(*point, shape, weighting)[0])
        others = int(in_condition.sum() - read.sum())
        crossed = None
        if weighting == "cells" and by_role:
            within = codes[read] % cells  # cell index regardless of condition
            crossed = _crossed(value, outcome[read], within, point[1][0].reshape(shape), rows[read])
        risks = None if by_risk is None else _weighed(*_split(by_risk, total, columns, len(names)), shape, weighting)
        by_condition[name] = BootstrappedRate(
            value, _weighed(*many, shape, weighting), sizes, int(read.sum()), others, crossed, risks
        )
    return by_condition


def _by_risk(sums: Array, unread: Array, total: int) -> Array:
    """Return the cells' sums and counts with unread answers, for each relative risk; empty cells stay empty."""
    counts = sums[total:]
    has_counts = counts > 0
    full = completed(
        np.column_stack([sums[:total], counts - sums[:total]])[has_counts], unread[has_counts], np.array([0.0, 1.0])
    )
    completed_sums = np.zeros((len(full), 2 * total))
    completed_sums[:, :total][:, has_counts], completed_sums[:, total:][:, has_counts] = full[..., 0], full.sum(axis=2)
    return completed_sums


def _shape(table: Compared, by_role: bool) -> tuple[int, ...]:
    """Return the dimensions of one condition's cells: true gender, template style, role, kind and sentiment."""
    styles = max(len(table.styles(name)) for name in table.conditions)
    return (len(GENDERS) if by_role else 1, styles, len(ROLES) if by_role else 1, len(KINDS), len(SENTIMENTS))


def _cells(
    rows: pd.DataFrame, table: Compared, names: Sequence[str], condition: Indices, shape: tuple[int, ...]
) -> Indices:
    """Return each row's cell index within its condition."""
    style_of = {
        (k, template): style
        for k, name in enumerate(names)
        for style, templates in enumerate(table.styles(name))
        for template in templates
    }
    pairs = zip(condition.tolist(), rows["template"].tolist(), strict=True)
    places = (
        _places(rows["true_gender"], GENDERS) if shape[0] > 1 else np.zeros(len(rows), dtype=np.int64),
        np.array([style_of[pair] for pair in pairs], dtype=np.int64),
        _places(rows["referent"], ROLES) if shape[2] > 1 else np.zeros(len(rows), dtype=np.int64),
        _places(rows["kind"], KINDS),
        _places(rows["sentiment"], SENTIMENTS),
    )
    flat: Indices = np.ravel_multi_index(places, shape).astype(np.int64)
    return flat


def _places(column: pd.Series[str], values: tuple[str, ...]) -> Indices:
    """Return the index of each entry in `values`; entries not listed there, which count only in pooled means, get 0."""
    place = {value: k for k, value in enumerate(values)}
    return np.array([place.get(value, 0) for value in column], dtype=np.int64)


def _resampled(
    rows: pd.DataFrame, codes: Indices, outcome: Array, total: int, seed: int, resamples: int
) -> tuple[Array, Array]:
    """Sum outcomes and count readings by cell, overall and for each resample of sources within templates."""
    sums, draws = np.zeros(2 * total), np.zeros((resamples, 2 * total))
    present = np.isfinite(outcome)
    for template, group in rows.groupby("template").indices.items():
        places, sources = pd.factorize(rows["source"].iloc[group])
        values = np.zeros((len(sources), 2 * total))
        np.add.at(values, (places, codes[group]), np.where(present[group], outcome[group], 0.0))
        np.add.at(values, (places, codes[group] + total), present[group].astype(np.float64))
        sums += values.sum(axis=0)
        draws += resampled_sums(values, np.random.default_rng([seed, int(str(template))]), resamples)
    return sums, draws


def _split(both: Array, total: int, columns: slice | None, conditions: int) -> tuple[Array, Array]:
    """Return the sums and counts of one condition's cells; if `columns` is None, add up those of all conditions."""
    sums, counts = both[:, :total], both[:, total:]
    if columns is not None:
        return sums[:, columns], counts[:, columns]
    merged = [part.reshape(len(both), conditions, total // conditions).sum(axis=1) for part in (sums, counts)]
    return merged[0], merged[1]


def _weighed(sums: Array, counts: Array, shape: tuple[int, ...], weighting: Weighting) -> Array:
    """Return one mean per row of sums and counts; an empty cell's weight goes to its neighbours."""
    with np.errstate(invalid="ignore", divide="ignore"):
        if weighting == "pooled":
            pooled: Array = sums.sum(axis=1) / counts.sum(axis=1)
            return pooled
        lines = (len(sums), *shape)
        means = np.where(counts > 0, sums / counts, np.nan).reshape(lines)
        if weighting == "cells":
            # From the innermost level outwards: sentiment, kind, role, style and, last, true gender, so that women and
            # men have equal weight even if some cells are empty.
            for _ in shape:
                means = _nanmean(means)
            return means
        by_kind = _nanmean(means)  # [lines, gender, style, role, kind]; the paper splits by neither gender nor role
        weights = counts.reshape(lines).sum(axis=-1)
        by_style = np.nansum(by_kind * weights, axis=-1) / weights.sum(axis=-1)
        return _nanmean(by_style[:, 0, :, 0])


def _crossed(value: float, outcome: Array, cells: Indices, counts: Array, rows: pd.DataFrame) -> Crossed:
    """Return each reading's influence on the mean over cells, with the readings' units."""
    adjectives = rows["adjective"].to_numpy(dtype=str)
    row_weights = (_weights(counts) / np.maximum(counts, 1)).ravel()[cells]
    influences = mended((outcome - _centres(outcome, cells, adjectives, counts)) * row_weights, adjectives, cells)
    kinds = len(rows[["kind", "sentiment"]].drop_duplicates())
    companions = companion(rows).to_numpy(dtype=str)
    return Crossed(value, influences, row_weights, adjectives, companions, (kinds, 1), int(rows["source"].nunique()))


def _centres(outcome: Array, cells: Indices, adjectives: npt.NDArray[np.str_], counts: Array) -> Array:
    """Return the mean that each reading's deviation is measured from, normally that of its cell.

    An adjective that is alone in its cell would have no deviation, so it is compared with all readings of the same true
    gender instead, which is conservative.
    """
    size = counts.size
    means = np.bincount(cells, weights=outcome, minlength=size) / np.maximum(counts.ravel(), 1)
    pairs = pd.DataFrame({"cell": cells, "adjective": adjectives}).drop_duplicates()["cell"].to_numpy()
    alone = np.bincount(pairs, minlength=size)[cells] < 2
    gender = cells // (size // counts.shape[0])
    overall = np.bincount(gender, weights=outcome) / np.maximum(np.bincount(gender), 1)
    centres: Array = np.where(alone, overall[gender], means[cells])
    return centres


def _weights(counts: Array) -> Array:
    """Return each cell's weight in the mean of means, equal among the non-empty cells at every level."""
    present = counts > 0
    weights = np.ones(counts.shape)
    for axis in range(counts.ndim - 1, -1, -1):
        shape = (*counts.shape[: axis + 1], *(1,) * (counts.ndim - axis - 1))
        share = present.sum(axis=axis, keepdims=True)
        weights = weights / np.maximum(share, 1).reshape((*counts.shape[:axis], *(1,) * (counts.ndim - axis)))
        present = (share > 0).reshape(shape[:axis])
    return np.where(counts > 0, weights, 0.0)


def _nanmean(values: Array) -> Array:
    """Return the mean along the last axis, ignoring NaN."""
    present = np.isfinite(values)
    mean: Array = np.where(present, values, 0.0).sum(axis=-1) / present.sum(axis=-1)
    return mean
