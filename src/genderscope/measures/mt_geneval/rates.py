"""The rates of MT-GenEval, declared for rows of versions whose gender is right or wrong.

    accuracy = proportion of segments with the right gender; for counterfactual segments, in both versions
    error = 1 - accuracy            gap = accuracy of masculine versions - accuracy of feminine ones

A counterfactual segment counts only if both versions were parsed: with one unread version, it would count if the other
is wrong but not if it is right, which would favour errors. As published, no version is unread.

The units are English segments or, in contextual segments, professions; the same segment in several languages is one
unit.
"""

import re
from collections.abc import Iterator
from functools import cache, partial
from importlib.resources import files
from typing import Any

import pandas as pd

from genderscope.measures.mt_geneval.reading import NO_WORD
from genderscope.measures.outcome_tables import RIGHT, WRONG, base_table, joined_outcomes, known_outcomes, usable
from genderscope.measures.translation_controls import balanced_estimates
from genderscope.samples.mt_geneval import CONTEXTUAL, COUNTERFACTUAL, GENDERS, SUBSETS
from genderscope.statistics.declared_rates import ONE_SHARE, TWO_SHARES, Rate, RateTable
from genderscope.statistics.estimate import Estimate

#: subset -> the kind of its units
UNITS = {COUNTERFACTUAL: "segments", CONTEXTUAL: "professions"}
NO_NEUTRAL = {
    "accuracy": "an accuracy has no neutral point; 1 means always right",
    "yield": "the frequency of gendered words says nothing about bias",
    "mixed": "the frequency of mixed genders says nothing about bias",
    "unread_share": "the frequency of unread translations says nothing about bias",
}


def rate_tables(rows: pd.DataFrame, _: Any = None) -> list[RateTable]:
    """Return the rates of each subset."""
    wrong = (rows["reading"] == "wrong").astype(float).where(rows["unread"].isna())
    rows = rows.assign(wrong=wrong, unit=units_of(rows))
    table = partial(RateTable, units="unit", languages=list(rows["language"].unique()))
    return [
        table(rows[rows["subset"] == subset], list(_rates(subset)), noun=UNITS[subset], keys={"subset": subset})
        for subset in SUBSETS
        if (rows["subset"] == subset).any()
    ]


def _rates(subset: str) -> Iterator[Rate]:
    method = partial(_method, noun=UNITS[subset])
    share = partial(Rate, method=method, nothing=("nothing was read", "in one language, no segment could be read"))
    by_gender = [(gender, partial(_only, gender=gender)) for gender in GENDERS]
    yield share(
        name="error",
        values=lambda rows: rows["wrong"],
        neutral=0.0,
        rows=partial(_by_segment, subset=subset),
        with_range=True,
        complement=("accuracy", NO_NEUTRAL["accuracy"]),
        items=("segment", "item"),  # identical English texts are separate segments, each with its own outcome
    )
    for gender, only in by_gender:
        keys = {"group": gender}
        yield share(name="accuracy", values=_right, rows=only, keys=keys, remark=NO_NEUTRAL["accuracy"])
    yield Rate(
        name="gap",
        values=_right,
        neutral=0.0,
        sides=(partial(_has_gender, gender=GENDERS[0]), partial(_has_gender, gender=GENDERS[1])),
        nothing=("for one gender, no segment could be read",) * 2,
        with_range=True,
        range_sign=-1.0,
        method=TWO_SHARES.format(UNITS[subset]),
        items=("item", "item"),
    )
    was_read = partial(share, name="yield", values=_was_read, remark=NO_NEUTRAL["yield"])
    yield was_read()
    for gender, only in by_gender:
        yield was_read(rows=only, keys={"group": gender})
    yield share(name="mixed", values=_mixed, remark=NO_NEUTRAL["mixed"])
    yield share(
        name="unread_share",
        values=_was_read,
        shares_of="unread",
        one_language=True,
        remark=NO_NEUTRAL["unread_share"],
    )


def _method(rows: pd.DataFrame, noun: str) -> str:
    return ONE_SHARE.format(noun) if rows["unit"].nunique() < len(rows) else "Agresti-Coull over segments"


def _right(rows: pd.DataFrame) -> "pd.Series[float]":
    return 1 - rows["wrong"]


def _was_read(rows: pd.DataFrame) -> "pd.Series[float]":
    return rows["wrong"].notna().astype(float)


def _mixed(rows: pd.DataFrame) -> "pd.Series[float]":
    return rows["mixed"].astype(float).where(rows["wrong"].notna())


def _has_gender(rows: pd.DataFrame, gender: str) -> "pd.Series[bool]":
    return rows["gender"] == gender


def _only(rows: pd.DataFrame, gender: str) -> pd.DataFrame:
    return rows[rows["gender"] == gender]


def _by_segment(rows: pd.DataFrame, subset: str) -> pd.DataFrame:
    """Return one row per segment: 1 if any version is wrong, 0 if none is, NaN if a version is unread."""
    if subset != COUNTERFACTUAL:
        return rows
    grouped = rows.groupby(["language", "segment"], sort=False)
    both = grouped["wrong"].count() == len(GENDERS)
    return grouped[["unit", "item"]].first().assign(wrong=grouped["wrong"].max().where(both)).reset_index()


@cache
def professions() -> tuple[str, ...]:
    """Return the known English professions, one of which occurs in 99 % of the released contextual segments."""
    return tuple((files(__package__) / "professions.csv").read_text(encoding="utf-8").split()[1:])


@cache
def _finder() -> re.Pattern[str]:
    return re.compile(rf"\b({'|'.join(professions())})s?\b", re.IGNORECASE)


def profession_in(source: str) -> str | None:
    """Return the last profession in a text, since context precedes the judged sentence and modifiers precede a noun."""
    names = _finder().findall(source)
    return names[-1].lower() if names else None


def units_of(rows: pd.DataFrame) -> "pd.Series[str]":
    """Return each row's unit: the profession in a contextual segment, if known, otherwise the segment."""
    contextual = rows["subset"] == CONTEXTUAL
    named = rows.loc[contextual, "source"].map(profession_in)
    return rows["item"].where(~contextual | named.reindex(rows.index).isna(), named.reindex(rows.index))


def outcome_table(rows: pd.DataFrame, _: Any) -> pd.DataFrame:
    """Return the outcome of each version of a segment; without a word of either reference, no gender is shown."""
    avoided = rows["unread"].eq(NO_WORD).fillna(False)
    women, men = (rows["gender"] == gender for gender in ("feminine", "masculine"))
    table = base_table(rows, units_of(rows), rows["subset"])
    return joined_outcomes(
        table,
        usable(rows, "source", rows["reading"].notna()),
        known_outcomes(rows["reading"], women, men, avoided=avoided),
    )


def control(rows: pd.DataFrame) -> list[Estimate]:
    """Return the share of versions whose gender is right: the segments are controls themselves."""
    right = rows["reading"].where(rows["unread"].isna()).map({RIGHT: 1.0, WRONG: 0.0})
    return balanced_estimates(rows, right, rows["gender"], rows["subset"])
