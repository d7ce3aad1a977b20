"""Outcomes of translations for comparisons: a person is a man, a woman, or neither."""

from typing import Any

import pandas as pd

from genderscope.measures.outcome_tables import (
    FEMININE,
    MASCULINE,
    NEUTRAL,
    base_table,
    joined_outcomes,
    open_outcomes,
    shares_of,
    usable,
)


def outcome_table(rows: pd.DataFrame, _: Any) -> pd.DataFrame:
    """Return the outcome of each person; a neutral word and two alternatives are outcomes of their own."""
    outcome = rows["reading"].where(rows["unread"].isna()).replace({"alternatives": NEUTRAL})
    table = base_table(rows, rows["item"])
    return joined_outcomes(
        table, usable(rows, "source", rows["reading"].isin((MASCULINE, FEMININE))), open_outcomes(shares_of(outcome))
    )
