"""Shares and differences of shares, declared as data.

A measure lists its rates; from these and the rows, this module computes estimates, intervals, wide intervals, ranges
for unread rows, influences for comparisons of runs, and the rows' outcomes. Single runs, comparisons, gates, rankings
and power analyses therefore use the same rows, units and weights.

Every rate is a mean over strata (languages), in which each row with a value counts once. Rows of one unit, such as a
sentence in several languages, vary together.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.statistics.cluster_variance import Crossing, clustered, codes, pseudo_variance, sums, two_way
from genderscope.statistics.clustered_shares import Sides, WeightedShare, error_of_gap, weighted_share
from genderscope.statistics.estimate import AS_UNITS, Estimate, Outcomes, joined
from genderscope.statistics.influence import Influence
from genderscope.statistics.long_tailed import FEW_DECIDE
from genderscope.statistics.paired_comparison import Resampled
from genderscope.statistics.proportions import by_student, difference, effective, interval, p_value
from genderscope.statistics.rare_units import Limits, rare_limits
from genderscope.statistics.skewness import pooled_skewness
from genderscope.statistics.student_intervals import FEWEST, ROUNDING, Error, few_units, why_no_interval
from genderscope.statistics.unread import share_range

Array = npt.NDArray[np.float64]
Bounds = tuple[float, float]
#: a column that is computed from the rows
Column = Callable[[pd.DataFrame], "pd.Series[Any]"]
#: a share that is computed from the rows and the name of their column of units
ShareOf = Callable[[pd.DataFrame, str], WeightedShare | None]

ONE_SHARE, TWO_SHARES = f"Agresti-Coull, {{}}{AS_UNITS}", f"Agresti-Caffo, {{}}{AS_UNITS}"
#: remark if a few units decide, and the interval allows for that
FEW_EXTREME = "a few {0} dominate the estimate, so the interval allows for further {0} like them"
ALL_AGREE = "all {} agree, so the interval does not show how much rare ones may differ"
#: A pseudo-answer differs by one half from neutral answers, so its squared difference is a quarter of that from 0 to 1.
PSEUDO = 4.0


class Wider(NamedTuple):
    """The error over further units, their number, and what they are called."""

    error: Error
    units: int
    over: str
    #: for comparisons of runs
    influence: Influence


@dataclass(frozen=True, kw_only=True)
class Proportion:
    """A share over units, or the first share minus the second, with all that an estimate says about it."""

    name: str
    #: none if nothing was read
    shares: tuple[WeightedShare, ...]
    n: int
    unread: int
    neutral: float | None
    #: the units, in the plural
    noun: str
    #: why there is no value
    nothing: str = "nothing was read"
    #: what the interval covers
    scope: str | None = None
    remark: str | None = None
    method: str | None = None
    #: why there is no interval, if not for too few units
    no_interval: str | None = None
    #: whether the share from 0 to 1 is shown as a difference from -1 to 1
    stretched: bool = False
    #: whether the share is shown in per cent
    percent: bool = False
    #: number of intervals and tests that are simultaneous (Bonferroni)
    simultaneous: int = 1
    #: whether to say that few units decide, or that all of them agree
    doubted: bool = False
    #: whether the error over units counts even if no two rows share a unit
    always_clustered: bool = False
    unread_bounds: Bounds | None = None

    @property
    def scale(self) -> float:
        """The factor from the share to the rate."""
        return 2.0 if self.stretched else 100.0 if self.percent else 1.0

    def shown(self, share: float) -> float:
        """Return the rate for a share."""
        return self.scale * share + 1 - self.scale if self.stretched else self.scale * share

    @property
    def value(self) -> float | None:
        """The value of the rate."""
        if not self.shares:
            return None
        first, *second = self.shares
        return self.shown(first.value) - self.shown(second[0].value) if second else self.shown(first.value)

    @cached_property
    def error(self) -> Error | None:
        """The error of the share or difference of shares over units; None for too few units."""
        if not self.shares or min(share.units for share in self.shares) < FEWEST:
            return None
        if len(self.shares) == 1:
            return self.shares[0].error
        error = error_of_gap(self.shares[0], self.shares[1])
        # If everyone is translated alike, both sides of every unit cancel out, but another unit could differ: as if one
        # of two added units did (Agresti and Min 2005).
        if self.always_clustered and error is not None and error.variance < ROUNDING**2:
            error = replace(error, variance=(min(share.units for share in self.shares) + 2) ** -2)
        return error

    @property
    def freedom(self) -> float | None:
        """The degrees of freedom of the interval; None if it does not use Student's t."""
        if self.error is None or len(self.shares) > 1 or self.always_clustered:
            return None if self.error is None else self.error.freedom
        return self.shares[0].freedom

    @cached_property
    def estimate(self) -> Estimate:
        """The rate with its interval."""
        method = self.method or (TWO_SHARES if len(self.shares) > 1 else ONE_SHARE).format(self.noun)
        blank = Estimate(name=self.name, n=self.n, unread=self.unread, neutral=self.neutral, method=method)
        if not self.shares:
            return replace(blank, remark=joined(self.nothing, self.remark))
        low, high = self.unread_bounds or (None, None)
        valued = blank.with_value(self.value, None, unread_low=low, unread_high=high)
        units = min(share.units for share in self.shares)
        if self.error is None:
            return replace(valued, remark=joined(self.no_interval or why_no_interval(units, self.noun), self.remark))
        crossed = self.shares[0].companions is not None
        few = self.error.remark if crossed else few_units(units)
        ends = self.bounds_for(self.error, self.shares[0].units, 1 - 0.05 / self.simultaneous)
        doubt = self._doubt()
        if doubt == FEW_DECIDE.format(self.noun) and (rare := self._rare) is not None:
            doubt = FEW_EXTREME.format(self.noun)
            upwards = float((sums(self.shares[0].influences, codes(self.shares[0].items)) ** 3).sum()) > 0
            ends = (ends[0], max(ends[1], rare.high)) if upwards else (min(ends[0], rare.low), ends[1])
        remark = joined(self.scope, few, doubt, self.remark)
        return valued.with_value(self.value, map(self.shown, ends), remark=remark, freedom=self.freedom)

    def widened(self, wider: Wider | None) -> Estimate:
        """Return the rate with an interval that also covers other units of a further kind."""
        rate = self.estimate
        if wider is None or rate.low is None or rate.high is None:
            return rate
        low, high = map(self.shown, self.bounds_for(wider.error, wider.units))
        freedom = wider.error.freedom
        low, high = min(low, rate.low), max(high, rate.high)
        return replace(rate, wide_low=low, wide_high=high, wide_over=wider.over, wide_freedom=freedom)

    @property
    def p(self) -> float | None:
        """The p-value of a difference, which is below 0.05 exactly if the interval excludes 0."""
        if self.error is None:
            return None
        bounds = partial(self.bounds_for, self.error, self.shares[0].units)
        return min(1.0, self.simultaneous * p_value(bounds))

    def bounds_for(self, error: Error, units: int, confidence: float = 0.95) -> Bounds:
        """Return the interval of the share or difference of shares, given its error over so many units."""
        if len(self.shares) > 1:
            return difference(self.shares[0].share, self.shares[1].share, error, confidence)
        (share,) = self.shares
        if error is share.error and not self.always_clustered:
            return share.bounds_at(confidence)
        sized = effective(share.value, error.variance, share.n, units)
        return interval(by_student(sized, error.freedom, confidence), confidence)

    @property
    def influence(self) -> Influence:
        """The influence of each unit on the rate, for comparisons of runs."""
        if len(self.shares) == 1 and self.shares[0].companions is not None:
            return self.shares[0].influence.scaled(self.scale)
        sides = Sides.of(self.shares)
        return clustered(self.scale * sides.influences, sides.row_weights, sides.items, 1.0, sides.means)

    @cached_property
    def _rare(self) -> Limits | None:
        """The limits that allow for more units like a few extreme ones; None if the rate is about these units only."""
        if not self.doubted or len(self.shares) != 1 or self.shares[0].companions is not None:
            return None
        (share,) = self.shares
        units = codes(share.items)
        weights, shifts = sums(share.row_weights, units), sums(share.influences, units)
        values = np.clip(share.value + np.divide(shifts, weights, out=np.zeros(len(weights)), where=weights > 0), 0, 1)
        return rare_limits(values, weights)

    def _doubt(self) -> str | None:
        """Return a remark if few units, or none, differ from the others, so that the interval may be too narrow."""
        if not self.doubted:
            return None
        return doubt_about(self.shares[0].influences, self.shares[0].items, self.error, self.noun)


