"""Questions with their answers averaged over orders and wordings, from the rows of a BBQ run."""

import numpy as np
import pandas as pd

from genderscope.measures.bbq.kinds import BIASED, KINDS, REFUSED

#: columns that are the same in all rows of a question
_SHARED = ["item", "language", "template", "condition", "group", "value", "control", "truth", "unknown_wording"]


def answers(rows: pd.DataFrame) -> pd.DataFrame:
    """Return one column per kind of option, 1 if it was chosen and 0 if another was; NaN if unread or refused."""
    chosen = rows["outcome"].where(rows["unread"].isna())
    table = pd.DataFrame({kind: chosen.eq(kind).fillna(False).astype("float64") for kind in KINDS}, index=rows.index)
    return table.where(table.sum(axis=1) > 0)


def items(rows: pd.DataFrame) -> pd.DataFrame:
    """Return one line per question: the shares of the kinds among its answers, and whether the right one was given.

    `answers`, `unread` and `refused` count the answers that chose an option, could not be read, or declined.
    """
    unread = rows["unread"].notna()
    refused = rows["outcome"].eq(REFUSED).fillna(False).astype(bool) & ~unread
    table = answers(rows).assign(unread=unread.astype("float64"), refused=refused.astype("float64"))
    grouped = table.groupby(rows["sample"], sort=False)
    found = rows.drop_duplicates("sample").set_index("sample")[_SHARED].join(grouped[list(KINDS)].mean())
    counts = {"answers": grouped[BIASED].count(), **{name: grouped[name].sum() for name in ("unread", "refused")}}
    return found.assign(right=right(found, found), **counts)


def right(chosen: pd.DataFrame, rows: pd.DataFrame) -> "pd.Series[float]":
    """Return the share of the right kind of answer; NaN where nothing was chosen."""
    truths = [(rows["truth"] == kind).to_numpy(dtype=bool) for kind in KINDS]
    shares = [chosen[kind].to_numpy(dtype=np.float64) for kind in KINDS]
    return pd.Series(np.select(truths, shares, np.nan), index=rows.index)
