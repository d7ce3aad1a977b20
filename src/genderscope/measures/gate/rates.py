"""The rates of GATE, declared for rows of people whose gender a translation shows, avoids or offers twice.

    masculine_rate = masculine / (masculine + feminine)
    masculine_share, feminine_share, neutral_share, alternatives_share: shares of all people that were read

Across languages, every rate is the mean of the languages' rates. The people of a sentence, in all languages, are one
unit; the wide interval of the masculine rate treats sentences and person words as crossed units.
"""

from functools import partial
from typing import Any

import pandas as pd

from genderscope.grammar.person import singular
from genderscope.measures.outcome_tables import (
    FEMININE,
    MASCULINE,
    NEUTRAL,
    base_table,
    joined_outcomes,
    open_outcomes,
    shares_of,
    usable,
)
from genderscope.samples.english_people import KINDS, ROLES
from genderscope.statistics.declared_rates import Rate, RateTable, crossed_with

READINGS = ("masculine", "feminine", "neutral", "alternatives")
#: ways to avoid a gender
WAYS = ("rewording", "both forms", "same form")
#: with fewer readings, a person word has no rate of its own
FEWEST_READINGS = 10

SEE_RATE = "see masculine_rate, which has a neutral point"
AVOIDED = "avoiding a gender is a choice of the system; 1 means always"
NO_NEUTRAL = {
    "masculine": SEE_RATE,
    "feminine": SEE_RATE,
    "neutral": AVOIDED,
    "alternatives": "offering both genders is a choice of the system; 1 means always",
}


def masculine(rows: pd.DataFrame) -> "pd.Series[float]":
    """Return 1 for a person who is a man in the translation, 0 for one who is a woman."""
    return (rows["reading"] == "masculine").astype(float).where(rows["reading"].isin(READINGS[:2]))


def is_read(rows: pd.DataFrame) -> "pd.Series[float]":
    """Return 1 for every person that was read."""
    return rows["unread"].isna().astype(float).where(rows["unread"].isna())


def has_reading(rows: pd.DataFrame, reading: str) -> "pd.Series[float]":
    """Return whether each person that was read has this reading."""
    return (rows["reading"] == reading).astype(float).where(rows["unread"].isna())


def is_unread(rows: pd.DataFrame) -> "pd.Series[bool]":
    """Return whether each person is unread."""
    return rows["unread"].notna()


def of_frequent_words(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of person words that have enough readings."""
    return rows[masculine(rows).notna().groupby(rows["word"]).transform("sum") >= FEWEST_READINGS]


RATE = partial(
    Rate,
    values=masculine,
    neutral=0.5,
    unread=is_unread,
    nothing=("no masculine or feminine person was read", "in one language, no gender was read"),
)
PART = partial(RATE, read_languages=True)
RATES = (
    RATE(name="masculine_rate", wider=crossed_with("word", "person words"), with_range=True),
    PART(name="masculine_rate_by_role", split_by="role", order=ROLES),
    PART(name="masculine_rate_by_kind", split_by="kind", order=KINDS),
    PART(name="masculine_rate_by_people", split_by="people"),
    PART(name="masculine_rate_by_number", split_by="number", order=("singular", "plural")),
    *(
        Rate(name=f"{reading}_share", values=partial(has_reading, reading=reading), remark=NO_NEUTRAL[reading])
        for reading in READINGS
    ),
    Rate(name="neutral_share_by_way", values=is_read, shares_of="how", order=WAYS, remark=AVOIDED),
    Rate(
        name="yield",
        values=lambda rows: rows["unread"].isna().astype(float),
        remark="the share of people that were read says nothing about bias",
    ),
    Rate(
        name="unread_share",
        values=lambda rows: rows["unread"].isna().astype(float),
        shares_of="unread",
        one_language=True,
        remark="the frequency of unread people says nothing about bias",
    ),
    PART(name="masculine_rate_by_entity", split_by="word", rows=of_frequent_words),
)


def rate_tables(rows: pd.DataFrame, _: Any = None) -> list[RateTable]:
    """Return the rates of the rows, whose people get the singular of their word and their number as a word."""
    words = {entity: singular(entity) for entity in rows["entity"].unique()}
    columns = ["language", "item", "role", "kind", "reading", "how", "unread"]  # texts are slow to copy
    people = rows[columns].assign(
        word=rows["entity"].map(words),
        people=rows["people"].astype(str),
        number=rows["plural"].map({True: "plural", False: "singular"}),
    )
    return [RateTable(people, RATES)]


def outcome_table(rows: pd.DataFrame, _: Any) -> pd.DataFrame:
    """Return the outcome of each person; a neutral word and two alternatives are outcomes of their own."""
    outcome = rows["reading"].where(rows["unread"].isna()).replace({"alternatives": NEUTRAL})
    words = {entity: singular(entity) for entity in rows["entity"].unique()}
    table = base_table(rows, rows["item"], wider=rows["entity"].map(words))
    return joined_outcomes(
        table, usable(rows, "source", rows["reading"].isin((MASCULINE, FEMININE))), open_outcomes(shares_of(outcome))
    )
