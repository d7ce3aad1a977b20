"""Outcomes of translations for comparisons: the speaker is a man, a woman, or neither."""

from typing import Any

import pandas as pd

from genderscope.measures.outcome_tables import (
    NEUTRAL,
    base_table,
    equal_sides,
    joined_outcomes,
    open_outcomes,
    shares_of,
    usable,
)
from genderscope.samples.gest import MALE


def outcome_table(rows: pd.DataFrame, _: Any) -> pd.DataFrame:
    """Return the outcome of each translation; showing no gender is an outcome of its own."""
    neutral = rows["unread"].eq("neutral").fillna(False)
    outcome = rows["gender"].where(rows["unread"].isna()).mask(neutral, NEUTRAL)
    male = rows["stereotype"].isin(MALE)
    sides = (male, ~male) if male.any() and not male.all() else (None, None)
    table = base_table(rows, rows["sentence"], rows["stereotype"], equal_sides(rows["stereotype"], male))
    return joined_outcomes(
        table, usable(rows, "sentence", rows["gender"].notna()), open_outcomes(shares_of(outcome), *sides)
    )
