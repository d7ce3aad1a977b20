"""Numbers that say whether a language model is good enough to show a bias; each from the rows of a run."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def meaningful_share(rows: "pd.DataFrame") -> float | None:
    """Return how often a meaningful sentence is more probable than the unrelated one: 0.5 by chance, 1 at best.

    StereoSet's lms over 100, but over samples; None where the data has no unrelated sentence.
    """
    known = rows[rows["lp_unrelated"].notna() & rows["unread"].isna()]
    wins = [(known[name] > known["lp_unrelated"])[known[name].notna()] for name in ("lp0", "lp1")]
    count = sum(len(each) for each in wins)
    return float(sum(int(each.sum()) for each in wins) / count) if count else None
