"""Numbers that say whether translations depend on the gender in the source; each from the rows of a run."""

from typing import TYPE_CHECKING

from genderscope.samples.mt_geneval import GENDERS

if TYPE_CHECKING:
    import pandas as pd


def majority_share(rows: "pd.DataFrame", language: str | None = None) -> float | None:
    """Return the share of the more frequent gender among the versions read, from 0.5 to 1 (always the same).

    A system that ignores the source and always writes masculine forms has 1, and an accuracy of one half.
    """
    read = rows[rows["unread"].isna() & rows["gender"].isin(GENDERS)]
    read = read if language is None else read[read["language"] == language]
    masculine = (read["gender"] == GENDERS[0]) == (read["reading"] == "right")
    return float(max(masculine.mean(), 1 - masculine.mean())) if len(masculine) else None
