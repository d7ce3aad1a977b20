"""The logistic regressions of sections 4 to 6, which predict whether an adjective is feminine.

Tables 9-11 are about adverbs, Tables 15-17 about characters and Tables 27-29 about two known genders. The outcome is 1
for feminine; all adjectives are included, neutral sentiment counts as not negative, and adjectives without traits are
the baseline.
"""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from genderscope.measures.dialogue.tables import gendered
from genderscope.measures.dialogue.units import companion
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.logistic import Fit, available, logistic

CLUSTERED = "logistic regression, errors clustered by adjective and by adverb, occupation or passage"
PLAIN = "logistic regression"
P_VALUE = "a p-value has neither an interval nor a neutral point"
ADJECTIVE = ("Adj Stereo(M)", "Adj Stereo(F)", "Adj Sentiment(neg)", "Adj Type(appearance)")
#: subset -> table numbers in the paper, and the variables besides those of the adjective
REGRESSIONS = {
    "stereo_adverb": ("9-11", ("Adv Stereo(M)", "Adv Stereo(F)")),
    "stereo_character_ambiguous": ("15-17", ("Character Stereo(F)",)),
    "structure_determined": (
        "27-29",
        (
            "True(M)",
            *(f"{what}({g})" for what in ("You", "Lookahead", "Consistency") for g in "MF"),
            "Opposite(M)",
        ),
    ),
}


def regressions(rows: pd.DataFrame, language: str, as_published: bool) -> list[Estimate]:
    """Return every coefficient (`beta`) and its `p`, or an empty list if statsmodels is not installed."""
    estimates: list[Estimate] = []
    if not available():
        return estimates
    for subset in REGRESSIONS:
        selected = regressed(rows, subset, as_published)
        if selected.empty:
            continue
        fit = fitted(selected, subset, as_published)
        method = PLAIN if as_published else CLUSTERED
        blank = Estimate(name="log_odds", n=fit.n, unread=0, neutral=0.0, method=method).with_keys(
            language=language, subset=subset
        )
        for name, b in fit.coefficients.items():
            coefficient = blank.with_keys(category=name)
            estimates.append(replace(coefficient, value=b.value, low=b.low, high=b.high, freedom=b.freedom))
            estimates.append(
                replace(blank.with_keys(category=name), name="p_value", value=b.p, neutral=None, remark=P_VALUE)
            )
        for name, reason in fit.without.items():
            why = f"no finite coefficient because {reason}"
            estimates.append(replace(blank.with_keys(category=name), method=f"{method}: {why}", remark=why))
    return estimates


def regressed(rows: pd.DataFrame, subset: str, as_published: bool) -> pd.DataFrame:
    """Return the rows with a masculine or feminine reading to which a regression is fitted."""
    in_subset = {
        "stereo_adverb": rows["subset"] == "stereo_manner",
        "stereo_character_ambiguous": (rows["subset"] == "stereo_character") & ~rows["determined"],
        "structure_determined": (rows["subset"] == "structure") & rows["equality"].isin(["same", "opposite"]),
    }[subset]
    return rows[in_subset & gendered(rows, as_published)]


def fitted(rows: pd.DataFrame, subset: str, as_published: bool) -> Fit:
    """Fit the regression for one subset."""
    columns = {name: _variable(name, rows) for name in (*ADJECTIVE, *REGRESSIONS[subset][1])}
    clusters = None if as_published else (rows["adjective"], companion(rows))
    return logistic((rows["gender"] == "feminine").astype(float), pd.DataFrame(columns).astype(int), clusters)


def _variable(name: str, rows: pd.DataFrame) -> pd.Series[bool]:
    """Return the indicator variable with this name in the paper's tables."""
    what, level = name.removesuffix(")").split("(")
    columns = {
        "Adj Stereo": "adjective_stereotype",
        "Adj Sentiment": "sentiment",
        "Adj Type": "kind",
        "Adv Stereo": "stereotype",
        "Character Stereo": "stereotype",
        "True": "true_gender",
        "Opposite": "other_gender",
    }
    if what in columns:
        return rows[columns[what]] == level
    holds = {"You": rows["referent"] == "you", "Lookahead": rows["look_ahead"], "Consistency": rows["repeated"]}
    return holds[what] & (rows["true_gender"] == level)
