"""Translations that two systems read with different genders, spread over stereotypes and languages."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any

from genderscope.comparison.run_comparison import Comparison
from genderscope.measures import measure_type

if TYPE_CHECKING:
    import pandas as pd

#: maximum number of sentences shown for a pair of runs
MOST = 10


@dataclass(frozen=True)
class DifferingReading:
    """A source with the translations of two systems and their readings."""

    source: str
    language: str
    #: None if the measure has no stereotypes
    stereotype: int | str | None
    translations: tuple[str, str]
    readings: tuple[str, str]


def differing_readings(comparison: Comparison, run: str, most: int = MOST) -> tuple[list[DifferingReading], int]:
    """Return up to `most` shared questions on which a run and the first one disagree, and their total number.

    Measures whose rows are not translations have none.
    """
    columns = measure_type(comparison.measure).translation_columns
    if columns is None:
        return [], 0
    source, reading = columns
    first, second = comparison.pairs[run].first, comparison.pairs[run].second
    differs = first[reading].notna() & second[reading].notna() & (first[reading] != second[reading])
    rows = first[differs].assign(other=second.loc[differs, "translation"], other_reading=second.loc[differs, reading])
    readings = [
        DifferingReading(
            row[source],
            row["language"],
            row.get("stereotype"),
            (row["translation"], row["other"]),
            (row[reading], row["other_reading"]),
        )
        for row in _spread_evenly(rows, most)
    ]
    return readings, len(rows)


def _spread_evenly(rows: "pd.DataFrame", most: int) -> list[dict[Any, Any]]:
    """Return rows from as many stereotypes as possible, alternating between languages."""
    strata = [
        _alternate([own.to_dict("records") for _, own in group.groupby("language")])
        for _, group in rows.groupby("stereotype" if "stereotype" in rows else "language")
    ]
    if len(strata) > most:  # neighbouring stereotypes have the same gender
        strata = [strata[k * (len(strata) - 1) // (most - 1)] for k in range(most)] if most > 1 else strata[:most]
    # Start each stratum in a different language, so that the first rows of all strata cover all languages.
    shifted = [own[k % len(own) :] + own[: k % len(own)] for k, own in enumerate(strata)]
    return _alternate(shifted)[:most]


def _alternate(groups: Sequence[Sequence[Any]]) -> list[Any]:
    """Return the groups' first elements, then their second elements, and so on."""
    missing = object()
    return [item for item in chain.from_iterable(zip_longest(*groups, fillvalue=missing)) if item is not missing]
