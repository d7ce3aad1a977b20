"""Numbers that say whether translations can show a stereotype at all; each from the rows of a run."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def majority_share(rows: "pd.DataFrame", language: str | None = None) -> float | None:
    """Return the share of the more frequent gender among the readings, from 0.5 to 1 (always the same); None if none.

    Without a language, the mean over languages.
    """
    read = rows[rows["unread"].isna()]
    read = read if language is None else read[read["language"] == language]
    shares = [float((each == "masculine").mean()) for _, each in read.groupby("language")["gender"]]
    return sum(max(share, 1 - share) for share in shares) / len(shares) if shares else None


def room(rows: "pd.DataFrame", language: str | None = None) -> float | None:
    """Return the largest |f_s| that so many speakers of one gender allow: 2 min(f_m, 1 - f_m)."""
    share = majority_share(rows, language)
    return None if share is None else 2 * (1 - share)
