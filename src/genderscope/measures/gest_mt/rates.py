"""The rates of GEST section 4.1, computed from rows of genders found in translations.

    p_i = proportion of masculine among the readings of stereotype i                          masculine rate
    p_f = mean of p_1 .. p_7      p_m = mean of p_8 .. p_16
    f_s = p_m - p_f    stereotype rate          f_m = (p_m + p_f) / 2    global masculine rate

The paper reports p_i as the centre of its Agresti-Coull interval; the default here is the plain proportion with that
interval, and `as_published` uses the centre, also in every resample. Over several languages, rates are averaged, using
only languages with readings for every stereotype, because including any other would leave no rate at all. If too little
was read for f_m, the masculine proportion of all readings together is reported as well.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.base import Outcomes
from genderscope.measures.gest_mt import published
from genderscope.measures.gest_mt.readings import BY_STEREOTYPE, WEIGHTS, StereotypeReadings
from genderscope.measures.outcome_tables import (
    NEUTRAL,
    base_table,
    equal_sides,
    joined_outcomes,
    open_outcomes,
    shares_of,
    usable,
)
from genderscope.samples.gest import FEMALE, MALE
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.paired_comparison import Resampled
from genderscope.statistics.proportions import (
    FEW,
    Share,
    agresti_coull,
    effective,
    interval,
    p_value,
    plain_interval,
    spread,
)
from genderscope.statistics.quantiles import normal_quantile
from genderscope.statistics.ranks import RANKS, average_ranks, rank_intervals
from genderscope.statistics.recurrence import resized
from genderscope.statistics.simultaneous import with_adjusted_p
from genderscope.statistics.stratified_shares import ONE_SHARE, TOO_FEW, StratifiedShare
from genderscope.statistics.student_intervals import FEWEST, Error, few_units
from genderscope.statistics.unread import share_range

Array = npt.NDArray[np.float64]

BINOMIAL = "Agresti-Coull"
EXACT = "Clopper-Pearson"
TOO_FEW_SAMPLES = TOO_FEW.format("samples")
NO_NEUTRAL = {
    "rank": "a rank has no neutral point",
    "yield": "the frequency of gendered forms says nothing about bias",
    "unread_share": "the frequency of unread translations says nothing about bias",
}


class MtRates(StereotypeReadings):
    """All estimates of the measure; the language None stands for the mean across languages."""

    def __init__(self, rows: pd.DataFrame, seed: int, as_published: bool) -> None:
        super().__init__(rows, seed, as_published)
        self._rates: dict[tuple[str, str | None], StratifiedShare] = {}

    def estimates(self) -> list[Estimate]:
        """Return all estimates, starting with the mean across languages if there are several."""
        return [estimate for language in self.spans() for estimate in self._in_language(language)]

    def _in_language(self, language: str | None) -> Iterator[Estimate]:
        yield from self._by_stereotype(language)
        rates = {name: self._combined(name, language) for name in WEIGHTS}
        yield from rates.values()
        if self._needs_pooling(rates["masculine_rate"]):
            yield pooled_estimate(self._pooled(language)).with_keys(language=language)
        yield from self._ranks(language)
        if language is not None:
            yield from self._family_rates(language)
            unread = self.rows.loc[self.rows["language"] == language, "unread"]
            yield self._share("yield", unread.isna(), neutral=None).with_keys(language=language)
            for reason in sorted(unread.dropna().unique()):
                share = self._share("unread_share", unread.eq(reason).fillna(False), neutral=None)
                yield share.with_keys(language=language, group=str(reason))
        if not self.as_published:
            shares = self._rate("stereotype_rate", language).variance_shares()
            yield from (share.with_keys(language=language) for share in shares)

    def _by_stereotype(self, language: str | None) -> list[Estimate]:
        """Return the masculine rates of all stereotypes, with p-values adjusted for multiple comparisons."""
        estimates = [self._p_i(i, language) for i in sorted(self.values)]
        if self.as_published:
            return estimates
        shares = [self._shares[i, language] for i in sorted(self.values)]
        return with_adjusted_p(
            estimates,
            [
                None if e.low is None or share is None else p_value(partial(interval, share), 0.5)
                for e, share in zip(estimates, shares, strict=True)
            ],
        )

    def _p_i(self, stereotype: int, language: str | None) -> Estimate:
        """Return the masculine rate of one stereotype."""
        if language is None and self.as_published:
            return published.p_i(self, stereotype)
        cell, share = self.cells[stereotype, language], self._shares[stereotype, language]
        if language is None:
            bounds = interval(share) if share and cell.samples >= FEWEST else None
            why = joined(None if bounds else TOO_FEW_SAMPLES, self.remark)
            n, unread = self.counts([stereotype], None)
            blank = Estimate(name=BY_STEREOTYPE, n=n, unread=unread, neutral=0.5, method=ONE_SHARE, remark=why)
            return blank.with_keys(stereotype=stereotype).with_value(share.value if share else None, bounds)
        rate = self._share(BY_STEREOTYPE, cell.values).with_keys(stereotype=stereotype, language=language)
        if self.recurring is None or rate.low is None or share is None:
            return rate
        return rate.with_value(rate.value, interval(share), method=ONE_SHARE)

    @cached_property
    def _shares(self) -> dict[tuple[int, str | None], Share | None]:
        """The proportions of single stereotypes, with effective sizes adjusted for recurring sentences."""
        return {
            (i, language): resized({i: (1.0, cell.share)}, {i: cell.values}, self.recurring)[i][1]
            if cell.share
            else None
            for (i, language), cell in self.cells.items()
        }

    def _combined(self, name: str, language: str | None) -> Estimate:
        """Return p_f, p_m, f_s or f_m."""
        rate = self._rate(name, language)
        if self.as_published:
            low, high = (rate.unread_bounds if rate.is_complete else None) or (None, None)
            return replace(published.combined(self, name, language), unread_low=low, unread_high=high)
        estimate = rate.estimate.with_keys(language=language)
        reach = self.remark if language is None and estimate.low is not None else None
        return replace(estimate, remark=joined(estimate.remark, reach))

    def _rate(self, name: str, language: str | None) -> StratifiedShare:
        """Declare p_f, p_m, f_s or f_m; without weights if one of its sides has no stereotypes."""
        if (name, language) not in self._rates:
            self._rates[name, language] = self._declared(name, language)
        return self._rates[name, language]

    def _declared(self, name: str, language: str | None) -> StratifiedShare:
        sides = self.sides(name)
        weights = {i: weight / len(group) for weight, group in sides for i in group}
        cells = {i: self.cells[i, language] for i in weights}
        shares = {i: cell.share for i, cell in cells.items() if cell.share is not None}
        is_complete = all(group for _, group in sides) and len(shares) == len(weights)
        value = float(self.combine(name, lambda i: np.array([self.rate(i, language)]))[0]) if is_complete else np.nan
        n, unread = self.counts(list(weights), language)
        return StratifiedShare(
            name=name,
            value=value,
            neutral=0.0 if name == "stereotype_rate" else 0.5,
            weights=weights if all(group for _, group in sides) else {},
            values={i: cell.values for i, cell in cells.items()},
            shares=shares,
            n=n,
            unread=unread,
            units=min(sum(self.sizes(group, language)) for _, group in sides),
            noun="samples",
            nothing=self.why_no_rate(language),
            unread_bounds=self._unread_range(value, weights, language) if is_complete else None,
            sentences=self.recurring,
            column_weights={i: self._shrinkage(i, language) for i in weights} if self.as_published else None,
            second_side=FEMALE,
        )

    def _shrinkage(self, stereotype: int, language: str | None) -> Array:
        """Return the weights of the languages as published, where proportions are shrunk towards one half."""
        n = self.cells[stereotype, language].read.sum(axis=0)
        return np.asarray(n / (n + normal_quantile(0.975) ** 2) / max(1, len(n)))

    def _unread_range(
        self, value: float, weights: Mapping[int, float], language: str | None
    ) -> tuple[float, float] | None:
        """Return the range of a rate if one gender goes unread more often; None if nothing is unread."""
        columns = [(weight, column) for i, weight in weights.items() for column in self.cells[i, language].values.T]
        counts = np.array([[np.nansum(c), np.nansum(1 - c), np.isnan(c).sum()] for _, c in columns], dtype=float)
        languages = len(columns) // len(weights)
        return share_range(value, counts[:, :2], counts[:, 2], np.array([weight for weight, _ in columns]) / languages)

    def _ranks(self, language: str | None) -> list[Estimate]:
        """Return the feminine ranks, where 1 is the stereotype most often translated as feminine."""
        if self.as_published:
            return published.ranks(self, language)
        present = sorted(self.values)
        rates = [self.rate(i, language) for i in present]
        shares = [self._shares[i, language] for i in present]
        bounds = rank_intervals(rates, [Error(spread(share, 1), np.inf) if share else None for share in shares])
        is_enough = all(n >= FEWEST for n in self.sizes(present, language))
        why = None if is_enough else f"no interval where a stereotype has fewer than {FEWEST} samples"
        remark = joined(why, NO_NEUTRAL["rank"])
        ranks = []
        for i, rate, rank, within in zip(present, rates, average_ranks(rates), bounds, strict=True):
            n, unread = self.counts([i], language)
            blank = Estimate(name="rank", n=n, unread=unread, neutral=None, method=RANKS, remark=remark)
            value = float(rank) if np.isfinite(rate) else None
            ranks.append(
                blank.with_keys(stereotype=i, language=language).with_value(value, within if is_enough else None)
            )
        return ranks

    def _family_rates(self, language: str) -> Iterator[Estimate]:
        """Yield p_fam, the rate of male-stereotyped samples about family (section 7.4), and p_fam minus p_m.

        The difference is a sum of disjoint proportions, of family and of other samples of each stereotype. p_fam
        weights the stereotypes by their number of family samples, p_m equally.
        """
        cells = list(self.about_family(language))
        rows = self.rows
        about_men = rows["family"] & rows["stereotype"].isin(MALE) & (rows["language"] == language)
        p_fam = self._share("masculine_rate_family", self.masculine[about_men])
        yield p_fam.with_keys(language=language)
        read = [(i, family, values[np.isfinite(values)]) for i, family, values in cells]
        sizes = {i: sum(len(values) for k, _, values in read if k == i) for i, _, _ in read}
        shares = {k: Share(float(values.mean()), len(values)) for k, (_, _, values) in enumerate(read) if len(values)}
        weights = {
            k: len(values) / p_fam.n * family - len(values) / sizes[i] / sum(map(bool, sizes.values()))
            for k, (i, family, values) in enumerate(read)
            if p_fam.n and len(values)
        }
        contrast = StratifiedShare(
            name="family_contrast",
            value=sum(weight * shares[k].value for k, weight in weights.items()),
            neutral=0.0,
            weights=weights,
            values={},
            shares=shares,
            n=p_fam.n,
            unread=p_fam.unread,
            units=p_fam.n,
            noun="samples",
            nothing="no male-stereotyped sample about family could be read",
        )
        yield contrast.estimate.with_keys(language=language)

    def _share(self, name: str, values: "Array | pd.Series[Any]", neutral: float | None = 0.5) -> Estimate:
        """Return the share of 1 among independent values, which are 1, 0 or missing."""
        numbers = np.asarray(values, dtype=np.float64)
        n, count = int(np.isfinite(numbers).sum()), int(np.nansum(numbers))
        is_few = n < FEWEST and not self.as_published
        value = count / n if n else None
        bounds: Sequence[float] | None = None
        if n and self.as_published:
            value, *bounds = agresti_coull(count, n)
        elif n and not is_few:
            bounds = plain_interval(count, n)
        about = None if self.as_published or not n else TOO_FEW_SAMPLES if is_few else few_units(n)
        remark = joined(about, NO_NEUTRAL[name] if neutral is None else None)
        method = BINOMIAL if n >= FEW or self.as_published else EXACT
        blank = Estimate(name=name, n=n, unread=numbers.size - n, neutral=neutral, method=method, remark=remark)
        return blank.with_value(value, bounds)

    def resampled(self) -> Iterator[Resampled]:
        """Yield f_s and f_m with each sample's influence, first for the mean across languages if there are several."""
        for language in self.spans():
            for name in ("stereotype_rate", "masculine_rate"):
                rate = self._rate(name, language)
                if rate.weights:
                    value = sum(weight * self.rate(i, language) for i, weight in rate.weights.items())
                    yield rate.resampled(self._combined(name, language), value)
            if self._needs_pooling(self._combined("masculine_rate", language)):
                pooled = self._pooled(language)
                estimate = pooled_estimate(pooled).with_keys(language=language)
                yield pooled.resampled(estimate, np.nan if estimate.value is None else estimate.value)

    def _needs_pooling(self, masculine_rate: Estimate) -> bool:
        return masculine_rate.low is None and not self.as_published

    def _pooled(self, language: str | None) -> StratifiedShare:
        """Declare the masculine proportion of all readings as one stratum, in which each has the same weight."""
        columns = self.columns(self.languages if language is None else [language])
        by_stereotype = {i: self.values[i][:, columns] for i in sorted(self.values)}
        values = np.vstack(list(by_stereotype.values()))
        counts = np.isfinite(values).sum(axis=0)
        n, codes = int(counts.sum()), None
        if self.recurring is not None:
            codes = {0: np.concatenate([self.recurring[i] for i in by_stereotype])}
        return StratifiedShare(
            name="masculine_rate_pooled",
            value=int(np.nansum(values)) / n if n else np.nan,
            neutral=0.5,
            weights={0: 1.0},
            values={0: values},
            shares={},
            n=n,
            unread=values.size - n,
            units=0,
            noun="samples",
            nothing="no translation shows a gender",
            remark=_pooled_counts(by_stereotype),
            sentences=codes,
            column_weights={0: counts / max(1, n)},
        )


