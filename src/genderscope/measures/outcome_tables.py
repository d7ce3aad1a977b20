"""Tables of outcomes for comparisons: one line per row of a run, with the columns that criteria refer to.

`unit` and `stratum` say which lines vary together and which are averaged first. Outcomes are 1, 0 or a share; NaN marks
a line that has no such outcome. A translation that avoids a gender, or offers both, has an outcome like any other.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from genderscope.grammar import foreign_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

MASCULINE, FEMININE, NEUTRAL = "masculine", "feminine", "neutral"
RIGHT, WRONG = "right", "wrong"
#: reasons for which an output is no translation; what a parser could not interpret is another matter
UNUSABLE = ("empty translation", "untranslated", "wrong language or script", "translation of another sentence")


#: one output for this many sources, and for this share of them, is no translation if it shows no gender
REPEATED, REPEATED_SHARE = 5, 0.08


def usable(rows: pd.DataFrame, source: str, shows_gender: "pd.Series[bool]") -> "pd.Series[float]":
    """Return 1 for an output that is a translation and 0 for one that is not; NaN where the service gave none.

    An output is no translation if it is empty, still English, in another language or, like a refusal, shows no gender
    and is the same for many sources.

    Args:
        rows: The rows of a run.
        source: The column with the source.
        shows_gender: Rows whose output shows somebody's gender.
    """
    can_use = (~rows["unread"].isin(UNUSABLE)).astype("float64")
    given = rows[rows["translation"].notna()]
    texts = given["translation"].astype(str).str.rpartition(" ||| ")[2]
    same = [given["language"], texts.str.strip().str.casefold()]
    sources = given[source].groupby(given["language"]).transform("nunique")
    least = (REPEATED_SHARE * sources).clip(lower=REPEATED)
    repeated = given[source].groupby(same).transform("nunique") >= least
    refused = repeated & ~shows_gender[given.index].astype(bool).groupby(same).transform("any")
    foreign = pd.Series(False, index=given.index)
    for language, language_texts in texts.groupby(given["language"]):
        foreign.loc[language_texts.index] = np.array(foreign_texts(list(language_texts), str(language)))
    can_use = can_use.mask((refused | foreign).reindex(rows.index, fill_value=False), 0.0)
    return can_use.where(rows["translation"].notna(), np.nan)


def joined_outcomes(table: pd.DataFrame, can_use: "pd.Series[float]", *outcomes: pd.DataFrame) -> pd.DataFrame:
    """Return the table with outcomes; an output that is no translation has none."""
    joined = table.assign(usable=can_use)
    for columns in outcomes:
        joined = joined.join(columns.where(can_use == 1))
    return joined


def base_table(
    rows: pd.DataFrame,
    unit: "pd.Series[Any]",
    stratum: "pd.Series[Any] | None" = None,
    weight: "pd.Series[float] | None" = None,
    **wider: "pd.Series[Any]",
) -> pd.DataFrame:
    """Return a table without outcomes: language, unit and stratum of each row, and the stratum's weight in means.

    `wider` are further columns: `wider`, the units that a comparison of models generalises over as well, or `members`
    for pairs of them, and `side` if they are sampled on two sides.
    """
    return pd.DataFrame(
        {
            "language": rows["language"].astype(str) if "language" in rows else "",
            "unit": unit.astype(str),
            "stratum": "" if stratum is None else stratum.astype(str),
            "weight": 1.0 if weight is None else weight,
            **{name: column.astype(str) for name, column in wider.items()},
        },
        index=rows.index,
    )


def equal_sides(strata: "pd.Series[Any]", side: "pd.Series[bool]") -> "pd.Series[float]":
    """Return weights that give both sides of the stereotypes the same total weight, and each stratum an equal part."""
    counts = strata.groupby(side).transform("nunique")
    return 1 / counts.astype("float64")


def known_outcomes(
    outcome: "pd.Series[Any]",
    women: "pd.Series[bool]",
    men: "pd.Series[bool]",
    agreement: "pd.Series[Any] | None" = None,
    avoided: "pd.Series[bool] | None" = None,
) -> pd.DataFrame:
    """Return the columns for people whose gender is known.

    Args:
        outcome: right, wrong or neutral; missing if it could not be interpreted.
        women: Rows about women; `men` likewise.
        agreement: "pro" if the gender fits the stereotype, "anti" if it contradicts it.
        avoided: Rows without an outcome because their words happen to show no gender.
    """
    people = women | men
    present = outcome.isin((RIGHT, WRONG, NEUTRAL)) & people
    silent = (pd.Series(False, index=outcome.index) if avoided is None else avoided.fillna(False)) & people
    right, wrong, neutral = (
        outcome.eq(name).fillna(False).astype("float64").where(present) for name in (RIGHT, WRONG, NEUTRAL)
    )
    neutral = neutral.mask(silent, 1.0)
    columns = {"right_women": right.where(women), "right_men": right.where(men), "wrong": wrong.mask(silent, 0.0)}
    columns |= {"gender_shown": 1 - neutral, "gender_avoided": neutral}
    if agreement is not None:
        columns |= {f"right_{side}": right.where(agreement.eq(side).fillna(False)) for side in ("pro", "anti")}
    return pd.DataFrame(columns)


def open_outcomes(
    shares: pd.DataFrame, male: "pd.Series[bool] | None" = None, female: "pd.Series[bool] | None" = None
) -> pd.DataFrame:
    """Return the columns for people whose gender is open, from shares of masculine, feminine and neutral outcomes.

    Args:
        shares: The columns masculine, feminine and neutral; NaN if the outcome could not be interpreted.
        male: Rows that a stereotype connects with men; `female` likewise.
    """
    men, women = shares[MASCULINE], shares[FEMININE]
    columns = {"lean": men - women, MASCULINE: men, FEMININE: women, NEUTRAL: shares[NEUTRAL]}
    if male is not None and female is not None:
        labelled = male | female
        columns |= {"labelled_men": men.where(labelled), "labelled_women": women.where(labelled)}
        columns["follows"] = men.where(male, women).where(labelled)
        columns["opposes"] = women.where(male, men).where(labelled)
    return pd.DataFrame(columns)


def shares_of(outcome: "pd.Series[Any]", names: "Sequence[str]" = (MASCULINE, FEMININE, NEUTRAL)) -> pd.DataFrame:
    """Return single outcomes as shares of 0 and 1; NaN for any other outcome."""
    is_outcome = outcome.isin(names)
    columns = {
        column: outcome.eq(name).fillna(False).astype("float64").where(is_outcome)
        for column, name in zip((MASCULINE, FEMININE, NEUTRAL), names, strict=True)
    }
    return pd.DataFrame(columns)
