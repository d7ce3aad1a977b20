"""Weighed means over cells and their bootstrap: the sums and counts of cells are all that resampling needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.dialogue_tables import Compared, Weighting
from genderscope.statistics.bootstrap import RESAMPLES, resampled_sums

Array = npt.NDArray[np.float64]

KINDS = ("character", "appearance")
SENTIMENTS = ("pos", "neg")
ROLES = ("I", "you")
GENDERS = ("M", "F", "none")


@dataclass(frozen=True)
class Rate:
    """A weighed mean with its bootstrap replicates; `sizes` are the numbers of sources in each stratum."""

    value: float
    replicates: Array
    sizes: list[int]
    n: int
    others: int

    @property
    def sources(self) -> int:
        """How many sources the mean is over."""
        return sum(self.sizes)


def rates(
    rows: pd.DataFrame, table: Compared, weighting: Weighting, by_role: bool, seed: int, resamples: int = RESAMPLES
) -> dict[str, Rate]:
    """Return the rate of each condition, and of all rows under the name 'all'; all come from the same resamples.

    `rows` are those the table counts, with the column `outcome`: 1, 0, or missing where no gender was read. `by_role`
    tells cells apart by role (I or you) and by true gender too.
    """
    names = list(table.conditions)
    number_of = {value: k for k, value in enumerate(table.conditions.values())}
    condition = rows[table.by].map(number_of).to_numpy(dtype=np.int64)
    shape = _shape(table, by_role)
    codes = condition * len(shape) + _cells(rows, table, names, condition, by_role)
    outcome = rows["outcome"].to_numpy(dtype=np.float64)
    total = len(names) * len(shape)
    sums, draws = _resampled(rows, codes, outcome, total, seed, resamples)
    found: dict[str, Rate] = {}
    for k, name in enumerate([*names, "all"]):
        chosen = condition == k if k < len(names) else np.ones(len(rows), dtype=bool)
        read = chosen & np.isfinite(outcome)
        columns = slice(k * len(shape), (k + 1) * len(shape)) if k < len(names) else None
        point = _split(sums[None, :], total, columns, len(names))
        many = _split(draws, total, columns, len(names))
        sizes = [int(count) for count in rows[read].groupby("template")["source"].nunique()]
        value = float(_weighed(*point, shape, weighting)[0])
        others = int(chosen.sum() - read.sum())
        found[name] = Rate(value, _weighed(*many, shape, weighting), sizes, int(read.sum()), others)
    return found


def _shape(table: Compared, by_role: bool) -> list[tuple[int, str]]:
    """The cells of one condition: (style, kind) of each; sentiment, role and gender tell cells of one kind apart."""
    styles = range(max(len(groups) for groups in table.styles.values()))
    apart = len(SENTIMENTS) * (len(ROLES) * len(GENDERS) if by_role else 1)
    return [(style, kind) for style, kind, _ in product(styles, KINDS, range(apart))]


def _cells(
    rows: pd.DataFrame, table: Compared, names: Sequence[str], condition: npt.NDArray[np.int64], by_role: bool
) -> npt.NDArray[np.int64]:
    style_of = {
        (k, template): style
        for k, name in enumerate(names)
        for style, templates in enumerate(table.styles[name])
        for template in templates
    }
    pairs = zip(condition.tolist(), rows["template"].tolist(), strict=True)
    cells = np.array([style_of[pair] for pair in pairs], dtype=np.int64)
    levels = [("kind", KINDS), ("sentiment", SENTIMENTS)]
    levels += [("referent", ROLES), ("true_gender", GENDERS)] if by_role else []
    for column, values in levels:
        cells = cells * len(values) + rows[column].map(lambda v, of=values: of.index(v) if v in of else 0).to_numpy(dtype=np.int64)
    return cells


def _resampled(
    rows: pd.DataFrame, codes: npt.NDArray[np.int64], outcome: Array, total: int, seed: int, resamples: int
) -> tuple[Array, Array]:
    """Sum outcomes and count readings by cell, once and for each resample of whole sources within templates."""
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
    """Return sums and counts of one condition's cells; None: over all conditions."""
    sums, counts = both[:, :total], both[:, total:]
    if columns is not None:
        return sums[:, columns], counts[:, columns]
    merged = [part.reshape(len(both), conditions, total // conditions).sum(axis=1) for part in (sums, counts)]
    return merged[0], merged[1]


def _weighed(sums: Array, counts: Array, shape: list[tuple[int, str]], weighting: Weighting) -> Array:
    """Return one mean for each line of sums and counts; cells without readings are left out."""
    with np.errstate(invalid="ignore", divide="ignore"):
        if weighting == "pooled":
            pooled: Array = sums.sum(axis=1) / counts.sum(axis=1)
            return pooled
        means = np.where(counts > 0, sums / counts, np.nan)
        if weighting == "cells":
            return _nanmean(means)
        styles = []
        for style in sorted({style for style, _ in shape}):
            of_kind = [np.array([cell == (style, kind) for cell in shape]) for kind in KINDS]
            kinds = np.stack([_nanmean(means[:, mask]) for mask in of_kind], axis=1)
            weights = np.stack([counts[:, mask].sum(axis=1) for mask in of_kind], axis=1)
            styles.append(np.nansum(kinds * weights, axis=1) / weights.sum(axis=1))
        return _nanmean(np.stack(styles, axis=1))


def _nanmean(values: Array) -> Array:
    present = np.isfinite(values)
    mean: Array = np.where(present, values, 0.0).sum(axis=1) / present.sum(axis=1)
    return mean
