"""Clustered errors for sentences that recur within or across strata; a sentence is one unit.

The influences of a sentence's rows on an estimate are summed before squaring (clustered variance). If strata share
sentences, the degrees of freedom shrink by the fraction of rows that repeat a sentence.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from genderscope.statistics.cluster_variance import Codes, correction, sums
from genderscope.statistics.cluster_variance import codes as numbered
from genderscope.statistics.proportions import Share
from genderscope.statistics.student_intervals import Error, error_of_strata, influences, total

if TYPE_CHECKING:
    import pandas as pd

Array = npt.NDArray[np.float64]
#: weight, values [rows, columns] with at least one reading per row, and the sentence code of each row
Stratum = tuple[float, Array, Codes]


def recurring_sentences(rows: "pd.DataFrame") -> dict[int, Codes] | None:
    """Return sentence codes by stereotype, in sample order; None if no sentence recurs."""
    if "sentence" not in rows:
        return None
    samples = rows.drop_duplicates(["stereotype", "sample"])
    texts = samples["sentence"].str.strip()
    if not texts[texts != ""].duplicated().any():
        return None
    named = texts.where(texts != "", [f"\0{k}" for k in range(len(texts))])  # samples without text are unique
    numbered = samples.assign(code=np.unique(named.to_numpy(dtype=str), return_inverse=True)[1])
    ordered = numbered.sort_values("sample").groupby("stereotype")["code"]
    return {int(str(key)): codes.to_numpy(dtype=np.int64) for key, codes in ordered}


def recurring_translations(rows: "pd.DataFrame") -> dict[int, Codes] | None:
    """Return sentence codes by stereotype for multilingual samples; None if no sentence recurs.

    Samples with the same text in any language count as the same sentence.
    """
    if "sentence" not in rows:
        return None
    has_text = (rows["sentence"].str.strip() != "").to_numpy()
    columns = ["stereotype", "sample"], ["language", "sentence"]
    samples, texts = (rows.groupby(key).ngroup().to_numpy()[has_text] for key in columns)
    both = np.unique(np.stack([samples, texts]), axis=1)
    if len(np.unique(both[1])) == both.shape[1]:
        return None
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    size = int(both.max()) + 1
    edges = coo_array((np.ones(both.shape[1]), (both[0], both[1] + size)), shape=(2 * size, 2 * size))
    parts = connected_components(edges, directed=False)[1]
    named = np.full(len(rows), "", dtype=object)
    named[has_text] = [f"sentence {k}" for k in parts[samples]]
    return recurring_sentences(rows.assign(sentence=named))


def stratum(weight: float, values: Array, codes: Codes) -> Stratum:
    """Return a stratum without its empty rows."""
    read = np.isfinite(values).any(axis=1)
    return weight, values[read], codes[read]


def error_with_recurrence(strata: Sequence[Stratum]) -> Error | None:
    """Return the error of a weighted sum of the strata's means, with sentences as units.

    Strata with a single sentence have no variance of their own and are assigned the average variance of the others.
    """
    units = [_units(*part) for part in strata]
    errors = [unit.error for unit in units if unit.error is not None]
    lone = [unit.weight for unit in units if unit.error is None]
    if not errors:
        return error_of_strata([(weight, np.nanmean(values, axis=0, keepdims=True)) for weight, values, _ in strata])
    if lone:
        freedom = sum(error.freedom for error in errors)
        spread = sum(unit.spread * unit.error.freedom for unit in units if unit.error is not None) / freedom
        errors.append(Error(sum(weight**2 for weight in lone) * spread, freedom))
    error = total(errors)
    by_sentence, codes = (np.concatenate([getattr(unit, name) for unit in units]) for name in ("influences", "codes"))
    together = float((sums(by_sentence, numbered(codes)) ** 2).sum()) - float((by_sentence**2).sum())
    repeated = len(np.unique(codes)) / len(codes)
    return Error(max(error.variance + together, 0.0), max(1.0, error.freedom * repeated))


@dataclass(frozen=True)
class _SentenceUnits:
    """Sentences of a stratum: their influence on the weighted sum, their codes, and the stratum's own error."""

    weight: float
    influences: Array
    codes: Codes
    error: Error | None
    #: variance of a sentence's value
    spread: float = 0.0


def _units(weight: float, values: Array, codes: Codes) -> _SentenceUnits:
    sentences, places, counts = np.unique(codes, return_inverse=True, return_counts=True)
    if len(sentences) == 1:
        return _SentenceUnits(weight, np.zeros(1), sentences, None)
    factor, freedom = correction(counts / len(codes))
    by_sentence = weight * sums(influences(values), places) * factor**0.5
    variance = float((by_sentence**2).sum())
    spread = variance / weight**2 / float(((counts / len(codes)) ** 2).sum())
    return _SentenceUnits(weight, by_sentence, sentences, Error(variance, freedom), spread)


def resized(
    parts: Mapping[int, tuple[float, Share]], values: Mapping[int, Array], codes: Mapping[int, Codes] | None
) -> dict[int, tuple[float, Share]]:
    """Return weighted shares, with effective sizes reduced to account for recurring sentences."""
    if codes is None or not parts:
        return dict(parts)
    strata = [stratum(weight, values[i], codes[i]) for i, (weight, _) in parts.items()]
    by_stratum = [_influences(weight, values) for weight, values, _ in strata]
    equal = [np.full(len(values), weight / len(values)) for weight, values, _ in strata]
    alone = [
        _design_effect(row_influences, even, part)
        for row_influences, even, part in zip(by_stratum, equal, strata, strict=True)
    ]
    used = by_stratum if any(row_influences.any() for row_influences in by_stratum) else equal
    apart = sum(_clustered([row_influences], [part]) for row_influences, part in zip(used, strata, strict=True))
    together = max(1.0, _clustered(used, strata) / apart) if apart > 0 else 1.0
    return {
        i: (weight, replace(share, size=share.size / (effect * together)))
        for (i, (weight, share)), effect in zip(parts.items(), alone, strict=True)
    }


def _design_effect(by_row: Array, equal: Array, given: Stratum) -> float:
    """Return the design effect: a stratum's variance relative to that of independent rows, at least 1.

    If the rows do not vary, the influences in `equal` are used instead.
    """
    if not by_row.any():
        return max(1.0, _clustered([equal], [given]) / _clustered([equal]))
    error = _units(*given).error
    return 1.0 if error is None else max(1.0, error.variance / _clustered([by_row]))


def _clustered(by_row: Sequence[Array], strata: Sequence[Stratum] | None = None) -> float:
    """Return the variance of a sum from its rows' influences, clustered by sentence if strata are given."""
    whole = np.concatenate(by_row)
    if strata is not None:
        whole = sums(whole, numbered(np.concatenate([codes for _, _, codes in strata])))
    return float((whole**2).sum())


def _influences(weight: float, values: Array) -> Array:
    """Return each row's influence on the weighted sum, corrected for the estimated mean."""
    n = len(values)
    return weight * influences(values) * (n / (n - 1)) ** 0.5 if n > 1 else np.zeros(n)
