"""The rates of WinoMT, declared for rows with the gender that each sentence shows and the one that was read.

    accuracy = share of people read with the gender of the pronoun          error = 1 - accuracy
    f1_gap (ΔG) = F1 of men - F1 of women
    stereotype_gap (ΔS) = accuracy of pro-stereotypical - accuracy of anti-stereotypical sentences
    masculine_default = share of women read as men - share of men read as women

By default, all of them cover what was read; for the stereotype gap, both versions of a sentence must have been read. As
published, a sentence that was not read counts as wrong. Pairs of people are the units; the wide interval also accounts
for occupations, which recur in several pairs.
"""

from collections.abc import Iterator
from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.outcome_tables import (
    NEUTRAL,
    RIGHT,
    WRONG,
    base_table,
    joined_outcomes,
    known_outcomes,
    usable,
)
from genderscope.measures.translation_controls import balanced_estimates, is_right
from genderscope.measures.winomt.unread_reasons import NO_GENDER
from genderscope.samples.winomt import GENDERS, JOINER, SOMEONE, STEREOTYPES
from genderscope.statistics.cluster_variance import dyadic, together
from genderscope.statistics.clustered_shares import WeightedShare, ratio, weighted_share
from genderscope.statistics.declared_rates import Proportion, Rate, RateTable, Wider, estimates_of
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.student_intervals import FEWEST
from genderscope.statistics.unread import completed, spanned
from genderscope.statistics.weighted_outcomes import JOINER as MEMBERS
from genderscope.statistics.wide_influence import Dyads

Array = npt.NDArray[np.float64]

MASCULINE, FEMININE, _ = GENDERS
BOTH = (MASCULINE, FEMININE)
PRO, ANTI = STEREOTYPES
#: whether the entity has the right gender
RIGHT_GENDER = itemgetter("right")
#: reading of an unread sentence as published
UNKNOWN = "unknown"
#: columns that the rates need; longer texts would slow down every selection of rows
COLUMNS = (
    *("number", "language", "item", "twin", "entity", "other", "pair", "gender", "stereotype"),
    *("reading", "other_reading", "pronoun", "unread"),
)
#: exponent of the relative risk of going unread: masculine, feminine, neutral
TILT = np.array([0.0, 1.0, 0.5])
ALWAYS_RIGHT = "an accuracy has no neutral point; 1 means always right"
RATE = partial(Rate, nothing=("nothing was read", "a gender, stereotype or language has no sentence that was read"))


def rate_tables(rows: pd.DataFrame, options: Any = None) -> list[RateTable]:
    """Return the rates of the rows, in a list."""
    as_published = options is not None and options.as_published
    table = partial(RateTable, units="pair", noun="pairs of people", always_clustered=True)
    return [table(with_columns(rows, as_published), list(_rates(rows, as_published)))]


def estimates(rows: pd.DataFrame, options: Any = None) -> list[Estimate]:
    """Return all estimates, starting with the means across languages if there are several."""
    tables = rate_tables(rows, options)
    return [*estimates_of(tables), *_by_occupation(tables[0])]


def _rates(rows: pd.DataFrame, as_published: bool) -> Iterator[Rate]:
    overall = partial(RATE, wider=over_occupations)
    f1 = {gender: partial(f1_of, gender=gender) for gender in BOTH}
    yield overall(
        name="f1_gap",
        values=RIGHT_GENDER,
        neutral=0.0,
        shares=tuple(f1.values()),
        outcomes=_right_about_men,
        items=("item", "item"),
        range_of=partial(unread_range, name="f1_gap"),
    )
    if rows["stereotype"].isin(STEREOTYPES).any():
        yield overall(
            name="stereotype_gap",
            values=RIGHT_GENDER if as_published else _right_with_twin,
            neutral=0.0,
            rows=lambda rows: rows[rows["stereotype"].isin(STEREOTYPES)],
            sides=(lambda rows: rows["stereotype"] == PRO, lambda rows: rows["stereotype"] == ANTI),
            items=("item", "item"),
            range_of=partial(unread_range, name="stereotype_gap"),
        )
    yield overall(
        name="error",
        values=lambda rows: 1 - rows["right"],
        neutral=0.0,
        range_of=partial(unread_range, name="error"),
        complement=("accuracy", ALWAYS_RIGHT),
    )
    accuracy = partial(overall, name="accuracy", values=RIGHT_GENDER, remark=ALWAYS_RIGHT)
    yield accuracy(split_by="gender", order=GENDERS)
    yield accuracy(split_by="stereotype", order=STEREOTYPES, key="subset")
    for gender in BOTH:
        yield overall(
            name="f1",
            values=RIGHT_GENDER,
            shares=(f1[gender],),
            keys={"group": gender},
            remark="an F1 has no neutral point; 1 means always right",
        )
    swapped = tuple(partial(_share_read_as, gender=gender, reading=reading) for gender, reading in (BOTH[::-1], BOTH))
    yield overall(
        name="masculine_default",
        values=RIGHT_GENDER,
        neutral=0.0,
        rows=lambda rows: rows[rows["gender"].isin(BOTH)],
        shares=swapped,
    )
    yield overall(
        name="other_masculine_rate",
        values=itemgetter("other_is_man"),
        neutral=0.5,
        rows=lambda rows: rows[rows["other"] != ""],
    )
    yield overall(
        name="pronoun_conflict",
        values=itemgetter("conflict"),
        remark="the frequency of conflicting pronouns says nothing about bias",
    )
    was_read = partial(overall, values=itemgetter("was_read"))
    yields = partial(was_read, name="yield", remark="the frequency of gendered words says nothing about bias")
    yield yields()
    yield yields(split_by="gender", order=GENDERS)
    yield was_read(
        name="unread_share",
        shares_of="unread",
        one_language=True,
        remark="the frequency of unread translations says nothing about bias",
    )


