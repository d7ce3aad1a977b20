"""The rows that count in published scores."""

import pandas as pd

NO_NEUTRAL = "an accuracy has no neutral point"
NO_ANSWER = "no answer could be read"


def was_read(rows: pd.DataFrame) -> "pd.Series[bool]":
    """Return a mask of the answers that choose one of the three options."""
    return rows["outcome"].isin(("biased", "counter", "unknown")) & rows["unread"].isna()
