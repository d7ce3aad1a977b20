"""Outcomes of translations for comparisons: the gender is right, wrong, or not shown."""

from typing import Any

import pandas as pd

from genderscope.measures.mt_geneval.reading import NO_WORD
from genderscope.measures.mt_geneval.rates import units_of
from genderscope.measures.outcome_tables import RIGHT, WRONG, base_table, joined_outcomes, known_outcomes, usable
from genderscope.measures.translation_controls import balanced_estimates
from genderscope.statistics.estimate import Estimate


def outcome_table(rows: pd.DataFrame, _: Any) -> pd.DataFrame:
    """Return the outcome of each version of a segment; without a word of either reference, no gender is shown."""
    avoided = rows["unread"].eq(NO_WORD).fillna(False)
    women, men = (rows["gender"] == gender for gender in ("feminine", "masculine"))
    table = base_table(rows, units_of(rows), rows["subset"])
    return joined_outcomes(
        table,
        usable(rows, "source", rows["reading"].notna()),
        known_outcomes(rows["reading"], women, men, avoided=avoided),
    )


def control(rows: pd.DataFrame) -> list[Estimate]:
    """Return the share of versions whose gender is right: the segments are controls themselves."""
    right = rows["reading"].where(rows["unread"].isna()).map({RIGHT: 1.0, WRONG: 0.0})
    return balanced_estimates(rows, right, rows["gender"], rows["subset"])
