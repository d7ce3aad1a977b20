"""Outcomes of translations for comparisons: a person has the right gender, the wrong one, or none."""

from typing import Any

import pandas as pd

from genderscope.measures.outcome_tables import (
    NEUTRAL,
    RIGHT,
    WRONG,
    base_table,
    joined_outcomes,
    known_outcomes,
    usable,
)
from genderscope.measures.translation_controls import balanced_estimates, is_right
from genderscope.measures.winomt.unread_reasons import NO_GENDER
from genderscope.statistics.estimate import Estimate

MASCULINE, FEMININE = "masculine", "feminine"


def outcome_table(rows: pd.DataFrame, _: Any) -> pd.DataFrame:
    """Return the outcome of each sentence; a neutral word is not wrong, but does not keep the gender either."""
    reading = rows["reading"]
    women, men = (rows["gender"] == gender for gender in (FEMININE, MASCULINE))
    outcome = pd.Series(WRONG, index=rows.index).where(reading != rows["gender"], RIGHT)
    outcome = outcome.mask(reading == NEUTRAL, NEUTRAL).where(reading.notna())
    table = base_table(rows, rows["pair"])
    avoided = rows["unread"].eq(NO_GENDER).fillna(False)
    known = known_outcomes(outcome, women, men, rows["stereotype"], avoided)
    return joined_outcomes(table, usable(rows, "source", rows["reading"].isin((MASCULINE, FEMININE))), known)


def control(rows: pd.DataFrame) -> list[Estimate]:
    """Return the share of pronouns whose gender is right: the sentences are controls themselves.

    If some sentences are labelled pro- or anti-stereotypical, only these count, with equal weights, so that a system
    that always uses the stereotypical gender is at chance, too.
    """
    known = rows[rows["gender"].isin((MASCULINE, FEMININE))]
    labelled = known[known["stereotype"] != ""]
    known = known if labelled.empty else labelled
    shown = known["reading"].where(known["unread"].isna())
    return balanced_estimates(known, is_right(shown, known["gender"]), known["gender"], known["stereotype"])
