"""Units of strata and their influence on a weighted sum of stratum means."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from genderscope.statistics.cluster_variance import correction
from genderscope.statistics.influence import ALONE, MOST_UNITS, Array, Codes, Labels, Stratified


@dataclass(frozen=True)
class Stratum:
    """Values of one stratum [units, columns], NaN if missing, and the weight of their mean in the estimate.

    The mean is the average of the column means, weighted by `columns` if given and equally otherwise.
    """

    key: int
    weight: float
    values: Array
    columns: Array | None = None
    #: sentence code of each unit, consistent across strata; None if no sentence recurs
    sentences: Codes | None = None

    @property
    def influences(self) -> Array:
        """The influence of each unit on the estimate; NaN for units without any value."""
        present = np.isfinite(self.values)
        counts = present.sum(axis=0)
        filled = np.where(present, self.values, 0.0)
        weights = np.full(len(counts), 1 / max(1, len(counts))) if self.columns is None else self.columns
        per_value = np.divide(weights, counts, out=np.zeros(len(counts)), where=counts > 0)
        means = np.divide(filled.sum(axis=0), counts, out=np.zeros(len(counts)), where=counts > 0)
        influences = np.where(present, filled - means, 0.0) @ per_value
        return np.where(present.any(axis=1), self.weight * influences, np.nan)


def stratified(strata: Sequence[Stratum], reach: float = 0.0) -> Stratified:
    """Return the influence of all units on the weighted sum of the strata.

    Single-unit strata are pooled into one stratum, whose variance includes the differences between them and is
    therefore conservative; a lone single-unit stratum is assigned the variance of the others.
    """
    units = [_units(stratum) for stratum in strata]
    influences = [unit.influences for unit in units]
    lone = [k for k, array in enumerate(influences) if np.isfinite(array).sum() == 1]
    values = {k: float(np.nanmean(strata[k].values)) for k in lone}
    middle = float(np.mean(list(values.values()))) if lone else 0.0
    for k in lone:
        influences[k] = np.where(np.isfinite(influences[k]), strata[k].weight * (values[k] - middle), np.nan)
    weights = {s.key: abs(s.weight) for k, s in enumerate(strata) if k not in values}
    if lone:
        weights[ALONE] = sum(abs(strata[k].weight) for k in lone)
    recurs = all(stratum.sentences is not None for stratum in strata)
    return Stratified(
        _joined(influences, np.float64),
        _joined([unit.labels for unit in units], np.uint64),
        _joined(
            [np.full(len(array), ALONE if k in values else strata[k].key) for k, array in enumerate(influences)], int
        ),
        weights,
        reach,
        _joined([unit.counted for unit in units], np.float64) if recurs else None,
        recurs,
    )


class _StratumUnits(NamedTuple):
    influences: Array
    labels: Labels
    counted: Array


def _units(stratum: Stratum) -> _StratumUnits:
    """Return the units of a stratum: its rows, or its sentences with their rows summed.

    If sentences recur unequally often, variance and degrees of freedom follow `cluster_variance.correction`.
    """
    influences = stratum.influences
    start = np.uint64(stratum.key * MOST_UNITS)
    if stratum.sentences is None:
        return _StratumUnits(influences, np.arange(len(influences), dtype=np.uint64) + start, np.ones(len(influences)))
    present = np.isfinite(influences)
    sentences, places, counts = np.unique(stratum.sentences[present], return_inverse=True, return_counts=True)
    sums = np.bincount(places, weights=influences[present]).astype(np.float64)
    counted = np.ones(len(sentences))
    if len(sentences) > 1 and counts.max() > 1:
        factor, freedom = correction(counts / counts.sum())
        sums, counted = sums * np.sqrt(factor * freedom / (freedom + 1)), counted * (freedom + 1) / len(sentences)
    return _StratumUnits(sums, sentences.astype(np.uint64) + start, counted)


def _joined(parts: Sequence[Any], kind: Any) -> Any:
    return np.concatenate(parts) if parts else np.empty(0, dtype=kind)
