"""Outcomes of translations for comparisons, for adjectives whose person's gender is known and for the others."""

from typing import Any

import pandas as pd

from genderscope.measures.dialogue.units import companion
from genderscope.measures.outcome_tables import (
    FEMININE,
    MASCULINE,
    NEUTRAL,
    RIGHT,
    WRONG,
    base_table,
    joined_outcomes,
    known_outcomes,
    open_outcomes,
    shares_of,
    usable,
)
from genderscope.measures.translation_controls import balanced_estimates, is_right
from genderscope.statistics.estimate import Estimate

TRUE = {"M": MASCULINE, "F": FEMININE}


def outcome_table(rows: pd.DataFrame, _: Any) -> pd.DataFrame:
    """Return the outcome of each adjective; a neutral rendering is an outcome of its own."""
    shown = _shown(rows)
    true = rows["true_gender"].map(TRUE)
    outcome = pd.Series(WRONG, index=rows.index).mask(shown == true, RIGHT).where(shown.isin((MASCULINE, FEMININE)))
    known_gender = known_outcomes(outcome, true == FEMININE, true == MASCULINE, rows["agreement"], shown == NEUTRAL)
    is_open = true.isna() & ~rows["determined"].astype(bool)
    male, female = ((rows["stereotype"] == gender) & is_open for gender in ("M", "F"))
    opened = open_outcomes(shares_of(shown.where(is_open)), male, female)
    table = base_table(rows, rows["adjective"]).assign(companion=companion(rows))
    return joined_outcomes(
        table, usable(rows, "text", rows["gender"].isin((MASCULINE, FEMININE))), known_gender, opened
    )


def control(rows: pd.DataFrame) -> list[Estimate]:
    """Return the share of adjectives whose gender is right where a cue shows it: they are controls themselves.

    People whose gender agrees with a stereotype, opposes one, or neither, have equal weights.
    """
    people = rows[rows["true_gender"].isin(TRUE)]
    true = people["true_gender"].map(TRUE)
    return balanced_estimates(people, is_right(_shown(people), true), true, people["agreement"])


def _shown(rows: pd.DataFrame) -> "pd.Series[str]":
    return rows["gender"].where(rows["unread"].isna() & rows["gender"].isin((MASCULINE, FEMININE, NEUTRAL)))