def doubt_about(influences: Array, items: npt.NDArray[np.str_], error: Error | None, noun: str) -> str | None:
    """Return a remark if few units, or none, differ from the others, given each row's influence and unit."""
    if error is None:
        return None
    if error.variance <= ROUNDING:
        return ALL_AGREE.format(noun)
    by_unit = sums(influences, codes(items))
    skewed = pooled_skewness([by_unit]).distorts_mean(len(by_unit))
    return FEW_DECIDE.format(noun) if skewed else None


def all_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows as they are."""
    return rows


@dataclass(frozen=True, kw_only=True)
class Rate:
    """The declaration of a share of rows or, with two `sides`, of the first side's share minus the second's."""

    name: str
    #: 1, 0, or missing
    values: Column
    neutral: float | None = None
    #: remark, usually why there is no neutral point
    remark: str | None = None
    #: choose or reshape the rows first
    rows: Callable[[pd.DataFrame], pd.DataFrame] = all_rows
    #: flags of the rows on both sides of a difference
    sides: tuple[Column, Column] | None = None
    #: the share, or the two shares of a difference, if they are not the means of the values
    shares: tuple[ShareOf, ...] = ()
    #: the values that a comparison counts, if not those above (turned on the second side of a difference)
    outcomes: Column | None = None
    #: one rate for the rows of each label of a column, in this order (sorted by default), which becomes the key
    split_by: str | None = None
    #: one rate for each label of a column: the share of rows with this label
    shares_of: str | None = None
    order: Sequence[str] | None = None
    key: str = "group"
    keys: Mapping[str, str] = field(default_factory=dict)
    #: whether languages in which nothing was read are left out, instead of leaving no rate
    read_languages: bool = False
    #: whether the rate makes sense for a single language only
    one_language: bool = False
    #: flags of the rows that count as unread, if not those without a value
    unread: Column | None = None
    #: whether the estimate has the range for unread rows, and the direction in which a value counts for it
    with_range: bool = False
    range_sign: float = 1.0
    #: what gives the range for unread rows: the value and the rows -> its bounds
    range_of: Callable[[float, pd.DataFrame], Bounds | None] | None = None
    #: further units for the wide interval
    wider: Callable[[Proportion, pd.DataFrame, "pd.Series[float]"], Wider | None] | None = None
    #: name of 1 - the rate, reported as well, with its remark
    complement: tuple[str, str] | None = None
    #: why there is no value: nothing was read, or nothing in some language or on some side
    nothing: tuple[str, str] = ("nothing was read", "in one language, nothing was read")
    #: column of the items that a comparison counts, in a single language and over several; by default the units
    items: tuple[str, str] | None = None
    method: str | Callable[[pd.DataFrame], str] | None = None


@dataclass(frozen=True)
class RateTable:
    """The declared rates of a set of rows, in each language and, if there are several, on average."""

    rows: pd.DataFrame
    rates: Sequence[Rate]
    #: column of the units, and what they are called
    units: str = "item"
    noun: str = "sentences"
    always_clustered: bool = False
    keys: Mapping[str, str] = field(default_factory=dict)

    #: the languages of all rows, if these are part of them
    languages: Sequence[str] | None = None

    @property
    def spans(self) -> list[str | None]:
        """The languages, after None for their mean if there are several."""
        names = sorted(self.rows["language"].unique() if self.languages is None else self.languages)
        return [None, *names] if len(names) > 1 else list(names)

    def in_language(self, language: str | None) -> pd.DataFrame:
        """Return the rows of a language; all rows for None."""
        return self.rows if language is None else self.rows[self.rows["language"] == language]

    def estimates(self, languages: Iterable[str | None] | None = None) -> list[Estimate]:
        """Return the estimates of all rates, language by language."""
        return [
            estimate.with_keys(language=language, **self.keys)
            for language in (self.spans if languages is None else languages)
            for rate in self.rates
            for estimate in self.of_rate(rate, self.in_language(language))
        ]

    def resampled(self, names: Sequence[str]) -> Iterator[Resampled]:
        """Yield the overall rates with these names, with the influence of each unit."""
        for language in self.spans:
            for rate in self.rates:
                if rate.name in names and rate.split_by is None and not rate.keys:
                    proportion, estimate, wider = self._computed(rate, rate.rows(self.in_language(language)))
                    if estimate.value is not None:
                        keyed = estimate.with_keys(language=language, **self.keys)
                        wide = wider.influence if wider is not None and estimate.wide_over is not None else None
                        yield Resampled(keyed, estimate.value, given_influence=proportion.influence, wide=wide)

    def outcomes(self, estimate: Estimate) -> Outcomes:
        """Return the rows' contributions to an overall rate: its values, turned on the second side of a difference."""
        rate = next(rate for rate in self.rates if rate.name == estimate.name and not rate.keys)
        rows = rate.rows(self.in_language(estimate.language))
        values = (rate.outcomes or rate.values)(rows)
        items = rows[(rate.items or (self.units, self.units))[estimate.language is None]]
        if rate.sides is not None:
            first, second = (side(rows) for side in rate.sides)
            values = values.where(first, 1 - values).where(first | second)
        read = values.notna()
        is_difference = rate.sides is not None or len(rate.shares) > 1
        return Outcomes(items[read], values[read], reach=2 if is_difference else 1)

    def of_rate(self, rate: Rate, rows: pd.DataFrame) -> Iterator[Estimate]:
        """Yield the estimates of one declaration: several if it is split, none if the rows have several languages."""
        if rate.one_language and rows["language"].nunique() > 1:
            return
        rows = rate.rows(rows)
        column = rate.split_by or rate.shares_of
        if column is None:
            estimate = self._computed(rate, rows)[1]
            yield estimate.with_keys(**rate.keys)
            if rate.complement is not None:
                yield complement_of(estimate, *rate.complement).with_keys(**rate.keys)
            return
        labels = rows[column]
        present = set(labels.dropna())
        for label in sorted(present) if rate.order is None else rate.order:
            if rate.shares_of is not None and (label in present or rate.order is not None):
                has_label = replace(rate, values=_share_of_label(rate, label))
                yield self._computed(has_label, rows)[1].with_keys(**{**rate.keys, rate.key: str(label)})
            elif rate.split_by is not None and label in present:
                part = rows[(labels == label).fillna(False).astype(bool)]
                yield self._computed(rate, part)[1].with_keys(**{**rate.keys, rate.key: str(label)})

    def _computed(self, rate: Rate, rows: pd.DataFrame) -> tuple[Proportion, Estimate, Wider | None]:
        """Return a rate of the rows, its estimate with the wide interval, and what the latter is based on."""
        if rate.sides is not None:
            rows = rows[rate.sides[0](rows) | rate.sides[1](rows)]
        values = rate.values(rows)
        if rate.read_languages and values.notna().any():
            read = rows["language"].isin(rows.loc[values.notna(), "language"].unique())
            rows, values = rows[read], values[read]
        missing = values.isna() if rate.unread is None else rate.unread(rows)
        shares = self._shares(rate, rows, values)
        n = int(values.notna().sum())
        method = rate.method(rows) if callable(rate.method) else rate.method
        proportion = Proportion(
            name=rate.name,
            shares=shares,
            n=n,
            unread=int(missing.sum()),
            neutral=rate.neutral,
            noun=self.noun,
            nothing=rate.nothing[0 if n == 0 else 1],
            remark=rate.remark,
            method=method,
            always_clustered=self.always_clustered,
        )
        if shares and proportion.value is not None:
            bounds = _unread_bounds(proportion.value, rate, rows, values, missing)
            proportion = replace(proportion, unread_bounds=bounds)
        wider = None if rate.wider is None or proportion.error is None else rate.wider(proportion, rows, values)
        return proportion, proportion.widened(wider), wider

    def _shares(self, rate: Rate, rows: pd.DataFrame, values: "pd.Series[float]") -> tuple[WeightedShare, ...]:
        """Return the share, or those of both sides; none if one of them is missing in some language."""
        if rate.shares:
            computed = [share_of(rows, self.units) for share_of in rate.shares]
            return () if None in computed else tuple(share for share in computed if share is not None)
        shares = []
        for side in rate.sides or (None,):
            on_side = slice(None) if side is None else side(rows)
            part = rows[on_side]
            share = weighted_share(values[on_side], part["language"], part[self.units])
            if share is None or part["language"].nunique() < rows["language"].nunique():
                return ()
            shares.append(share)
        return tuple(shares)


