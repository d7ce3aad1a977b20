"""Numbers that say whether translations can show a stereotype at all; each from the rows of a run."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def majority_share(rows: "pd.DataFrame", language: str | None = None) -> float | None:
    """Return the share of the more frequent gender where the source tells none, from 0.5 to 1 (always the same)."""
    read = rows[rows["gender"].isin(["masculine", "feminine"]) & ~rows["determined"].astype(bool)]
    read = read if language is None else read[read["language"] == language]
    masculine = (read["gender"] == "masculine").mean()
    return float(max(masculine, 1 - masculine)) if len(read) else None