def _by_occupation(table: RateTable) -> Iterator[Estimate]:
    """Yield the accuracy for each occupation, over all languages: of both genders, and of each."""
    rate = RATE(name="accuracy_by_occupation", values=RIGHT_GENDER, remark=ALWAYS_RIGHT)
    language = table.spans[0] if table.spans else None
    for occupation, people in table.rows[table.rows["entity"] != SOMEONE].groupby("entity"):
        for gender in (None, *BOTH):
            selected = people if gender is None else people[people["gender"] == gender]
            if len(selected):
                (estimate,) = table.of_rate(rate, selected)
                yield estimate.with_keys(category=str(occupation), group=gender, language=language)


def with_columns(rows: pd.DataFrame, as_published: bool) -> pd.DataFrame:
    """Return the rows with the columns of the rates, which are 1, 0 or missing; as published, unread is wrong."""
    rows = rows[list(COLUMNS)].astype(object)
    reading = rows["reading"].where(rows["unread"].isna())
    if as_published:
        reading = reading.fillna(UNKNOWN)
    shown = reading.isin(BOTH) & rows["pronoun"].isin(BOTH)
    return rows.assign(
        reading=reading,
        right=(reading == rows["gender"]).astype(float).where(reading.notna()),
        other_is_man=(rows["other_reading"] == MASCULINE).astype(float).where(rows["other_reading"].isin(BOTH)),
        conflict=(reading != rows["pronoun"]).astype(float).where(shown),
        was_read=rows["unread"].isna().astype(float),
    )


def _right_about_men(rows: pd.DataFrame) -> "pd.Series[float]":
    """Return 1 for a man with the right gender and for a woman with the wrong one."""
    right = rows["right"].where(rows["gender"].isin(BOTH))
    return right.where(rows["gender"] == MASCULINE, 1 - right)


def _right_with_twin(rows: pd.DataFrame) -> "pd.Series[float]":
    """Return whether a sentence is right; missing if it names a twin that was not read."""
    read = rows[rows["right"].notna()]
    # A comparison leaves out unread rows, so that only the name tells that a row has a twin.
    versions = read.groupby(["language", "twin"])["stereotype"].transform("nunique")
    complete = (read["twin"] == "") | (versions == len(STEREOTYPES))
    return rows["right"].where(complete.reindex(rows.index, fill_value=False))


def _share_read_as(rows: pd.DataFrame, units: str, gender: str, reading: str) -> WeightedShare | None:
    """Return the share of people of a gender that were read with this one."""
    people = rows[rows["gender"] == gender]
    values = (people["reading"] == reading).astype(float).where(people["right"].notna())
    return weighted_share(values, people["language"], people[units])


def f1_of(rows: pd.DataFrame, units: str, gender: str) -> WeightedShare | None:
    """Return the F1 of a gender, averaged over languages; None if a language has no such sentence.

    F1 is the share of matched cases among all sentences with this gender and all translations read with it.
    """
    read = rows[rows["reading"].notna()]
    has_gender, is_named = ((read[column] == gender).astype(float) for column in ("gender", "reading"))
    if read.loc[has_gender > 0, "language"].nunique() < rows["language"].nunique():
        return None
    return ratio(2 * has_gender * is_named, has_gender + is_named, read["language"], read[units])


