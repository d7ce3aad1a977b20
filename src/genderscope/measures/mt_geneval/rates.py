"""The rates of MT-GenEval, computed from rows of versions whose gender is right or wrong.

    accuracy = proportion of segments with the right gender; for counterfactual segments, in both versions
    error = 1 - accuracy            gap = accuracy of masculine versions - accuracy of feminine ones

A counterfactual segment counts only if both versions were parsed: with one unread version, it would count if the other
is wrong but not if it is right, which would favour errors. As published, no version is unread.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.base import Outcomes
from genderscope.measures.mt_geneval.shares import SEGMENTS, UNITS, units_of
from genderscope.samples.mt_geneval import COUNTERFACTUAL, GENDERS, SUBSETS
from genderscope.statistics.clustered_shares import Weighed, error_of_gap, weighed
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.influence import Stratified, clustered
from genderscope.statistics.paired_comparison import Resampled
from genderscope.statistics.proportions import difference
from genderscope.statistics.student_intervals import FEWEST
from genderscope.statistics.unread import share_range

Array = npt.NDArray[np.float64]

ALONE = "Agresti-Coull over segments"
CLUSTERED = "Agresti-Coull, {} as units"
PAIRED = "Agresti-Caffo, {} as units"
TOO_FEW = f"no interval with fewer than {FEWEST} {{}}"
NO_NEUTRAL = {
    "accuracy": "an accuracy has no neutral point; 1 means always right",
    "yield": "the frequency of gendered words says nothing about bias",
    "mixed": "the frequency of mixed genders says nothing about bias",
    "unread_share": "the frequency of unread translations says nothing about bias",
}


class GenEvalRates:
    """All estimates of the measure; the language None stands for the mean across languages."""

    def __init__(self, rows: pd.DataFrame) -> None:
        wrong = (rows["reading"] == "wrong").astype(float).where(rows["unread"].isna())
        #: from here on, items are the units
        self.rows = rows.assign(wrong=wrong, item=units_of(rows))
        self.languages = sorted(rows["language"].unique())
        self.subsets = [subset for subset in SUBSETS if (rows["subset"] == subset).any()]

    def estimates(self) -> list[Estimate]:
        """Return all estimates, starting with the means across languages if there are several."""
        found: list[Estimate] = []
        for language in self._spans():
            for subset in self.subsets:
                rows = self._of(language, subset)
                found += [e.at(language=language, subset=subset) for e in self._of_subset(rows, subset)]
        return found

    def resampled(self) -> Iterator[Resampled]:
        """Yield the error rate and the gap with the influence of each segment."""
        for subset in self.subsets:
            for language in self._spans():
                rows = self._of(language, subset)
                for estimate in (_error(rows, subset), _gap(rows, UNITS.get(subset, SEGMENTS))):
                    if estimate.value is not None:
                        moved = _influence(rows, subset, estimate.name)
                        yield Resampled(estimate.at(language=language, subset=subset), estimate.value, moved=moved)

    def _spans(self) -> list[str | None]:
        return [None, *self.languages] if len(self.languages) > 1 else list(self.languages)

    def _of(self, language: str | None, subset: str) -> pd.DataFrame:
        rows = self.rows[self.rows["subset"] == subset]
        return rows if language is None else rows[rows["language"] == language]

    def _of_subset(self, rows: pd.DataFrame, subset: str) -> Iterator[Estimate]:
        error, units = _error(rows, subset), UNITS.get(subset, SEGMENTS)
        yield from (error, _turned(error))
        for gender in GENDERS:
            mine = rows[rows["gender"] == gender]
            yield _share("accuracy", 1 - mine["wrong"], mine, None, units).at(group=gender)
        yield _gap(rows, units)
        yield _share("yield", rows["wrong"].notna().astype(float), rows, None, units)
        for gender in GENDERS:
            mine = rows[rows["gender"] == gender]
            yield _share("yield", mine["wrong"].notna().astype(float), mine, None, units).at(group=gender)
        yield _share("mixed", rows["mixed"].astype(float).where(rows["wrong"].notna()), rows, None, units)
        if rows["language"].nunique() == 1:
            for reason in sorted(rows["unread"].dropna().unique()):
                silent = (rows["unread"] == reason).fillna(False).astype(float)
                yield _share("unread_share", silent, rows, None, units).at(group=str(reason))


def by_segment(rows: pd.DataFrame, subset: str) -> pd.DataFrame:
    """Return one row per segment: 1 if any version is wrong, 0 if none is, NaN if a version is unread."""
    if subset != COUNTERFACTUAL:
        return rows
    grouped = rows.groupby(["language", "segment"], sort=False)
    both = grouped["wrong"].count() == len(GENDERS)
    found = grouped["item"].first().to_frame().assign(wrong=grouped["wrong"].max().where(both))
    return found.reset_index()


def resampled(rows: pd.DataFrame, _: Any) -> Iterator[Resampled]:
    """Yield the error rate and the gap with the influence of each segment."""
    return GenEvalRates(rows).resampled()


def outcomes(rows: pd.DataFrame, estimate: Estimate, _: Any) -> Outcomes:
    """Return 1 for outcomes that increase the estimate, 0 otherwise."""
    subset = str(estimate.subset)
    chosen = rows[rows["subset"] == subset]
    chosen = chosen.assign(wrong=(chosen["reading"] == "wrong").astype(float))
    if estimate.language is not None:
        chosen = chosen[chosen["language"] == estimate.language]
    if estimate.name == "error":
        segments = by_segment(chosen, subset)
        segments = segments[segments["wrong"].notna()]
        # Identical English texts are separate segments, each with its own outcome.
        items = segments["item"] if estimate.language is None else segments["segment"]
        return Outcomes(items, segments["wrong"], reach=1)
    told = chosen[chosen["gender"].isin(GENDERS)]
    turned = told["wrong"].where(told["gender"] == GENDERS[1], 1 - told["wrong"])
    return Outcomes(told["item"], turned, reach=2)


def _influence(rows: pd.DataFrame, subset: str, name: str) -> Stratified:
    """Return each segment's influence, over all its languages and versions, on the error rate or the gap."""
    chosen = by_segment(rows, subset) if name == "error" else rows[rows["gender"].isin(GENDERS)]
    wrong = chosen["wrong"]
    by = [chosen["language"]] if name == "error" else [chosen["language"], chosen["gender"]]
    sign = 1.0 if name == "error" else np.where(chosen["gender"] == GENDERS[0], -1.0, 1.0)
    grouped = wrong.groupby(by)
    moved = sign * (wrong - grouped.transform("mean")) / grouped.transform("count") / chosen["language"].nunique()
    return clustered(moved.to_numpy(dtype=np.float64), chosen["item"].astype(str), reach=1.0)


