"""The rates of WinoMT, computed from rows with the gender that each sentence shows and the one that was read.

    accuracy = share of people read with the gender of the pronoun          error = 1 - accuracy
    f1_gap (ΔG) = F1 of men - F1 of women
    stereotype_gap (ΔS) = accuracy of pro-stereotypical - accuracy of anti-stereotypical sentences
    masculine_default = share of women read as men - share of men read as women

By default, all of them cover what was read; for the stereotype gap, both versions of a sentence must have been read. As
published, a sentence that was not read counts as wrong.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pandas as pd

from genderscope.measures.base import Outcomes
from genderscope.measures.winomt.shares import GAP, SHARE, Sum, f1_of, gap_of, share_of
from genderscope.measures.winomt.unread_ranges import unread_range
from genderscope.samples.winomt import GENDERS, SOMEONE, STEREOTYPES
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.paired_comparison import Resampled

MASCULINE, FEMININE, _ = GENDERS
BOTH = (MASCULINE, FEMININE)
#: reading of an unread sentence as published
UNKNOWN = "unknown"
HEADLINE = ("f1_gap", "stereotype_gap")
#: columns that the rates need; longer texts would slow down every selection of rows
COLUMNS = (
    *("number", "language", "item", "twin", "entity", "other", "pair", "gender", "stereotype"),
    *("reading", "other_reading", "pronoun", "unread"),
)
NO_NEUTRAL = {
    "accuracy": "an accuracy has no neutral point; 1 means always right",
    "accuracy_by_occupation": "an accuracy has no neutral point; 1 means always right",
    "f1": "an F1 has no neutral point; 1 means always right",
    "pronoun_conflict": "the frequency of conflicting pronouns says nothing about bias",
    "yield": "the frequency of gendered words says nothing about bias",
    "unread_share": "the frequency of unread translations says nothing about bias",
}


class WinoMtRates:
    """All estimates of the measure; the language None stands for the mean across languages."""

    def __init__(self, rows: pd.DataFrame, as_published: bool = False) -> None:
        self.rows = with_right(rows, as_published)
        self.as_published = as_published
        self.languages = sorted(rows["language"].unique())

    def estimates(self) -> list[Estimate]:
        """Return all estimates, starting with the means across languages if there are several."""
        found: list[Estimate] = []
        for language in self._spans():
            rows = self._of(language)
            found += [e.at(language=language) for e in self._of_language(rows)]
        whole = self._spans()[0] if self.languages else None
        return found + [e.at(language=whole) for e in _by_occupation(self.rows)]

    def resampled(self) -> Iterator[Resampled]:
        """Yield the headline estimates with the influence of each pair of people."""
        for language in self._spans():
            for estimate, gap in _headline(self._of(language), self.as_published):
                if gap is not None:
                    yield Resampled(estimate.at(language=language), gap.value, moved=gap.influence())

    def _spans(self) -> list[str | None]:
        return [None, *self.languages] if len(self.languages) > 1 else list(self.languages)

    def _of(self, language: str | None) -> pd.DataFrame:
        return self.rows if language is None else self.rows[self.rows["language"] == language]

    def _of_language(self, rows: pd.DataFrame) -> Iterator[Estimate]:
        yield from (estimate for estimate, _ in _headline(rows, self.as_published))
        error = _with_unread(_share("error", 1 - rows["right"], rows, 0.0), rows)
        yield from (error, _turned(error))
        for gender in GENDERS:
            mine = rows[rows["gender"] == gender]
            if len(mine):
                yield _share("accuracy", mine["right"], mine).at(group=gender)
        for stereotype in STEREOTYPES:
            mine = rows[rows["stereotype"] == stereotype]
            if len(mine):
                yield _share("accuracy", mine["right"], mine).at(subset=stereotype)
        read = int(rows["reading"].notna().sum())
        for gender in BOTH:
            yield _estimate("f1", f1_of(rows, gender), read, len(rows) - read).at(group=gender)
        yield _masculine_default(rows)
        other = rows[rows["other"] != ""]
        masculine = (other["other_reading"] == MASCULINE).astype(float).where(other["other_reading"].isin(BOTH))
        yield _share("other_masculine_rate", masculine, other, 0.5)
        shown = rows["reading"].isin(BOTH) & rows["pronoun"].isin(BOTH)
        yield _share("pronoun_conflict", (rows["reading"] != rows["pronoun"]).astype(float).where(shown), rows)
        yield _share("yield", rows["unread"].isna().astype(float), rows)
        for gender in GENDERS:
            mine = rows[rows["gender"] == gender]
            if len(mine):
                yield _share("yield", mine["unread"].isna().astype(float), mine).at(group=gender)
        if rows["language"].nunique() == 1:
            for reason in sorted(rows["unread"].dropna().unique()):
                unread = (rows["unread"] == reason).fillna(False).astype(float)
                yield _share("unread_share", unread, rows).at(group=str(reason))


def with_right(rows: pd.DataFrame, as_published: bool) -> pd.DataFrame:
    """Return the rows with a column `right`: 1, 0 or missing; as published, an unread sentence is wrong."""
    rows = rows[list(COLUMNS)].astype(object)
    reading = rows["reading"].where(rows["unread"].isna())
    if as_published:
        reading = reading.fillna(UNKNOWN)
    right = (reading == rows["gender"]).astype(float).where(reading.notna())
    return rows.assign(reading=reading, right=right)


def with_stereotype(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the pro- and anti-stereotypical rows that were read and, if they name a twin, whose twin was read too."""
    read = rows[rows["stereotype"].isin(STEREOTYPES) & rows["right"].notna()]
    # A comparison leaves out unread rows, so that only the name tells that a row has a twin.
    versions = read.groupby(["language", "twin"])["stereotype"].transform("nunique")
    return read[(read["twin"] == "") | (versions == len(STEREOTYPES))]