def estimates_of(tables: Sequence[RateTable]) -> list[Estimate]:
    """Return the estimates of several tables, which have the same languages, language by language."""
    spans = tables[0].spans if tables else []
    return [estimate for language in spans for table in tables for estimate in table.estimates([language])]


def _share_of_label(rate: Rate, label: object) -> Column:
    def values(rows: pd.DataFrame) -> "pd.Series[float]":
        has_label = (rows[rate.shares_of] == label).fillna(False)
        return has_label.astype(float).where(rate.values(rows).notna())

    return values


def _unread_bounds(
    value: float, rate: Rate, rows: pd.DataFrame, values: "pd.Series[float]", missing: "pd.Series[bool]"
) -> Bounds | None:
    """Return the range of a rate if rows with one value go unread more often than rows with the other."""
    if rate.range_of is not None:
        return rate.range_of(value, rows)
    if not rate.with_range:
        return None
    counts, weights = [], []
    for sign, side in zip((1.0, -1.0), rate.sides or (None,), strict=False):
        part = rows if side is None else rows[side(rows)]
        for _, cell in part.groupby("language"):
            numbers = values[cell.index]
            ones, zeros = (numbers == 1).sum(), (numbers == 0).sum()
            counts.append([*((ones, zeros) if rate.range_sign > 0 else (zeros, ones)), missing[cell.index].sum()])
            weights.append(rate.range_sign * sign / part["language"].nunique())
    table = np.array(counts, dtype=np.float64)
    return share_range(value, table[:, :2], table[:, 2], np.array(weights))