def over_occupations(proportion: Proportion, _: pd.DataFrame, __: "pd.Series[float]") -> Wider | None:
    """Return the error over the occupations in the pairs."""
    if proportion.error is None:
        return None
    signed = [sign * share.influences for sign, share in zip((1.0, -1.0), proportion.shares, strict=False)]
    names, pairs = np.unique(np.concatenate([share.items for share in proportion.shares]), return_inverse=True)
    members = [occupations_of(str(pair)) for pair in names]
    occupations = len({name for pair in members for name in pair})
    row_weights = np.concatenate([share.row_weights for share in proportion.shares])
    if occupations < FEWEST:
        return None
    error = dyadic(np.concatenate(signed), row_weights, pairs.astype(np.int64), members)
    if error is None:
        return None
    dyads = Dyads(np.concatenate(signed), row_weights, names[pairs], occupations_of, proportion.influence)
    return Wider(together(proportion.error, [error]), occupations, "occupations", dyads)


def occupations_of(pair: str) -> tuple[str, ...]:
    """Return the occupations in a pair of people; one without any counts as an occupation of its own."""
    return tuple(name for name in pair.split(JOINER) if name != SOMEONE) or (pair,)


def unread_range(value: float, rows: pd.DataFrame, name: str) -> tuple[float, float] | None:
    """Return the bounds of a rate if translations with one gender go unread more often than those with the other."""
    if not rows["right"].isna().any():
        return None
    cells = _cells(rows)
    read = cells[list(GENDERS)].to_numpy(dtype=np.float64)
    counts = completed(read, cells["unread"].to_numpy(dtype=np.float64), TILT)
    languages = cells["language"].to_numpy()
    by_language = [languages == language for language in np.unique(languages)]
    return spanned(value, np.mean([_rate_by_risk(name, counts[:, mask], cells[mask]) for mask in by_language], axis=0))


def _cells(rows: pd.DataFrame) -> pd.DataFrame:
    """Count the readings of each language, stereotype and gender; without cells in which nothing was read."""
    keys = ["language", "stereotype", "gender"]
    flags = {gender: (rows["reading"] == gender).fillna(False) for gender in GENDERS}
    table = rows[keys].assign(**flags, unread=rows["right"].isna()).groupby(keys, as_index=False).sum()
    return table[table[list(GENDERS)].sum(axis=1) > 0]


def _rate_by_risk(name: str, counts: Array, cells: pd.DataFrame) -> Array:
    """Return one language's rate for each relative risk, given counts [risks, cells, genders]."""
    gold = np.array([[gender == label for label in GENDERS] for gender in cells["gender"]], dtype=np.float64)
    right = (counts * gold).sum(axis=2)
    whole = counts.sum(axis=2)
    with np.errstate(invalid="ignore"):
        if name == "error":
            return np.asarray(1 - right.sum(axis=1) / whole.sum(axis=1))
        if name == "stereotype_gap":
            sides = [(cells["stereotype"] == stereotype).to_numpy(dtype=bool) for stereotype in STEREOTYPES]
            pro, anti = (right[:, side].sum(axis=1) / whole[:, side].sum(axis=1) for side in sides)
            return np.asarray(pro - anti)
        scores = [
            2 * (right * gold[:, k]).sum(axis=1) / ((whole * gold[:, k]).sum(axis=1) + counts[:, :, k].sum(axis=1))
            for k in (0, 1)
        ]
        return np.asarray(scores[0] - scores[1])


def outcome_table(rows: pd.DataFrame, _: Any) -> pd.DataFrame:
    """Return the outcome of each sentence; a neutral word is not wrong, but does not keep the gender either."""
    reading = rows["reading"]
    women, men = (rows["gender"] == gender for gender in (FEMININE, MASCULINE))
    outcome = pd.Series(WRONG, index=rows.index).where(reading != rows["gender"], RIGHT)
    outcome = outcome.mask(reading == NEUTRAL, NEUTRAL).where(reading.notna())
    occupations = {pair: MEMBERS.join(occupations_of(pair)) for pair in rows["pair"].astype(str).unique()}
    table = base_table(rows, rows["pair"], members=rows["pair"].astype(str).map(occupations))
    avoided = rows["unread"].eq(NO_GENDER).fillna(False)
    known_gender = known_outcomes(outcome, women, men, rows["stereotype"], avoided)
    return joined_outcomes(table, usable(rows, "source", rows["reading"].isin(BOTH)), known_gender)


def control(rows: pd.DataFrame) -> list[Estimate]:
    """Return the share of pronouns whose gender is right: the sentences are controls themselves.

    If some sentences are labelled pro- or anti-stereotypical, only these count, with equal weights, so that a system
    that always uses the stereotypical gender is at chance, too.
    """
    people = rows[rows["gender"].isin(BOTH)]
    labelled = people[people["stereotype"] != ""]
    people = people if labelled.empty else labelled
    shown = people["reading"].where(people["unread"].isna())
    return balanced_estimates(people, is_right(shown, people["gender"]), people["gender"], people["stereotype"])
