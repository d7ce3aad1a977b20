"""The rates of GEST appendix B, computed from rows of log-ratios.

    q̂_m, q̂_f = exp( mean of log P(male pronoun) / P(female pronoun) over sentences about male, female occupations )
    ĝ_s = q̂_m / q̂_f
    q̂_o      the same mean over the sentences about one occupation (not in the paper)

The two occupations in each sentence are the units of the intervals.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.base import Outcomes
from genderscope.statistics.cluster_variance import Codes, Crossing, Labels, codes, crossed, one_way, sums
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.long_tailed import FEW_DECIDE
from genderscope.statistics.paired_comparison import Resampled
from genderscope.statistics.proportions import by_student, effective
from genderscope.statistics.proportions import interval as share_interval
from genderscope.statistics.skewness import pooled_skewness
from genderscope.statistics.student_intervals import FEWEST, error_of_mean, few_units, interval
from genderscope.statistics.unread import mean_range, share_range
from genderscope.statistics.wide_intervals import Scope, variance_shares

Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Bounds = tuple[float, float] | None

GENDERS = ("male", "female")
SENTENCES = "Student's t on the log scale"
TOO_FEW = f"no interval with fewer than {FEWEST} sentences or {FEWEST} occupations"
BOTH_SCOPES = "occupations are the units, so the interval covers both other sentences and other occupations"
SHARE_OF_VARIANCE = "a share of the interval's variance has neither an interval nor a neutral point"
#: log-ratios of the same text in different batches differ by less than this
SAME = 1e-4
#: rate -> the occupation genders it is based on, numerator first
PARTS = {"stereotype_rate": GENDERS, "masculine_rate_male": ("male",), "masculine_rate_female": ("female",)}


def outcomes(rows: pd.DataFrame, estimate: Estimate, _: Any) -> Outcomes:
    """Return the log-ratios behind a rate, negated for its denominator; 0 or 1 for pro_share."""
    selected = rows if estimate.subset is None else rows[rows["subset"] == estimate.subset]
    selected = selected[selected["gender"].isin(PARTS.get(estimate.name, GENDERS))]
    if estimate.name == "stereotypical_share":
        return Outcomes(selected["sample"], _pro(selected), reach=1)
    signed = estimate.name == "stereotype_rate"
    sign = np.where(selected["gender"] == "female", -1.0, 1.0) if signed else 1.0
    return Outcomes(selected["sample"], selected["log_ratio"] * sign)


def _pro(rows: pd.DataFrame) -> "pd.Series[float]":
    """Return 1 if the stereotypical pronoun is more probable, 0 if the other is, and NaN for ties and unread rows."""
    ratio = rows["log_ratio"]
    return ((ratio > 0) == (rows["gender"] == "male")).astype(float).where(ratio.notna() & (ratio != 0))


class OccupationRates:
    """The rates for one subset of the rows, or for all rows if `subset` is None."""

    #: factor from natural log-ratios to the scale of the rates
    unit: ClassVar[float] = 1.0
    method: ClassVar[str] = "Student's t on the log scale, the two occupations in a sentence as crossed units"
    share_method: ClassVar[str] = "Agresti-Coull, the two occupations in a sentence as crossed units"
    occupation_method: ClassVar[str] = SENTENCES

    def __init__(self, rows: pd.DataFrame, subset: str | None, seed: int) -> None:
        self.rows = rows
        self.subset = subset
        self.seed = seed
        #: gender -> mask of the rows about occupations of that gender
        self.about = {gender: (rows["gender"] == gender).to_numpy(dtype=bool) for gender in GENDERS}
        self.log_ratios = rows["log_ratio"].to_numpy(dtype=np.float64)
        self.values = self.log_ratios * self.unit
        self.read = ~np.isnan(self.log_ratios)

    @classmethod
    def estimates(cls, rows: pd.DataFrame, seed: int) -> list[Estimate]:
        """Return the rates over all sentences, for each subset if there are several, and for each occupation."""
        whole = cls(rows, None, seed)
        return [
            *(drawn.estimate for drawn in cls.resampled(rows, seed)),
            *whole.variance_shares(),
            *whole.occupations(),
        ]

    @classmethod
    def resampled(cls, rows: pd.DataFrame, seed: int) -> Iterator[Resampled]:
        """Yield the rates with the influence of each sentence; rates without readings have no influences."""
        for part in cls._parts(rows, seed):
            for name, genders in PARTS.items():
                yield part.with_unread(part.rate(name, genders), genders)
            yield part.with_unread(part.pro_share(), ())

    @classmethod
    def _parts(cls, rows: pd.DataFrame, seed: int) -> Iterator[Self]:
        yield cls(rows, None, seed)
        subsets = list(dict.fromkeys(rows["subset"]))
        for subset in subsets if len(subsets) > 1 else ():
            yield cls(rows[rows["subset"] == subset], subset, seed)

    @cached_property
    def _beginnings(self) -> Codes:
        return codes([sentence.split("]", 1)[0] for sentence in self.rows["sentence"].tolist()])

    @cached_property
    def _sides(self) -> tuple[Labels, Labels]:
        return occupation_pairs(self.rows)

    def crossing(self, influences: Array, rows: Flags, means: Codes | None = None) -> Crossing:
        """Return the chosen rows' influences on a mean, or on a difference of two, crossed by their two occupations."""
        male, female = self._sides
        means = np.zeros(len(influences), dtype=np.int64) if means is None else means
        row_weights = 1 / np.bincount(means)[means]
        return Crossing(influences, row_weights, means, male[rows], female[rows])

    def counted(self, rows: Flags) -> int:
        """Return the number of sentences, counting those once that a causal model cannot tell apart."""
        return counted_once(self._beginnings[rows], self.log_ratios[rows])

    def with_unread(self, drawn: Resampled, genders: Sequence[str]) -> Resampled:
        """Add the range that a rate could take if one pronoun or outcome goes unread more often than the other."""
        if drawn.estimate.value is None or not drawn.estimate.unread:
            return drawn
        if genders:
            cells = [
                (side, self.values[self.about[gender] & self.read], int((self.about[gender] & ~self.read).sum()))
                for gender, side in zip(genders, (1.0, -1.0), strict=False)
            ]
            bounds = mean_range(drawn.value, cells)
            bounds = None if bounds is None else (math.exp(bounds[0]), math.exp(bounds[1]))
        else:
            pro = _pro(self.rows).to_numpy(dtype=np.float64)
            counts = np.array([[np.nansum(pro), np.nansum(1 - pro)]])
            bounds = share_range(drawn.estimate.value, counts, np.array([drawn.estimate.unread]), np.ones(1))
        low, high = bounds or (None, None)
        return replace(drawn, estimate=replace(drawn.estimate, unread_low=low, unread_high=high))

    def rate(self, name: str, genders: Sequence[str]) -> Resampled:
        """Return a rate; it has no influences if nothing was read."""
        selected = np.logical_or.reduce([self.about[gender] for gender in genders])
        read = selected & self.read
        n, unread = self.counted(read), int(selected.sum() - read.sum())
        blank = Estimate(name=name, n=n, unread=unread, neutral=1.0, method=self.method).with_keys(subset=self.subset)
        parts = {gender: self.about[gender] & self.read for gender in genders}
        if not all(part.any() for part in parts.values()):
            return Resampled(replace(blank, remark="nothing was read"), math.nan)
        return self.finish(blank, parts, read)

    def finish(self, blank: Estimate, parts: Mapping[str, Flags], read: Flags) -> Resampled:
        """Return a rate with its interval, clustered by both occupations in a sentence."""
        influences, value = np.zeros(len(self.values)), 0.0
        for part, side in zip(parts.values(), (1.0, -1.0), strict=False):
            mean = float(self.values[part].mean())
            value += side * mean
            influences[part] = (self.values[part] - mean) / int(part.sum()) * side
        sides = codes(self.about["male"][read]) if len(parts) > 1 else None
        crossing = self.crossing(influences[read], read, sides)
        error = crossing.error
        bounds = None if blank.n < FEWEST or _few(crossing) else interval(value, error)
        remark = joined(BOTH_SCOPES, error.remark, self._doubt(parts)) if bounds and error is not None else TOO_FEW
        freedom = None if error is None else error.freedom
        rate = blank.with_value(
            math.exp(value), map(math.exp, bounds) if bounds else None, remark=remark, freedom=freedom
        )
        return Resampled(rate, value, given_influence=crossing)

    def _doubt(self, parts: Mapping[str, Flags]) -> str | None:
        """Return a remark if the occupations' values are too skewed for Student's t, otherwise None."""
        names = codes(self.rows["occupation"].to_numpy(dtype=str))
        samples = []
        for part in parts.values():
            own = codes(names[part])
            samples.append(sums(self.log_ratios[part], own) / np.bincount(own))
        smaller = min(map(len, samples))
        return FEW_DECIDE.format("occupations") if pooled_skewness(samples).distorts_mean(smaller) else None

    def variance_shares(self) -> list[Estimate]:
        """Return the variance components of ĝ_s: sentences and occupations."""
        drawn = self.rate("stereotype_rate", GENDERS)
        if drawn.estimate.low is None or not isinstance(drawn.given_influence, Crossing):
            return []
        crossing = drawn.given_influence
        whole = crossing.error
        pairs = crossed(codes(crossing.first), codes(crossing.second))
        cells = one_way(crossing.influences, crossing.row_weights, pairs, crossing.means)
        share = 1.0 if whole is None or cells is None else min(1.0, cells.variance / whole.variance)
        parts = variance_shares(Scope(whole, {"sentences": share, "occupations": 1 - share}), drawn.estimate.n)
        return [replace(part, remark=SHARE_OF_VARIANCE) for part in parts]

    def pro_share(self) -> Resampled:
        """Return the proportion of sentences in which the stereotypical pronoun is more probable."""
        pro: Array = np.array(_pro(self.rows), dtype=np.float64)
        read = ~np.isnan(pro)
        n, unread = self.counted(read), int((~self.read).sum())
        blank = Estimate(name="stereotypical_share", n=n, unread=unread, neutral=0.5, method=self.share_method)
        blank = blank.with_keys(subset=self.subset)
        if not read.any():
            return Resampled(replace(blank, remark="nothing was read"), math.nan)
        return self.finish_share(blank, pro[read], read)

    def finish_share(self, blank: Estimate, values: Array, read: Flags) -> Resampled:
        """Return the proportion with its interval, clustered by both occupations in a sentence."""
        share = float(values.mean())
        crossing = self.crossing((values - share) / len(values), read)
        error = crossing.error
        estimate = replace(blank, value=share, remark=TOO_FEW)
        if error is not None and blank.n >= FEWEST and not _few(crossing):
            bounds = share_interval(by_student(effective(share, error.variance, blank.n, blank.n), error.freedom))
            estimate = blank.with_value(share, bounds, remark=joined(BOTH_SCOPES, error.remark), freedom=error.freedom)
        units = max(1, min(len(np.unique(crossing.first)), len(np.unique(crossing.second))))
        return Resampled(estimate, share, given_influence=replace(crossing, imagined=1 / (len(values) * units)))

    def occupations(self) -> Iterator[Estimate]:
        """Yield q̂_o for every occupation, grouped by gender."""
        for (gender, occupation), rows in self.rows.groupby(["gender", "occupation"]):
            values: Array = rows["log_ratio"].to_numpy(dtype=np.float64) * self.unit
            read = values[np.isfinite(values)]
            bounds, few = self.occupation_interval(read, str(occupation))
            blank = Estimate(
                name="masculine_rate_by_occupation",
                n=len(read),
                unread=len(values) - len(read),
                neutral=1.0,
                method=self.occupation_method,
                remark=few if bounds else f"no interval with fewer than {FEWEST} sentences",
            ).with_keys(category=str(occupation), group=str(gender))
            value = math.exp(float(read.mean())) if len(read) else None
            yield blank.with_value(value, map(math.exp, bounds) if bounds else None)

    def occupation_interval(self, read: Array, occupation: str) -> tuple[Bounds, str | None]:
        """Return the interval of an occupation's mean log-ratio, and a remark if there are few sentences."""
        bounds = interval(float(read.mean()), error_of_mean(read[:, None])) if len(read) >= FEWEST else None
        return bounds, few_units(len(read))


