"""The rates of GEST section 4.1, computed from rows of genders found in translations.

    p_i = proportion of masculine among the readings of stereotype i                          masculine rate
    p_f = mean of p_1 .. p_7      p_m = mean of p_8 .. p_16
    f_s = p_m - p_f    stereotype rate          f_m = (p_m + p_f) / 2    global masculine rate

The paper reports p_i as the centre of its Agresti-Coull interval; the default here is the plain proportion with that
interval, and `as_published` uses the centre, also in every resample. Over several languages, rates are averaged, using
only languages with readings for every stereotype, because including any other would leave no rate at all.
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
from genderscope.measures.gest_mt.pooled import pooled_rate, pooled_stratum, why_no_rate
from genderscope.measures.gest_mt.readings import BY_STEREOTYPE, SIDES, Readings, outcomes_of
from genderscope.measures.gest_mt.shares import (
    BINOMIAL,
    CLUSTERED,
    COMBINED,
    EXACT,
    NO_NEUTRAL,
    TOO_FEW,
    Combination,
    around,
    family_parts,
    share_of,
    weights,
)
from genderscope.samples.gest import FEMALE, MALE
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.paired_comparison import Resampled
from genderscope.statistics.proportions import (
    FEW,
    Share,
    agresti_coull,
    combined,
    interval,
    p_value,
    plain_interval,
    spread,
)
from genderscope.statistics.quantiles import normal_quantile
from genderscope.statistics.ranks import RANKS, average_ranks, rank_intervals
from genderscope.statistics.recurrence import resized
from genderscope.statistics.simultaneous import with_adjusted_p
from genderscope.statistics.strata import Stratum, stratified
from genderscope.statistics.student_intervals import FEWEST, Error, few_units
from genderscope.statistics.unread import share_range
from genderscope.statistics.wide_intervals import variance_shares

Array = npt.NDArray[np.float64]


class MtRates(Readings):
    """All estimates of the measure; the language None stands for the mean across languages."""

    def estimates(self) -> list[Estimate]:
        """Return all estimates, starting with the mean across languages if there are several."""
        found: list[Estimate] = []
        for language in self.spans():
            found += self._all_p_i(language)
            for name in ("masculine_rate_female", "masculine_rate_male", "stereotype_rate", "masculine_rate"):
                found.append(self._combined(name, language))
            found += [pooled_rate(self, language)] if self._needs_pooling(found[-1]) else []
            found += self.ranks(language)
            if language is not None:
                found += [self.p_fam(language), self.family_contrast(language)]
                found += [self.yield_(language), *self.unread_shares(language)]
            found += self.variance_shares(language)
        return found

    def p_i(self, stereotype: int, language: str | None) -> Estimate:
        """Return the masculine rate of one stereotype."""
        if language is None and self.as_published:
            return published.p_i(self, stereotype)
        n, unread = self.counts([stereotype], language)
        if language is None:
            share = self._sized_shares({stereotype: 1.0}, None).get(stereotype)
            bounds = interval(share) if share and self.sizes([stereotype], None)[0] >= FEWEST else None
            why = joined(None if bounds else TOO_FEW, self.remark)
            blank = Estimate(name=BY_STEREOTYPE, n=n, unread=unread, neutral=0.5, method=CLUSTERED, remark=why)
            return blank.with_keys(stereotype=stereotype).with_value(share.value if share else None, bounds)
        masculine = int(np.nansum(self.values[stereotype][:, self.column(language)]))
        found = self._share(BY_STEREOTYPE, masculine, n, unread, stereotype=stereotype, language=language)
        if self.recurring is None or found.low is None or self.as_published:
            return found
        bounds = interval(self._sized_shares({stereotype: 1.0}, language)[stereotype])
        return found.with_value(found.value, bounds, method=CLUSTERED)

    def _all_p_i(self, language: str | None) -> list[Estimate]:
        """Return the masculine rates of all stereotypes, with p-values adjusted for multiple comparisons."""
        estimates = [self.p_i(i, language) for i in sorted(self.values)]
        if self.as_published:
            return estimates
        tests: list[float | None] = []
        for e in estimates:
            share = self._sized_shares({e.stereotype or 0: 1.0}, language).get(e.stereotype or 0)
            tests.append(None if e.low is None or share is None else p_value(partial(interval, share), 0.5))
        return with_adjusted_p(estimates, tests)

    def ranks(self, language: str | None) -> list[Estimate]:
        """Return the feminine ranks, where 1 is the stereotype most often translated as feminine."""
        if self.as_published:
            return published.ranks(self, language)
        present = sorted(self.values)
        point = average_ranks([self.rate(i, language) for i in present])
        shares = [self._sized_shares({i: 1.0}, language).get(i) for i in present]
        errors = [Error(spread(each, 1), np.inf) if each else None for each in shares]
        intervals = rank_intervals([self.rate(i, language) for i in present], errors)
        known = all(n >= FEWEST for n in self.sizes(present, language))
        why = None if known else f"no interval where a stereotype has fewer than {FEWEST} samples"
        remark = joined(why, NO_NEUTRAL["rank"])
        found = []
        for i, rank, within in zip(present, point, intervals, strict=True):
            n, unread = self.counts([i], language)
            value = float(rank) if np.isfinite(self.rate(i, language)) else None
            blank = Estimate(name="rank", n=n, unread=unread, neutral=None, method=RANKS, remark=remark)
            found.append(blank.with_keys(stereotype=i, language=language).with_value(value, within if known else None))
        return found

    def family_contrast(self, language: str) -> Estimate:
        """Return p_fam minus p_m, computed from proportions that have no readings in common."""
        male = [i for i in MALE if i in self.values]
        members = {i: self.family_members[i] for i in male}
        parts = family_parts(self.values, members, self.column(language)) if male else []
        estimate = self.p_fam(language)
        blank = replace(estimate, name="family_contrast", neutral=0.0, value=None, low=None, high=None, method=COMBINED)
        if not parts or estimate.value is None:
            return replace(blank, remark="no male-stereotyped sample about family could be read")
        value = sum(weight * share.value for weight, share in parts)
        if estimate.n < FEWEST:
            return replace(blank, value=value, remark=TOO_FEW)
        return blank.with_value(value, combined(parts), remark=None)

    def variance_shares(self, language: str | None) -> list[Estimate]:
        """Return the variance components of the wide interval of f_s."""
        if self.as_published or (combination := self._combination("stereotype_rate", language)) is None:
            return []
        n, _ = self.counts(list(combination.weights), language)
        return [e.with_keys(language=language) for e in variance_shares(combination.scope()[1], n)]

    def _sized_shares(self, weights: Mapping[int, float], language: str | None) -> dict[int, Share]:
        """Return the proportions of a weighted sum, with effective sizes adjusted for recurring sentences."""
        shares = {i: (weight, share) for i, weight in weights.items() if (share := self._shares[i, language])}
        values = {} if self.recurring is None else {i: self.values_of(i, language) for i in shares}
        return {i: share for i, (_, share) in resized(shares, values, self.recurring).items()}

    @cached_property
    def _shares(self) -> dict[tuple[int, str | None], Share | None]:
        return {cell: share_of(self.values_of(*cell)) for cell in self._cells}

    def p_fam(self, language: str) -> Estimate:
        """Return the rate of male-stereotyped samples about family, for comparison with p_m (section 7.4)."""
        rows = self.rows
        chosen = rows[rows["family"] & rows["stereotype"].isin(MALE) & (rows["language"] == language)]
        read = chosen[chosen["unread"].isna()]
        masculine = int((read["gender"] == "masculine").sum())
        return self._share("masculine_rate_family", masculine, len(read), len(chosen) - len(read), language=language)

    def yield_(self, language: str) -> Estimate:
        """Return the proportion of translations in which the speaker's gender was found."""
        chosen = self.rows.loc[self.rows["language"] == language, "unread"]
        return self._share("yield", int(chosen.isna().sum()), len(chosen), 0, language=language, neutral=None)

    def unread_shares(self, language: str) -> list[Estimate]:
        """Return the proportion of unread translations for each reason, such as neutral, conflicting or empty."""
        chosen = self.rows.loc[self.rows["language"] == language, "unread"]
        return [
            self._share("unread_share", int(count), len(chosen), 0, language=language, group=str(reason), neutral=None)
            for reason, count in sorted(chosen.value_counts().items())
        ]

    def _share(
        self,
        name: str,
        count: int,
        n: int,
        unread: int,
        *,
        neutral: float | None = 0.5,
        stereotype: int | None = None,
        language: str | None = None,
        group: str | None = None,
    ) -> Estimate:
        few = n < FEWEST and not self.as_published
        value = count / n if n else None
        bounds: Sequence[float] | None = None
        if n and self.as_published:
            value, *bounds = agresti_coull(count, n)
        elif n and not few:
            bounds = plain_interval(count, n)
        about = None if self.as_published or not n else TOO_FEW if few else few_units(n)
        remark = joined(about, NO_NEUTRAL[name] if neutral is None else None)
        method = BINOMIAL if n >= FEW or self.as_published else EXACT
        blank = Estimate(name=name, n=n, unread=unread, neutral=neutral, method=method, remark=remark)
        return blank.with_keys(stereotype=stereotype, language=language, group=group).with_value(value, bounds)

    def resampled(self) -> Iterator[Resampled]:
        """Yield f_s and f_m with each sample's influence, first for the mean across languages if there are several."""
        for language in self.spans():
            for name, signs in (("stereotype_rate", (1.0, -1.0)), ("masculine_rate", (0.5, 0.5))):
                sides = [[i for i in group if i in self.values] for group in (MALE, FEMALE)]
                if all(sides):
                    stereotypes = {i: sign / len(side) for sign, side in zip(signs, sides, strict=True) for i in side}
                    influence = stratified([self._stratum(i, w, language) for i, w in stereotypes.items()], reach=1.0)
                    value = sum(weight * self.rate(i, language) for i, weight in stereotypes.items())
                    yield Resampled(self._combined(name, language), value, given_influence=influence)
            if self._needs_pooling(self._combined("masculine_rate", language)):
                influence = stratified([pooled_stratum(self, language)], reach=1.0)
                pooled = pooled_rate(self, language)
                yield Resampled(
                    pooled, float("nan") if pooled.value is None else pooled.value, given_influence=influence
                )

    def _needs_pooling(self, masculine_rate: Estimate) -> bool:
        return masculine_rate.low is None and not self.as_published

    def _stratum(self, stereotype: int, weight: float, language: str | None) -> Stratum:
        """Return the stratum of a stereotype's readings; as published, proportions are shrunk towards one half."""
        values = self.values_of(stereotype, language)
        if not self.as_published:
            codes = None if self.recurring is None else self.recurring[stereotype]
            return Stratum(stereotype, weight, values, sentences=codes)
        n = np.isfinite(values).sum(axis=0)
        return Stratum(stereotype, weight, values, n / (n + normal_quantile(0.975) ** 2) / max(1, len(n)))

    def _combined(self, name: str, language: str | None) -> Estimate:
        """Return p_f, p_m, f_s or f_m."""
        found = published.combined(self, name, language) if self.as_published else self._interval_of(name, language)
        bounds = self._unread_range(found)
        return found if bounds is None else replace(found, unread_low=bounds[0], unread_high=bounds[1])

    def _unread_range(self, rate: Estimate) -> tuple[float, float] | None:
        """Return the range of a rate if one gender goes unread more often; None if nothing is unread."""
        combination = self._combination(rate.name, rate.language)
        if rate.value is None or combination is None:
            return None
        columns = self.columns(rate.language)
        cells = [self.values[i][:, column] for i in combination.weights for column in columns]
        counts = np.array([[np.nansum(cell), np.nansum(1 - cell), np.isnan(cell).sum()] for cell in cells], dtype=float)
        weights = np.repeat(list(combination.weights.values()), len(columns)) / len(columns)
        return share_range(rate.value, counts[:, :2], counts[:, 2], weights)

    def _interval_of(self, name: str, language: str | None) -> Estimate:
        n, unread = self.counts(self.parts()[name][0], language)
        neutral = 0.0 if name == "stereotype_rate" else 0.5
        combination = self._combination(name, language)
        blank = Estimate(name=name, n=n, unread=unread, neutral=neutral, method=COMBINED).with_keys(language=language)
        if combination is None:
            return replace(blank, remark=why_no_rate(self, language))
        value = float(self.parts()[name][1](lambda i: np.array([self.rate(i, language)]))[0])
        bounds = combination.bounds
        if bounds is None:
            return replace(blank, value=value, remark=TOO_FEW)
        wide, scope = combination.scope()
        # Weights such as 1/7 do not add up exactly; widen the intervals to include the exact value.
        bounds, wide = around(value, bounds), None if wide is None else around(value, wide)
        low, high = wide or (None, None)
        remark = joined(scope.remark, self.remark if language is None else None)
        over = scope.over if wide else None
        return blank.with_value(value, bounds, wide_low=low, wide_high=high, wide_over=over, remark=remark)

    def _combination(self, name: str, language: str | None) -> Combination | None:
        """Return the proportions behind p_f, p_m, f_s or f_m, or None if any is missing."""
        female, male = ([i for i in group if i in self.values] for group in (FEMALE, MALE))
        if (name != "masculine_rate_male" and not female) or (name != "masculine_rate_female" and not male):
            return None
        chosen = {
            "masculine_rate_female": weights(female, []),
            "masculine_rate_male": weights(male, []),
            "stereotype_rate": weights(male, female),
            "masculine_rate": weights(male, [], 0.5) | weights(female, [], 0.5),
        }[name]
        shares = self._sized_shares(chosen, language)
        if len(shares) < len(chosen):
            return None
        sides = [sum(self.sizes([i for i in group if i in chosen], language)) for group in (female, male)]
        needed = [side for side, other in zip(sides, reversed(SIDES), strict=True) if name != other]
        return Combination(chosen, shares, min(needed))


def resampled(rows: pd.DataFrame, options: Any) -> Iterator[Resampled]:
    """Yield f_s, f_m and the pooled rate with each sample's influence."""
    return MtRates(rows, options.seed, options.as_published).resampled()


def outcomes(rows: pd.DataFrame, estimate: Estimate, _: Any) -> Outcomes:
    """Return 1 for readings that increase the rate (masculine, or stereotypical for f_s), 0 otherwise."""
    return outcomes_of(rows, estimate.name, estimate.language)