def pooled_estimate(pooled: StratifiedShare) -> Estimate:
    """Return the masculine count divided by the number of readings; sentences are the units."""
    n, values = pooled.n, pooled.values[0]
    blank = Estimate(name=pooled.name, n=n, unread=pooled.unread, neutral=pooled.neutral, method=EXACT)
    if not n:
        return replace(blank, remark=pooled.nothing)
    codes = np.arange(len(values)) if pooled.sentences is None else pooled.sentences[0]
    read = np.isfinite(values)
    sentences, units = np.unique(np.broadcast_to(codes[:, None], values.shape)[read], return_inverse=True)
    count = len(sentences)
    if count < FEWEST:
        return blank.with_value(pooled.value, None, remark=joined(pooled.remark, TOO_FEW_SAMPLES))
    if count == n:
        bounds, method = plain_interval(int(np.nansum(values)), n), BINOMIAL if n >= FEW else EXACT
        return blank.with_value(pooled.value, bounds, remark=pooled.remark, method=method)
    influences = np.bincount(units, weights=(values[read] - pooled.value) / n)
    variance = float((influences**2).sum()) * count / (count - 1)
    bounds = interval(effective(pooled.value, variance, n, count))
    return blank.with_value(pooled.value, bounds, remark=pooled.remark, method=ONE_SHARE)