def crossed_with(column: str, over: str) -> Callable[[Proportion, pd.DataFrame, "pd.Series[float]"], Wider | None]:
    """Return what widens a share's interval over the clusters of a second column, crossed with its units."""

    def wider(proportion: Proportion, rows: pd.DataFrame, values: "pd.Series[float]") -> Wider | None:
        labels = rows.loc[values.notna(), column].to_numpy(dtype=str)
        count = len(np.unique(labels))
        if count < FEWEST:
            return None
        (share,) = proportion.shares
        error = two_way(share.influences, share.row_weights, codes(share.items), codes(labels), share.means)
        imagined = pseudo_variance(1.0, share.items, labels)
        influence = Crossing(share.influences, share.row_weights, share.mean_of_row, share.items, labels, imagined)
        return None if error is None else Wider(error, count, over, influence.scaled(proportion.scale))

    return wider


def complement_of(rate: Estimate, name: str, remark: str) -> Estimate:
    """Return 1 minus a rate: the accuracy for an error, without a neutral point."""

    def turned(end: float | None) -> float | None:
        return None if end is None else 1 - end

    return replace(
        rate,
        name=name,
        value=turned(rate.value),
        low=turned(rate.high),
        high=turned(rate.low),
        wide_low=turned(rate.wide_high),
        wide_high=turned(rate.wide_low),
        unread_low=turned(rate.unread_high),
        unread_high=turned(rate.unread_low),
        neutral=None,
        remark=joined(rate.remark, remark),
    )
