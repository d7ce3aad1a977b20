"""The rates of GEST appendix B, computed from rows of log-ratios.

    q̂_m, q̂_f = exp( mean of log P(male pronoun) / P(female pronoun) over sentences about male, female occupations )
    ĝ_s = q̂_m / q̂_f
    q̂_o      the same mean over the sentences about one occupation (not in the paper)

The published values are exp of mean log10 ratios; `as_published` uses that scale and the paper's interval method.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.base import Outcomes, PublishedOptions
from genderscope.measures.gest.errors import variance_shares
from genderscope.measures.winobias.occupation_pairs import GENDERS, sides
from genderscope.statistics.bootstrap import NORMAL, normal_interval, resampled_means
from genderscope.statistics.cluster_variance import Codes, Crossing, Labels, codes, crossed, one_way, sums
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.influence import clustered
from genderscope.statistics.long_tailed import FEW_DECIDE, pooled_skewness
from genderscope.statistics.paired_comparison import Resampled
from genderscope.statistics.proportions import agresti_coull, by_student, effective
from genderscope.statistics.proportions import interval as share_interval
from genderscope.statistics.strata import Stratum, stratified
from genderscope.statistics.student_intervals import FEWEST, error_of_mean, few_units, interval
from genderscope.statistics.unread import mean_range, share_range
from genderscope.statistics.wide_intervals import Scope

Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

PUBLISHED_RESAMPLES = 1000
STUDENT = "Student's t on the log scale, the two occupations in a sentence as crossed units"
CLUSTERED = "Agresti-Coull, the two occupations in a sentence as crossed units"
SENTENCES = "Student's t on the log scale"
TOO_FEW = f"no interval with fewer than {FEWEST} sentences or {FEWEST} occupations"
BOTH_SCOPES = "occupations are the units, so the interval covers both other sentences and other occupations"
SHARE_OF_VARIANCE = "a share of the interval's variance has neither an interval nor a neutral point"
#: log-ratios of the same text in different batches differ by less than this
SAME = 1e-4
#: rate -> the occupation genders it is based on, numerator first
PARTS = {"stereotype_rate": GENDERS, "masculine_rate_male": ("male",), "masculine_rate_female": ("female",)}


def estimates(rows: pd.DataFrame, options: PublishedOptions) -> list[Estimate]:
    """Return the rates over all sentences and, if there are several subsets, for each subset."""
    found = [drawn.estimate for drawn in resampled(rows, options)]
    return found + _Rates(rows, None, options).variance_shares()


def resampled(rows: pd.DataFrame, options: PublishedOptions) -> Iterator[Resampled]:
    """Yield the rates of `estimates` with the influence of each sentence; rates without readings have no influences."""
    yield from _Rates(rows, None, options).all()
    subsets = list(dict.fromkeys(rows["subset"]))
    for subset in subsets if len(subsets) > 1 else ():
        yield from _Rates(rows[rows["subset"] == subset], subset, options).all()


def outcomes(rows: pd.DataFrame, estimate: Estimate, _: PublishedOptions) -> Outcomes:
    """Return the log-ratios behind a rate, negated for its denominator; 0 or 1 for pro_share."""
    chosen = rows if estimate.subset is None else rows[rows["subset"] == estimate.subset]
    chosen = chosen[chosen["gender"].isin(PARTS.get(estimate.name, GENDERS))]
    if estimate.name == "stereotypical_share":
        return Outcomes(chosen["sample"], _pro(chosen), reach=1)
    signed = estimate.name == "stereotype_rate"
    sign = np.where(chosen["gender"] == "female", -1.0, 1.0) if signed else 1.0
    return Outcomes(chosen["sample"], chosen["log_ratio"] * sign)


def _pro(rows: pd.DataFrame) -> "pd.Series[float]":
    """Return 1 if the stereotypical pronoun is more probable, 0 if the other is, and NaN for ties and unread rows."""
    ratio = rows["log_ratio"]
    return ((ratio > 0) == (rows["gender"] == "male")).astype(float).where(ratio.notna() & (ratio != 0))


class _Rates:
    """The rates for one subset of the rows, or for all rows if `subset` is None."""

    def __init__(self, rows: pd.DataFrame, subset: str | None, options: PublishedOptions) -> None:
        self.rows = rows
        self.subset = subset
        self.seed = options.seed
        self.as_published = options.as_published
        self.unit = 1 / math.log(10) if self.as_published else 1.0
        #: gender -> mask of the rows about occupations of that gender
        self.about = {gender: (rows["gender"] == gender).to_numpy(dtype=bool) for gender in GENDERS}
        self.log_ratios = rows["log_ratio"].to_numpy(dtype=np.float64)
        self.read = ~np.isnan(self.log_ratios)

    @cached_property
    def _beginnings(self) -> Codes:
        return codes([sentence.split("]", 1)[0] for sentence in self.rows["sentence"].tolist()])

    @cached_property
    def _sides(self) -> tuple[Labels, Labels]:
        return sides(self.rows)

    def _crossing(self, moved: Array, chosen: Flags) -> Crossing:
        """Return the chosen rows' influences on an estimate, crossed by their two occupations."""
        male, female = self._sides
        return Crossing(moved, male[chosen], female[chosen])

    def _counted(self, chosen: Flags) -> int:
        if self.as_published:
            return int(chosen.sum())
        return counted_once(self._beginnings[chosen], self.log_ratios[chosen])

    def all(self) -> Iterator[Resampled]:
        """Yield all rates."""
        for name, genders in PARTS.items():
            yield self._with_unread(self._rate(name, genders), genders)
        yield self._with_unread(self._pro_share(), ())

    def _with_unread(self, drawn: Resampled, genders: Sequence[str]) -> Resampled:
        """Add the range that a rate could take if one pronoun or outcome goes unread more often than the other."""
        if drawn.estimate.value is None or not drawn.estimate.unread:
            return drawn
        if genders:
            values = self.log_ratios * self.unit
            cells = [
                (side, values[self.about[gender] & self.read], int((self.about[gender] & ~self.read).sum()))
                for gender, side in zip(genders, (1.0, -1.0), strict=False)
            ]
            ends = mean_range(drawn.value, cells)
            ends = None if ends is None else (math.exp(ends[0]), math.exp(ends[1]))
        else:
            pro = _pro(self.rows).to_numpy(dtype=np.float64)
            counts = np.array([[np.nansum(pro), np.nansum(1 - pro)]])
            ends = share_range(drawn.estimate.value, counts, np.array([drawn.estimate.unread]), np.ones(1))
        low, high = ends or (None, None)
        return replace(drawn, estimate=replace(drawn.estimate, unread_low=low, unread_high=high))

    def _rate(self, name: str, genders: Sequence[str]) -> Resampled:
        chosen = np.logical_or.reduce([self.about[gender] for gender in genders])
        read = chosen & self.read
        unread = int(chosen.sum() - read.sum())
        method = NORMAL if self.as_published else STUDENT
        n = self._counted(read)
        blank = Estimate(name=name, n=n, unread=unread, neutral=1.0, method=method).at(subset=self.subset)
        parts = {gender: self.about[gender] & self.read for gender in genders}
        if not all(mine.any() for mine in parts.values()):
            return Resampled(replace(blank, remark="nothing was read"), math.nan)
        values = self.log_ratios * self.unit
        if self.as_published:
            return self._published(blank, {gender: values[mine] for gender, mine in parts.items()})
        moved, value = np.zeros(len(values)), 0.0
        for mine, side in zip(parts.values(), (1.0, -1.0), strict=False):
            mean = float(values[mine].mean())
            value += side * mean
            moved[mine] = (values[mine] - mean) / int(mine.sum()) * side
        found = self._clustered(blank, value, self._crossing(moved[read], read))
        doubt = None if found.estimate.low is None else self._doubt(parts)
        return replace(found, estimate=replace(found.estimate, remark=joined(found.estimate.remark, doubt)))

    def _doubt(self, parts: Mapping[str, Flags]) -> str | None:
        """Return a remark if the occupations' values are too skewed for Student's t, otherwise None."""
        names = codes(self.rows["occupation"].to_numpy(dtype=str))
        samples = []
        for mine in parts.values():
            own = codes(names[mine])
            samples.append(sums(self.log_ratios[mine], own) / np.bincount(own))
        smaller = min(len(each) for each in samples)
        return FEW_DECIDE.format("occupations") if pooled_skewness(samples).distorts_mean(smaller) else None

    def _published(self, blank: Estimate, parts: Mapping[str, Array]) -> Resampled:
        """Return a rate with the paper's interval: normal, from a bootstrap of sentences."""
        value, drawn = 0.0, np.zeros(PUBLISHED_RESAMPLES)
        for (gender, mine), side in zip(parts.items(), (1.0, -1.0), strict=False):
            value += side * float(mine.mean())
            generator = np.random.default_rng([self.seed, GENDERS.index(gender)])
            drawn += side * resampled_means(mine[:, None], generator, PUBLISHED_RESAMPLES)[:, 0]
        ends = normal_interval(drawn)
        found = blank.within(math.exp(value), map(math.exp, ends) if ends else None)
        strata = [
            Stratum(k, side, mine[:, None])
            for k, (mine, side) in enumerate(zip(parts.values(), (1.0, -1.0), strict=False))
        ]
        return Resampled(found, value, moved=stratified(strata))

    def _clustered(self, blank: Estimate, value: float, crossing: Crossing) -> Resampled:
        """Return a rate with its interval, clustered by both occupations in a sentence."""
        error = crossing.error
        ends = None if blank.n < FEWEST or _few(crossing) else interval(value, error)
        remark = joined(BOTH_SCOPES, error.remark) if ends and error is not None else TOO_FEW
        shown = map(math.exp, ends) if ends else None
        found = blank.within(math.exp(value), shown, remark=remark, freedom=None if error is None else error.freedom)
        return Resampled(found, value, moved=crossing)

    def variance_shares(self) -> list[Estimate]:
        """Return the variance components of ĝ_s: sentences and occupations."""
        drawn = self._rate("stereotype_rate", GENDERS)
        if self.as_published or drawn.estimate.low is None:
            return []
        values, male = self.log_ratios[self.read], self.about["male"][self.read]
        moved = np.where(male, values - values[male].mean(), values[~male].mean() - values)
        moved = moved / np.where(male, male.sum(), (~male).sum())
        crossing = self._crossing(moved, self.read)
        whole = crossing.error
        cells = one_way(moved, crossed(codes(crossing.first), codes(crossing.second)))
        share = 1.0 if whole is None or cells is None else min(1.0, cells.variance / whole.variance)
        parts = variance_shares(Scope(whole, {"sentences": share, "occupations": 1 - share}), drawn.estimate.n)
        return [replace(part, remark=SHARE_OF_VARIANCE) for part in parts]

    def _pro_share(self) -> Resampled:
        """Return the proportion of sentences in which the stereotypical pronoun is more probable."""
        pro = _pro(self.rows).to_numpy(dtype=np.float64)
        read = ~np.isnan(pro)
        values = pro[read]
        unread = int((~self.read).sum())
        n = self._counted(read)
        method = "Agresti-Coull" if self.as_published else CLUSTERED
        blank = Estimate(name="stereotypical_share", n=n, unread=unread, neutral=0.5, method=method).at(
            subset=self.subset
        )
        if not len(values):
            return Resampled(replace(blank, remark="nothing was read"), math.nan)
        share = float(values.mean())
        moved = (values - share) / len(values)
        crossing = self._crossing(moved, read)
        if self.as_published:
            each = clustered(moved, np.flatnonzero(read), reach=1.0)
            return Resampled(blank.within(share, agresti_coull(round(share * n), n)[1:]), share, moved=each)
        error = crossing.error
        found = replace(blank, value=share, remark=TOO_FEW)
        if error is not None and n >= FEWEST and not _few(crossing):
            ends = share_interval(by_student(effective(share, error.variance, n, n), error.freedom))
            found = blank.within(share, ends, remark=joined(BOTH_SCOPES, error.remark), freedom=error.freedom)
        occupations = max(1, min(len(np.unique(crossing.first)), len(np.unique(crossing.second))))
        return Resampled(found, share, moved=replace(crossing, imagined=1 / (len(values) * occupations)))


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


def occupations(rows: pd.DataFrame, options: PublishedOptions) -> Iterator[Estimate]:
    """Yield q̂_o for every occupation, grouped by gender."""
    as_published = options.as_published
    unit = 1 / math.log(10) if as_published else 1.0
    for (gender, occupation), mine in rows.groupby(["gender", "occupation"]):
        values: Array = mine["log_ratio"].to_numpy(dtype=np.float64) * unit
        read = values[np.isfinite(values)]
        ends = None
        if as_published and len(read):
            generator = np.random.default_rng([options.seed, *str(occupation).encode()])
            ends = normal_interval(resampled_means(read[:, None], generator)[:, 0])
        elif len(read) >= FEWEST:
            ends = interval(float(read.mean()), error_of_mean(read[:, None]))
        few = None if as_published else few_units(len(read))
        blank = Estimate(
            name="masculine_rate_by_occupation",
            n=len(read),
            unread=len(values) - len(read),
            neutral=1.0,
            method=NORMAL if as_published else SENTENCES,
            remark=few if ends else f"no interval with fewer than {FEWEST} sentences",
        ).at(category=str(occupation), group=str(gender))
        value = math.exp(float(read.mean())) if len(read) else None
        yield blank.within(value, map(math.exp, ends) if ends else None)
