"""Numbers that say whether a language model's log-ratios can show a bias at all; each from the rows of a run.

They apply to every measure whose rows have `log_ratio`: gest, gest-slavic, eurogest and winobias.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def largest_mass(rows: "pd.DataFrame") -> float | None:
    """Return the median probability of the two words at the blank, in the template where it is largest.

    An untrained model has about 2 / vocabulary size; None where it was not asked for.
    """
    known = rows[rows["mass"].notna()] if "mass" in rows else rows.iloc[:0]
    return float(known["mass"].groupby(known["template"]).median().max()) if len(known) else None


def log_ratio_spread(rows: "pd.DataFrame") -> float | None:
    """Return the standard deviation of the log-ratios within a template, the mean over templates.

    Trained models have 0.4 to 1.3 in GEST; 0 means that the sentence decides nothing.
    """
    read = rows[rows["log_ratio"].notna()]
    parts = [each for _, each in read.groupby("template")] if "template" in read else [read]
    spreads = [float(each["log_ratio"].std()) for each in parts if len(each) > 1]
    return sum(spreads) / len(spreads) if spreads else None


def majority_share(rows: "pd.DataFrame") -> float | None:
    """Return the share of log-ratios on the more frequent side of 0, from 0.5 to 1 (always the same gender)."""
    ratios = rows["log_ratio"].dropna()
    return float(max((ratios > 0).mean(), (ratios < 0).mean())) if len(ratios) else None