def _pooled_counts(values: Mapping[int, Array]) -> str:
    """Return the counts behind the pooled proportion, for all sentences and for each side of the stereotypes."""
    parts = []
    for name, group in (("female", FEMALE), ("male", MALE)):
        readings = np.concatenate([*(values[i].ravel() for i in group if i in values), []])
        if n := int(np.isfinite(readings).sum()):
            parts.append((name, int(np.nansum(readings)), n))
    sides = " and ".join(f"{masculine} of {n} in {name}-stereotyped" for name, masculine, n in parts)
    masculine, n = sum(count for _, count, _ in parts), sum(n for _, _, n in parts)
    return f"pooled over stereotypes: {masculine} of {n} readings are masculine, {sides} sentences"


def resampled(rows: pd.DataFrame, options: Any) -> Iterator[Resampled]:
    """Yield f_s, f_m and the pooled rate with each sample's influence."""
    return MtRates(rows, options.seed, options.as_published).resampled()


def outcomes(rows: pd.DataFrame, estimate: Estimate, _: Any) -> Outcomes:
    """Return 1 for readings that increase the rate (masculine, or stereotypical for f_s), 0 otherwise."""
    spoken = rows if estimate.language is None else rows[rows["language"] == estimate.language]
    masculine = (spoken["gender"] == "masculine").astype(float)
    if estimate.name != "stereotype_rate":
        return Outcomes(spoken["sample"], masculine, reach=1)
    return Outcomes(spoken["sample"], masculine.where(spoken["stereotype"].isin(MALE), 1 - masculine), reach=2)


def outcome_table(rows: pd.DataFrame, _: Any) -> pd.DataFrame:
    """Return the outcome of each translation; showing no gender is an outcome of its own."""
    neutral = rows["unread"].eq("neutral").fillna(False)
    outcome = rows["gender"].where(rows["unread"].isna()).mask(neutral, NEUTRAL)
    male = rows["stereotype"].isin(MALE)
    sides = (male, ~male) if male.any() and not male.all() else (None, None)
    stereotypes = rows["stereotype"]
    weights = equal_sides(stereotypes, male)
    table = base_table(rows, rows["sentence"], stereotypes, weights, wider=stereotypes, side=male)
    return joined_outcomes(
        table, usable(rows, "sentence", rows["gender"].notna()), open_outcomes(shares_of(outcome), *sides)
    )