def _error(rows: pd.DataFrame, subset: str) -> Estimate:
    segments = by_segment(rows, subset)
    return _with_unread(
        _share("error", segments["wrong"], segments, 0.0, UNITS.get(subset, SEGMENTS)), [(1.0, segments)]
    )


def _with_unread(rate: Estimate, sides: Sequence[tuple[float, pd.DataFrame]]) -> Estimate:
    """Add the range that a rate could take if wrong versions go unread more or less often than right ones.

    The rate is a weighted sum of the sides' proportions of wrong versions, each averaged across languages.
    """
    if rate.value is None:
        return rate
    cells = [
        (weight / side["language"].nunique(), wrong.to_numpy(dtype=np.float64))
        for weight, side in sides
        for _, wrong in side.groupby("language")["wrong"]
    ]
    counts = np.array([[np.nansum(wrong), np.nansum(1 - wrong), np.isnan(wrong).sum()] for _, wrong in cells])
    ends = share_range(rate.value, counts[:, :2], counts[:, 2], np.array([weight for weight, _ in cells]))
    return rate if ends is None else replace(rate, unread_low=ends[0], unread_high=ends[1])


def _turned(error: Estimate) -> Estimate:
    """Convert an error rate to an accuracy."""
    value, low, high = (None if end is None else 1 - end for end in (error.value, error.high, error.low))
    remark = joined(error.remark, NO_NEUTRAL["accuracy"])
    least, most = (None if end is None else 1 - end for end in (error.unread_high, error.unread_low))
    turned = replace(error, name="accuracy", value=value, low=low, high=high, neutral=None, remark=remark)
    return replace(turned, unread_low=least, unread_high=most)


def _gap(rows: pd.DataFrame, units: str) -> Estimate:
    told = rows[rows["gender"].isin(GENDERS)]
    sides = [_right(told[told["gender"] == gender]) for gender in GENDERS]
    n = int(told["wrong"].notna().sum())
    blank = Estimate(name="gap", n=n, unread=len(told) - n, neutral=0.0, method=PAIRED.format(units))
    masculine, feminine = sides
    if masculine is None or feminine is None:
        return replace(blank, remark="for one gender, no segment could be read")
    error = error_of_gap(masculine, feminine)
    ends = difference(masculine.share, feminine.share, error) if error else None
    value = masculine.value - feminine.value
    fewer = min((masculine, feminine), key=lambda side: side.units)
    remark = fewer.remark if ends else TOO_FEW.format(units)
    found = blank.within(value, ends, remark=remark, freedom=error.freedom if error else None)
    return _with_unread(
        found, [(sign, told[told["gender"] == g]) for sign, g in zip((-1.0, 1.0), GENDERS, strict=True)]
    )


def _right(rows: pd.DataFrame) -> Weighed | None:
    return weighed(1 - rows["wrong"], rows["language"], rows["item"])


def _share(name: str, values: "pd.Series[float]", rows: pd.DataFrame, neutral: float | None, units: str) -> Estimate:
    """Return the proportion of values that are 1; missing values count as unread."""
    found = weighed(values, rows["language"], rows["item"])
    n = int(values.notna().sum())
    method = CLUSTERED.format(units) if rows["item"].nunique() < len(rows) else ALONE
    blank = Estimate(name=name, n=n, unread=len(values) - n, neutral=neutral, method=method)
    why = NO_NEUTRAL[name] if neutral is None else None
    if found is None:
        return replace(
            blank, remark=joined("nothing was read" if n == 0 else "in one language, no segment could be read", why)
        )
    remark = joined(found.remark if found.ends else TOO_FEW.format(units), why)
    return blank.within(found.value, found.ends, remark=remark, freedom=found.freedom if found.ends else None)