def resampled(rows: pd.DataFrame, options: Any) -> Iterator[Resampled]:
    """Yield the headline estimates with the influence of each pair of people."""
    return WinoMtRates(rows, options.as_published).resampled()


def outcomes(rows: pd.DataFrame, estimate: Estimate, options: Any) -> Outcomes:
    """Return 1 for outcomes that increase the estimate, 0 otherwise."""
    chosen = with_right(rows, options.as_published)
    if estimate.language is not None:
        chosen = chosen[chosen["language"] == estimate.language]
    if estimate.name == "stereotype_gap":
        chosen = chosen[chosen["stereotype"].isin(STEREOTYPES)] if options.as_published else with_stereotype(chosen)
        favoured = chosen["stereotype"] == STEREOTYPES[0]
    else:
        chosen = chosen[chosen["gender"].isin(BOTH) & chosen["right"].notna()]
        favoured = chosen["gender"] == MASCULINE
    return Outcomes(chosen["item"], chosen["right"].where(favoured, 1 - chosen["right"]), reach=2)


def _headline(rows: pd.DataFrame, as_published: bool) -> Iterator[tuple[Estimate, Sum | None]]:
    """Yield the F1 gap and, if there are stereotypes, the stereotype gap, each with its shares."""
    read = int(rows["right"].notna().sum())
    gap = gap_of(f1_of(rows, MASCULINE), f1_of(rows, FEMININE))
    yield _with_unread(_estimate(HEADLINE[0], gap, read, len(rows) - read, 0.0), rows), gap
    labelled = rows[rows["stereotype"].isin(STEREOTYPES)]
    if not len(labelled):
        return
    chosen = labelled if as_published else with_stereotype(labelled)
    sides = [chosen[chosen["stereotype"] == stereotype] for stereotype in STEREOTYPES]
    gap = gap_of(*(_over_all(side["right"], side, labelled) for side in sides))
    estimate = _estimate(HEADLINE[1], gap, len(chosen), len(labelled) - len(chosen), 0.0)
    yield _with_unread(estimate, labelled), gap


def _over_all(values: "pd.Series[float]", rows: pd.DataFrame, whole: pd.DataFrame) -> Sum | None:
    """Return a share, or None if one of the whole's languages is missing from the rows."""
    return share_of(values, rows) if set(rows["language"]) == set(whole["language"]) else None


def _masculine_default(rows: pd.DataFrame) -> Estimate:
    people = rows[rows["gender"].isin(BOTH)]
    sides = []
    for gender, read_as in ((FEMININE, MASCULINE), (MASCULINE, FEMININE)):
        mine = people[people["gender"] == gender]
        sides.append(share_of((mine["reading"] == read_as).astype(float).where(mine["right"].notna()), mine))
    n = int(people["right"].notna().sum())
    return _estimate("masculine_default", gap_of(*sides), n, len(people) - n, 0.0)


def _by_occupation(rows: pd.DataFrame) -> Iterator[Estimate]:
    """Yield the accuracy for each occupation, over all languages: of both genders, and of each."""
    for occupation, mine in rows[rows["entity"] != SOMEONE].groupby("entity"):
        for gender in (None, *BOTH):
            chosen = mine if gender is None else mine[mine["gender"] == gender]
            if len(chosen):
                share = _share("accuracy_by_occupation", chosen["right"], chosen)
                yield share.at(category=str(occupation), group=gender)


def _share(name: str, values: "pd.Series[float]", rows: pd.DataFrame, neutral: float | None = None) -> Estimate:
    """Return the proportion of values that are 1; missing values count as unread."""
    n = int(values.notna().sum())
    return _estimate(name, share_of(values, rows), n, len(values) - n, neutral)


def _estimate(name: str, found: Sum | None, n: int, unread: int, neutral: float | None = None) -> Estimate:
    method = GAP if found is not None and len(found.parts) > 1 else SHARE
    why = NO_NEUTRAL[name] if neutral is None else None
    blank = Estimate(name=name, n=n, unread=unread, neutral=neutral, method=method, remark=why)
    if found is None:
        reason = "nothing was read" if n == 0 else "a gender, stereotype or language has no sentence that was read"
        return replace(blank, remark=joined(reason, why))
    return found.in_estimate(blank, has_wide=name != "accuracy_by_occupation")


def _with_unread(estimate: Estimate, rows: pd.DataFrame) -> Estimate:
    """Add the range that a rate could take if one gender goes unread more often than the other."""
    if estimate.value is None or not rows["right"].isna().any():
        return estimate
    low, high = unread_range(estimate.name, estimate.value, rows)
    return replace(estimate, unread_low=low, unread_high=high)


def _turned(error: Estimate) -> Estimate:
    """Convert an error rate to an accuracy."""
    names = ("value", "low", "high", "wide_low", "wide_high", "unread_low", "unread_high")
    value, low, high, wide_low, wide_high, least, most = (
        None if (end := getattr(error, name)) is None else 1 - end for name in names
    )
    turned = error.within(value, None if low is None or high is None else (high, low), name="accuracy", neutral=None)
    remark = joined(error.remark, NO_NEUTRAL["accuracy"])
    turned = replace(turned, wide_low=wide_high, wide_high=wide_low, remark=remark)
    return replace(turned, unread_low=most, unread_high=least)