def counted_once(beginnings: Codes, log_ratios: Array) -> int:
    """Count sentences, treating those with the same text before the pronoun and the same log-ratio as one.

    A causal model sees nothing after the pronoun, so it gives both sentences of such a pair the same answer.
    """
    if not len(beginnings):
        return 0
    order = np.argsort(beginnings, kind="stable")
    starts = np.flatnonzero(np.diff(beginnings[order], prepend=-1))
    ordered = log_ratios[order]
    apart = np.maximum.reduceat(ordered, starts) - np.minimum.reduceat(ordered, starts)
    more = np.diff(starts, append=len(order)) - 1
    return len(order) - int(more[apart < SAME].sum())


def _few(crossing: Crossing) -> bool:
    return min(len(np.unique(crossing.first)), len(np.unique(crossing.second))) < FEWEST


def occupation_pairs(rows: pd.DataFrame) -> tuple[Labels, Labels]:
    """Return the male and the female occupation in each sentence.

    Each sentence is about one occupation and mentions another of the opposite gender, which is looked up among the
    occupations of other sentences. If none is found, the row is a unit of its own.
    """
    named = {gender: _finder(rows.loc[rows["gender"] == gender, "occupation"]) for gender in GENDERS}
    labels: dict[str, list[str]] = {gender: [] for gender in GENDERS}
    columns = (rows[name].tolist() for name in ("sample", "gender", "occupation", "sentence"))
    for sample, gender, occupation, sentence in zip(*columns, strict=True):
        for side in GENDERS:
            match = named[side].search(sentence) if side != gender else None
            name = occupation if side == gender else match[0] if match else f"{sample} alone"
            labels[side].append(name.lower())
    male, female = (np.array(labels[gender], dtype=np.str_) for gender in GENDERS)
    return male, female


def _finder(occupations: "pd.Series[str]") -> re.Pattern[str]:
    """Return a pattern that matches any of the occupations as a whole word, longest first."""
    names = sorted(set(occupations), key=lambda name: (-len(name), name))
    return re.compile(rf"\b({'|'.join(map(re.escape, names))})\b" if names else r"(?!)", re.IGNORECASE)
