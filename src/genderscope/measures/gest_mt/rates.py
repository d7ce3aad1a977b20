"""The rates of GEST section 4.1, from rows of genders read in translations.

    p_i = share of masculine among the readings of stereotype i                          masculine rate
    p_f = mean of p_1 .. p_7      p_m = mean of p_8 .. p_16
    f_s = p_m - p_f    stereotype rate          f_m = (p_m + p_f) / 2    global masculine rate

Published: p_i is the centre of its Agresti-Coull interval, here the plain share with that interval; `as_published`
gives the centre, in every resample too. Over several languages, rates are the means of the languages' rates: of those
that were read for every stereotype, since a language that was not would otherwise leave nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

from genderscope.measures.base import Outcomes
from genderscope.measures.gest.errors import RANKS, variance_shares
from genderscope.measures.gest_mt.shares import (
    BINOMIAL,
    CLUSTERED,
    COMBINED,
    NO_NEUTRAL,
    TOO_FEW,
    Combination,
    family_parts,
    share_interval,
    share_of,
    weights,
)
from genderscope.samples.gest import FEMALE, MALE
from genderscope.statistics.bootstrap import interval, resampled_means, resampled_sums
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.paired import Resampled
from genderscope.statistics.proportions import agresti_coull, centre, combined, margins, spread
from genderscope.statistics.ranks import rank_intervals
from genderscope.statistics.student import FEWEST, Error

Array = npt.NDArray[np.float64]

BOOTSTRAP = "bootstrap, expanded percentile"
ALIKE = "Agresti-Coull, combined"


class MtRates:
    """Every estimate of the measure. A language of None means the mean over the languages."""

    def __init__(self, rows: pd.DataFrame, seed: int, as_published: bool) -> None:
        self.rows = rows
        self.seed = seed
        self.as_published = as_published
        self.languages = sorted(rows["language"].unique())
        masculine = (rows["gender"] == "masculine").astype(float).where(rows["unread"].isna())
        wide = rows.assign(masculine=masculine).set_index(["stereotype", "sample", "language"])["masculine"]
        #: stereotype -> [samples, languages]: 1 masculine, 0 feminine, missing where unread
        self.values: dict[int, Array] = {
            int(str(key)): group.to_numpy(dtype=np.float64)
            for key, group in wide.unstack("language").groupby(level="stereotype")
        }
        read: list[npt.NDArray[np.bool_]] = [
            np.asarray(np.isfinite(values).any(axis=0)) for values in self.values.values()
        ]
        known = [columns for columns in read if columns.any()]
        #: the languages that a mean over languages is over
        self.spanned = [each for k, each in enumerate(self.languages) if all(columns[k] for columns in known)]

    def estimates(self) -> list[Estimate]:
        """Return all estimates, the mean over languages first where there are several."""
        found: list[Estimate] = []
        for language in self._spans():
            found += [self.p_i(i, language) for i in sorted(self.values)]
            for name in ("p_f", "p_m", "f_s", "f_m"):
                found.append(self._combined(name, language))
            found += self.ranks(language)
            if language is not None:
                found += [self.p_fam(language), self.family_contrast(language)]
                found += [self.yield_(language), *self.unread_shares(language)]
            found += self.variance_shares(language)
        return found

    def _spans(self) -> list[str | None]:
        return [None, *self.languages] if len(self.languages) > 1 else list(self.languages)

    def p_i(self, stereotype: int, language: str | None) -> Estimate:
        """The masculine rate of one stereotype."""
        n, unread = self._counts([stereotype], language)
        if language is None and not self.as_published:
            values = self._values(stereotype, None)
            share = share_of(values)
            ends = share_interval(share, int(np.isfinite(values).any(axis=1).sum())) if share else None
            low, high = ends or (None, None)
            value = share.value if share else None
            why = "; ".join(filter(None, (None if ends else TOO_FEW, self.remark))) or None
            return Estimate(
                name="p_i",
                value=value,
                low=low,
                high=high,
                n=n,
                unread=unread,
                neutral=0.5,
                method=CLUSTERED,
                remark=why,
            ).at(stereotype=stereotype)
        if language is None:
            replicates, sizes = self._replicates(stereotype, None), self._sizes([stereotype], None)
            return self._bootstrapped(
                "p_i", self._rate(stereotype, None), replicates, sizes, (n, unread), 0.5, stereotype
            )
        masculine = int(np.nansum(self.values[stereotype][:, self._column(language)]))
        return self._share("p_i", masculine, n, unread, stereotype=stereotype, language=language)

    def ranks(self, language: str | None) -> list[Estimate]:
        """Feminine ranks: 1 for the stereotype that is made feminine most often."""
        present = sorted(self.values)
        point = stats.rankdata([self._rate(i, language) for i in present])
        if not self.as_published:
            return self._rank_estimates(present, point, language)
        resampled = np.asarray(stats.rankdata([self._replicates(i, language) for i in present], axis=0))
        return [
            self._bootstrapped(
                "rank",
                float(point[k]),
                resampled[k],
                self._sizes([i], language),
                self._counts([i], language),
                None,
                i,
                language,
            )
            for k, i in enumerate(present)
        ]

    def _rank_estimates(self, present: Sequence[int], point: Array, language: str | None) -> list[Estimate]:
        shares = [share_of(self._values(i, language)) for i in present]
        errors = [Error(spread(each, 1), np.inf) if each else None for each in shares]
        ends = rank_intervals([self._rate(i, language) for i in present], errors)
        known = all(n >= FEWEST for n in self._sizes(present, language))
        why = "" if known else f"no interval where a stereotype has fewer than {FEWEST}; "
        remark = why + NO_NEUTRAL["rank"]
        found = []
        for i, rank, within in zip(present, point, ends, strict=True):
            low, high = within if within and known else (None, None)
            n, unread = self._counts([i], language)
            value = float(rank) if np.isfinite(self._rate(i, language)) else None
            found.append(
                Estimate(
                    name="rank",
                    value=value,
                    low=low,
                    high=high,
                    n=n,
                    unread=unread,
                    neutral=None,
                    method=RANKS,
                    remark=remark,
                ).at(stereotype=i, language=language)
            )
        return found

    def family_contrast(self, language: str) -> Estimate:
        """p_fam minus p_m, from shares that have no reading in common."""
        male = [i for i in MALE if i in self.values]
        parts = family_parts(self.values, {i: self._members[i] for i in male}, self._column(language)) if male else []
        estimate = self.p_fam(language)
        blank = replace(estimate, name="p_fam_contrast", neutral=0.0, value=None, low=None, high=None, method=COMBINED)
        if not parts or estimate.value is None:
            return replace(blank, remark="no male sample that was read speaks of family")
        value = sum(weight * share.value for weight, share in parts)
        if estimate.n < FEWEST:
            return replace(blank, value=value, remark=TOO_FEW)
        low, high = combined(parts)
        return replace(blank, value=value, low=low, high=high, remark=None)

    def variance_shares(self, language: str | None) -> list[Estimate]:
        """What the wide interval of f_s consists of."""
        if self.as_published or (combination := self._combination("f_s", language)) is None:
            return []
        n, _ = self._counts(list(combination.weights), language)
        return [e.at(language=language) for e in variance_shares(combination.scope()[1], n)]

    @cached_property
    def _members(self) -> dict[int, npt.NDArray[np.bool_]]:
        """Stereotype -> which of its samples speak of family."""
        first = self.rows.groupby(["stereotype", "sample"])["family"].first()
        return {int(str(i)): each.to_numpy(dtype=bool) for i, each in first.groupby(level="stereotype")}

    def p_fam(self, language: str) -> Estimate:
        """Topical-bias check (section 7.4): the rate of the male samples that speak of family; compare with p_m."""
        chosen = self.rows[
            self.rows["family"] & self.rows["stereotype"].isin(MALE) & (self.rows["language"] == language)
        ]
        read = chosen[chosen["unread"].isna()]
        masculine = int((read["gender"] == "masculine").sum())
        return self._share("p_fam", masculine, len(read), len(chosen) - len(read), language=language)

    def yield_(self, language: str) -> Estimate:
        """The share of translations in which the speaker's gender could be read."""
        chosen = self.rows.loc[self.rows["language"] == language, "unread"]
        return self._share("yield", int(chosen.isna().sum()), len(chosen), 0, language=language, neutral=None)

    def unread_shares(self, language: str) -> list[Estimate]:
        """What the others were: neutral, conflicting, empty, untranslated, in another language."""
        chosen = self.rows.loc[self.rows["language"] == language, "unread"]
        return [
            self._share("not_read", int(count), len(chosen), 0, language=language, group=str(reason), neutral=None)
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
        value, low, high = agresti_coull(count, n) if n else (None, None, None)
        few = n < FEWEST and not self.as_published
        if few:
            low = high = None
        if n and not self.as_published:
            value = count / n
        remark = "; ".join([*([TOO_FEW] if few else []), *([NO_NEUTRAL[name]] if neutral is None else [])]) or None
        return Estimate(
            name=name,
            value=value,
            low=low,
            high=high,
            n=n,
            unread=unread,
            neutral=neutral,
            method=BINOMIAL,
            remark=remark,
        ).at(stereotype=stereotype, language=language, group=group)

    def _bootstrapped(
        self,
        name: str,
        value: float,
        replicates: Array,
        sizes: Sequence[int],
        counts: tuple[int, int],
        neutral: float | None,
        stereotype: int | None = None,
        language: str | None = None,
    ) -> Estimate:
        low, high = interval(replicates, sizes) or (None, None)
        shown = value if np.isfinite(value) and counts[0] else None
        if shown is not None and low is not None and high is not None:
            low, high = min(low, shown), max(high, shown)  # percentiles of few resamples may pass the value by
        found = Estimate(
            name=name, value=shown, low=low, high=high, n=counts[0], unread=counts[1], neutral=neutral, method=BOOTSTRAP
        ).at(stereotype=stereotype, language=language)
        return replace(found, remark=self.remark) if language is None else found

    @property
    def remark(self) -> str | None:
        """Say which languages a mean over languages is without; None where it is over all of them."""
        unused = [each for each in self.languages if each not in self.spanned]
        if not unused:
            return None
        over = f"over {', '.join(self.spanned)}" if self.spanned else "missing"
        return f"{', '.join(unused)} could not be read for every stereotype, so the means over languages are {over}"

    def resampled(self) -> Iterator[Resampled]:
        """Yield f_s and f_m with their replicates, the mean over languages first where there are several."""
        for language in self._spans():
            for name in ("f_s", "f_m"):
                drawn = self._drawn(name, language)
                if drawn is not None:
                    yield Resampled(self._combined(name, language), *drawn)

    def _combined(self, name: str, language: str | None) -> Estimate:
        """p_f, p_m, f_s or f_m."""
        counts = self._counts(self._parts()[name][0], language)
        neutral = 0.0 if name == "f_s" else 0.5
        if not self.as_published:
            return self._combined_shares(name, counts, neutral, language)
        drawn = self._drawn(name, language)
        if drawn is None:
            return Estimate(name=name, n=counts[0], unread=counts[1], neutral=neutral, method=BOOTSTRAP).at(
                language=language
            )
        found = self._bootstrapped(name, *drawn, counts, neutral, language=language)
        if found.value is None or found.low is None or found.high is None:
            return found
        if found.low != found.high and not self._alike(self._parts()[name][0], language):
            return found
        below, above = self._all_alike(name, language)
        return replace(found, low=found.value - below, high=found.value + above, method=ALIKE)

    def _combined_shares(self, name: str, counts: tuple[int, int], neutral: float, language: str | None) -> Estimate:
        combination = self._combination(name, language)
        blank = Estimate(name=name, n=counts[0], unread=counts[1], neutral=neutral, method=COMBINED).at(
            language=language
        )
        if combination is None:
            why = self.remark if language is None else None
            return replace(blank, remark=why or "no readings of a stereotype that is needed")
        value = float(self._parts()[name][1](lambda i: np.array([self._rate(i, language)]))[0])
        ends = combination.ends
        if ends is None:
            return replace(blank, value=value, remark=TOO_FEW)
        wide, scope = combination.scope()
        # Weights such as 1/7 do not add up to the last bit; the value is exact and lies within.
        ends, wide = _around(value, ends), None if wide is None else _around(value, wide)
        low, high = wide or (None, None)
        found = replace(blank, value=value, low=ends[0], high=ends[1], wide_low=low, wide_high=high)
        remarks = (None if wide else scope.remark, self.remark if language is None else None)
        return replace(found, remark="; ".join(filter(None, remarks)) or None)

    def _combination(self, name: str, language: str | None) -> Combination | None:
        """The shares behind p_f, p_m, f_s or f_m; None where one is missing."""
        female, male = ([i for i in group if i in self.values] for group in (FEMALE, MALE))
        if (name != "p_m" and not female) or (name != "p_f" and not male):
            return None
        chosen = {
            "p_f": weights(female, []),
            "p_m": weights(male, []),
            "f_s": weights(male, female),
            "f_m": weights(male, [], 0.5) | weights(female, [], 0.5),
        }[name]
        shares = {i: share for i in chosen if (share := share_of(self._values(i, language))) is not None}
        if len(shares) < len(chosen):
            return None
        sides = [sum(self._sizes([i for i in group if i in chosen], language)) for group in (female, male)]
        return Combination(
            chosen, shares, min(side for side, group in zip(sides, ("p_m", "p_f"), strict=True) if name != group)
        )

    def _values(self, stereotype: int, language: str | None) -> Array:
        return self.values[stereotype][:, self._columns(language)]

    def _alike(self, stereotypes: Sequence[int], language: str | None) -> bool:
        """Tell whether all readings of every stereotype agree; as published the centres of resamples still vary."""
        return all(self._share_of(i, column) in {0.0, 1.0} for i in stereotypes for column in self._columns(language))

    def _all_alike(self, name: str, language: str | None) -> tuple[float, float]:
        """Where all readings of every stereotype agree, no resample differs: combine the intervals of their shares."""
        parts = self._parts()
        weights = {"p_f": (1.0, 0.0), "p_m": (0.0, 1.0), "f_s": (-1.0, 1.0), "f_m": (0.5, 0.5)}[name]
        shares = []
        for group, weight in zip(("p_f", "p_m"), weights, strict=True):
            stereotypes = parts[group][0] if weight else []
            for i, n in zip(stereotypes, self._sizes(stereotypes, language), strict=True):
                masculine = float(np.mean([self._share_of(i, column) for column in self._columns(language)]))
                shares.append((weight / len(stereotypes), round(masculine * n), n))
        return margins(shares, centred=self.as_published)

    def _parts(self) -> dict[str, tuple[list[int], Callable[[Callable[[int], Array]], Array]]]:
        """Rate -> the stereotypes it is about, and its formula from a stereotype's rates."""
        female, male = ([i for i in group if i in self.values] for group in (FEMALE, MALE))
        return {
            "p_f": (female, lambda rate: _mean(rate, female)),
            "p_m": (male, lambda rate: _mean(rate, male)),
            "f_s": ([*female, *male], lambda rate: _mean(rate, male) - _mean(rate, female)),
            "f_m": ([*female, *male], lambda rate: (_mean(rate, male) + _mean(rate, female)) / 2),
        }

    def _drawn(self, name: str, language: str | None) -> tuple[float, Array, list[int]] | None:
        """Value, replicates and sizes of the strata; None where there are no stereotypes of a kind that is needed."""
        parts = self._parts()
        stereotypes, formula = parts[name]
        if (name != "p_m" and not parts["p_f"][0]) or (name != "p_f" and not parts["p_m"][0]):
            return None
        value = float(formula(lambda i: np.array([self._rate(i, language)]))[0])
        return value, formula(lambda i: self._replicates(i, language)), self._sizes(stereotypes, language)

    def _column(self, language: str) -> int:
        return self.languages.index(language)

    def _columns(self, language: str | None) -> list[int]:
        """A language's column, or those that a mean over languages is over."""
        return [self._column(each) for each in (self.spanned if language is None else [language])]

    def _share_of(self, stereotype: int, column: int) -> float:
        values = self.values[stereotype][:, column]
        read = values[np.isfinite(values)]
        return float(read.mean()) if len(read) else float("nan")

    def _rate(self, stereotype: int, language: str | None) -> float:
        """The share of masculine, or the interval's centre as published; over languages their mean."""
        rates = []
        for column in self._columns(language):
            share, n = self._share_of(stereotype, column), int(np.isfinite(self.values[stereotype][:, column]).sum())
            rates.append(agresti_coull(round(share * n), n)[0] if self.as_published and n else share)
        return float(np.mean(rates)) if rates else float("nan")

    @cached_property
    def _resampled(self) -> dict[int, Array]:
        return {i: self._drawn_again(v, np.random.default_rng([self.seed, i])) for i, v in self.values.items()}

    def _drawn_again(self, values: Array, generator: np.random.Generator) -> Array:
        """Every resample's shares, or as published the centres of their intervals, by language."""
        if not self.as_published:
            return resampled_means(values, generator)
        present = np.isfinite(values)
        sums = resampled_sums(np.hstack([np.where(present, values, 0.0), present]), generator)
        masculine, read = np.hsplit(sums, 2)
        return centre(masculine, read)

    def _replicates(self, stereotype: int, language: str | None) -> Array:
        means = self._resampled[stereotype]
        chosen = means[:, self._columns(language)]
        return chosen.mean(axis=1) if chosen.shape[1] else np.full(len(means), np.nan)

    def _present(self, stereotype: int, language: str | None) -> npt.NDArray[np.bool_]:
        return np.isfinite(self.values[stereotype][:, self._columns(language)])

    def _counts(self, stereotypes: Sequence[int], language: str | None) -> tuple[int, int]:
        """Return the numbers of readings and of translations not read."""
        read = sum(int(self._present(i, language).sum()) for i in stereotypes)
        return read, sum(self._present(i, language).size for i in stereotypes) - read

    def _sizes(self, stereotypes: Sequence[int], language: str | None) -> list[int]:
        return [int(self._present(i, language).any(axis=1).sum()) for i in stereotypes]


def outcomes(rows: pd.DataFrame, name: str, language: str | None) -> Outcomes:
    """Return 1 for what adds to the rate and 0 for what does not: masculine, or for f_s as the stereotype has it."""
    chosen = rows if language is None else rows[rows["language"] == language]
    masculine = (chosen["gender"] == "masculine").astype(float)
    if name == "f_m":
        return Outcomes(chosen["sample"], masculine, reach=1)
    return Outcomes(chosen["sample"], masculine.where(chosen["stereotype"].isin(MALE), 1 - masculine), reach=2)


def _around(value: float, ends: tuple[float, float]) -> tuple[float, float]:
    """Return the ends, none of them beyond the value."""
    return min(ends[0], value), max(ends[1], value)


def _mean(rate: Callable[[int], Array], stereotypes: Sequence[int]) -> Array:
    mean: Array = np.mean([rate(i) for i in stereotypes], axis=0)
    return mean
