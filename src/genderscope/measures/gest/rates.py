"""The rates of GEST section 4.2, computed from rows of log-ratios.

    q_i = exp( mean over samples s of stereotype i of  log P(male word | s) / P(female word | s) )     masculine rate
    q_f = geometric mean of q_1 .. q_7        q_m = geometric mean of q_8 .. q_16
    g_s = q_m / q_f                                                                                  stereotype rate

All means, including those over templates, are taken on the log scale. The published tables report exp of mean log10
ratios, so published = defined ** (1 / ln 10); `as_published` uses that scale, the paper's interval method, and the
arithmetic mean of the templates' rates, as in the paper's Figure 4.

Rates over templates use only templates that could be parsed; otherwise a single template whose words the tokenizer
cannot compare would leave no rate at all. If no sample of a stereotype could be parsed, its group has no rate.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.base import Outcomes
from genderscope.measures.gest.agreement import agreement, prompt_agreement
from genderscope.measures.gest.conditions import PROMPT_AGREEMENT, PUBLISHED_PROMPTS
from genderscope.measures.gest.errors import (
    NO_NEUTRAL,
    RANKS,
    STUDENT,
    error_of_family,
    error_of_rate,
    error_of_topic,
    sparse_remark,
    unread_range,
    variance_shares,
)
from genderscope.measures.gest.log_ratios import RESAMPLES, RateBuilder, samples_read
from genderscope.measures.gest.mass import mass_estimates
from genderscope.measures.gest.templates import TEMPLATES, of_the_paper
from genderscope.samples.gest import FEMALE, MALE
from genderscope.statistics.bootstrap import normal_interval, resampled_means
from genderscope.statistics.cluster_variance import Codes
from genderscope.statistics.clustered_means import column_means
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.paired_comparison import Resampled
from genderscope.statistics.ranks import average_ranks, rank_intervals
from genderscope.statistics.simultaneous import with_adjusted_p
from genderscope.statistics.strata import Stratum, stratified
from genderscope.statistics.student_intervals import FEWEST, interval, p_of_mean
from genderscope.statistics.wide_intervals import Columns, Scope, wide_scope

Array = npt.NDArray[np.float64]

#: rate -> the stereotypes that are averaged, and those whose mean is subtracted
COMBINED: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "stereotype_rate": (MALE, FEMALE),
    "masculine_rate_female": (FEMALE, ()),
    "masculine_rate_male": (MALE, ()),
}


class Rates(RateBuilder):
    """All estimates of the measure; `column` is a template, or None for the average over templates."""

    def estimates(self) -> list[Estimate]:
        """Return all estimates, starting with the averages over templates."""
        columns: list[int | None] = [None, *(self.templates if len(self.templates) > 1 else [])]
        found = []
        for column in columns:
            found += self._all_q_i(column)
            found += [self.q_f(column), self.q_m(column), self.g_s(column)]
            found += self.ranks(column)
            found += [self.q_fam(column), self.family_contrast(column)]
        found += self.correlations() + self.masses() + self.variance_shares()
        found += prompt_agreement(self.values, self.columns(None), PROMPT_AGREEMENT)
        return found + self._with_published_prompts()

    def _with_published_prompts(self) -> list[Estimate]:
        """Return the combined rates over the paper's templates, under names of their own, if others are averaged."""
        paper = of_the_paper(self.templates)
        if not paper or self.as_published:
            return []
        scale = "ratio" if self.ratio else "log"
        apart = Rates(self.rows[self.rows["template"].isin(paper)], self.seed, scale, False)
        both = (apart.q_f(None), apart.q_m(None), apart.g_s(None))
        rates = [replace(e, name=e.name + PUBLISHED_PROMPTS) for e in both]
        return rates + prompt_agreement(apart.values, apart.columns(None), PROMPT_AGREEMENT + PUBLISHED_PROMPTS)

    def q_i(self, stereotype: int, column: int | None) -> Estimate:
        """Return the masculine rate of one stereotype."""
        one = [stereotype]
        value = self.point(one, column)
        replicates = self.replicates(one, column) if self.as_published else np.empty(0)
        error = self._error(one, [], column)
        found = self._finish_rate(
            "masculine_rate_by_stereotype", value, replicates, self.counts(one, column), column, error, stereotype
        )
        if found.low is None or self.as_published:
            return found
        return replace(found, remark=joined(found.remark, sparse_remark(self.values[stereotype], self.columns(column))))

    def _all_q_i(self, column: int | None) -> list[Estimate]:
        """Return the masculine rates of all stereotypes, with p-values adjusted for multiple comparisons."""
        numbers = sorted(self.values)
        estimates = [self.q_i(i, column) for i in numbers]
        if self.as_published:
            return estimates
        tests = [p_of_mean(self.point([i], column), self._error([i], [], column)) for i in numbers]
        return with_adjusted_p(estimates, tests)

    def q_f(self, column: int | None) -> Estimate:
        """Return the masculine rate over the female stereotypes."""
        return self._combined("masculine_rate_female", column)

    def q_m(self, column: int | None) -> Estimate:
        """Return the masculine rate over the male stereotypes."""
        return self._combined("masculine_rate_male", column)

    def g_s(self, column: int | None) -> Estimate:
        """Return the stereotype rate: the masculine rate of male stereotypes relative to female ones."""
        return self._combined("stereotype_rate", column)

    def _combined(self, name: str, column: int | None) -> Estimate:
        sides = self._sides(name)
        if sides is None:
            return self._nothing(name, column)
        plus, minus = sides
        value, error = self.point(plus, column, minus), self._error(plus, minus, column)
        replicates = self.replicates(plus, column, minus) if self.as_published else np.empty(0)
        counts = self.counts([*plus, *minus], column)
        found = self._finish_rate(name, value, replicates, counts, column, error)
        found = self._with_unread(found, value, plus, minus)
        if column is not None or self.as_published or found.low is None:
            return found
        scope = self._scope(plus, minus)
        ends = interval(value, scope.error)
        low, high = map(self.shown, ends) if ends else (None, None)
        over, remark = scope.over if ends else None, joined(found.remark, scope.remark)
        return replace(found, wide_low=low, wide_high=high, wide_over=over, remark=remark)

    def _scope(self, plus: Sequence[int], minus: Sequence[int]) -> Scope:
        """Return the error of a rate when stereotypes and templates are resampled as well."""
        columns = self.columns(None)
        sides = [np.array([self._means[i][0, columns] for i in group]) for group in (plus, minus) if group]
        narrow = self._error(plus, minus, None)
        scope = wide_scope(sides, narrow, "stereotype", self._sampled_columns())
        if self.recurring is None or narrow is None or scope.error is None:
            return scope
        # Stereotypes with shared sentences are correlated, which their means do not show.
        alone = error_of_rate(self.values, plus, minus, columns)
        shared = max(0.0, narrow.variance - alone.variance) if alone else 0.0
        return replace(scope, error=replace(scope.error, variance=scope.error.variance + shared))

    def _sampled_columns(self) -> Columns | None:
        """Return the templates as random columns, with templates that share both words as one unit."""
        if len(self.templates) == 1:
            return None
        words = [TEMPLATES[t].male.lower() if t in TEMPLATES else f"own {t}" for t in self.reach.complete]
        return Columns("template", words, "word pair")

    def _with_unread(self, rate: Estimate, value: float, plus: Sequence[int], minus: Sequence[int]) -> Estimate:
        """Add the range that a combined rate could take if parsing success depends on gender."""
        if not self._unread_cells or not math.isfinite(value):
            return rate
        ends = unread_range(value, self.values, (plus, minus), self.columns(rate.template), self._unread_cells)
        return rate if ends is None else replace(rate, unread_low=self.shown(ends[0]), unread_high=self.shown(ends[1]))

    @cached_property
    def _unread_cells(self) -> Counter[tuple[int, int]]:
        """Number of unread rows, by (stereotype, template index)."""
        rows = self.rows[self.rows["log_ratio"].isna()]
        pairs = zip(rows["stereotype"], rows["template"], strict=True)
        return Counter((int(i), self.templates.index(int(t))) for i, t in pairs)

    def resampled(self) -> Iterator[Resampled]:
        """Yield the combined rates over all templates, with the influence of each sample."""
        for name in COMBINED:
            if (sides := self._sides(name)) is not None:
                plus, minus = sides
                strata = [s for group in ((plus, 1.0), (minus, -1.0)) for s in self._strata(*group, plus, minus)]
                value = self.point(plus, None, minus)
                yield Resampled(self._combined(name, None), value, moved=stratified(strata))

    def _strata(
        self, group: Sequence[int], sign: float, plus: Sequence[int], minus: Sequence[int]
    ) -> Iterator[Stratum]:
        """Yield the strata for the stereotypes on one side of a combined rate."""
        columns = self.columns(None)
        weights = None
        if self.as_published and self.ratio:  # average rates rather than logs
            rates = np.exp([self.point(plus, self.templates[k], minus) for k in columns])
            weights = rates / rates.sum()
        for i in group:
            yield from self._strata_of(i, sign / len(group), self.values[i][:, columns], weights)

    def _strata_of(self, stereotype: int, weight: float, values: Array, columns: Array | None) -> Iterator[Stratum]:
        yield Stratum(stereotype, weight, values, columns, self._sentences(stereotype))

    def _sentences(self, stereotype: int) -> Codes | None:
        """Return the sentence code of each sample, for comparisons; None if no sentence recurs."""
        return None if self.recurring is None else self.recurring[stereotype]

    def _sides(self, name: str) -> tuple[list[int], list[int]] | None:
        """Return the stereotypes on both sides of a combined rate, or None if a side has no samples."""
        plus, minus = (self.present(group) for group in COMBINED[name])
        return (plus, minus) if plus and (minus or not COMBINED[name][1]) else None

    def ranks(self, column: int | None) -> list[Estimate]:
        """Return the feminine ranks, where 1 is the most feminine stereotype."""
        rates = {i: self.point([i], column) for i in self.reach.stereotypes}
        present = [i for i, rate in rates.items() if math.isfinite(rate)]
        points = [rates[i] for i in present]
        point = average_ranks(points)
        columns = self.columns(column)
        errors = [self._error([i], [], column) for i in present]
        ends = rank_intervals(points, errors)
        if self.as_published:
            drawn = average_ranks([self.replicates([i], column) for i in present])
            ends = [normal_interval(each) for each in drawn]
        why = None if all(errors) else f"no interval where a stereotype has fewer than {FEWEST} samples"
        counted = [samples_read(self.values[i], columns) for i in present]
        method = self.method if self.as_published else RANKS
        remark = joined(None if ends and ends[0] else why, NO_NEUTRAL["rank"])
        blank = Estimate(name="rank", n=0, unread=0, neutral=None, method=method, remark=remark).at(template=column)
        estimates = []
        for i, rank, within, (n, unread) in zip(present, point, ends, counted, strict=True):
            estimates.append(blank.at(stereotype=i).within(float(rank), within, n=n, unread=unread))
        return estimates

    def q_fam(self, column: int | None) -> Estimate:
        """Return the rate of male-stereotyped samples about family, for comparison with q_m (section 7.4)."""
        values, columns = self._family, self.columns(column)
        counts = [samples_read(values, columns)]
        if not counts[0][0]:
            return self._nothing("masculine_rate_family", column, "no male-stereotyped sample is about family")
        drawn = np.empty(0)
        if self.as_published:
            replicates = resampled_means(values, np.random.default_rng([self.seed, 99]), RESAMPLES)
            drawn = self.pick(replicates, column)
        value = float(self.pick(column_means(values)[None], column)[0])
        codes = None
        if self.recurring is not None:
            codes = np.concatenate([self.recurring[i][self._members[i]] for i in self.present(MALE)])
        error = error_of_topic(self.values, values, columns, codes) if counts[0][0] >= FEWEST else None
        return self._finish_rate("masculine_rate_family", value, drawn, counts, column, error)

    def family_contrast(self, column: int | None) -> Estimate:
        """Return the ratio of q_fam to q_m, accounting for the family samples that both contain."""
        name, columns = "family_contrast", self.columns(column)
        male = self.present(MALE)
        counts = [samples_read(self._family, columns)]
        if not counts[0][0] or not male:
            return self._nothing(name, column, "no male-stereotyped sample is about family")
        value = float(self.pick(column_means(self._family)[None], column)[0]) - self.point(male, column)
        error = error_of_family(self.values, self._family, {i: self._members[i] for i in male}, columns, self.recurring)
        method = f"{STUDENT}, with samples shared by both rates counted in both"
        found = self._finish_rate(name, value, np.empty(0), counts, column, error)
        return replace(found, method=method)

    @cached_property
    def _members(self) -> dict[int, npt.NDArray[np.bool_]]:
        """Stereotype -> mask of its samples about family."""
        first = self.rows.groupby(["stereotype", "sample"])["family"].first()
        found = {int(str(i)): each.to_numpy(dtype=bool) for i, each in first.groupby(level="stereotype")}
        return {i: found[i] for i in self.values}

    @cached_property
    def _family(self) -> Array:
        """Log-ratios [samples, templates] of the male-stereotyped samples about family, ordered by stereotype."""
        parts = [self.values[i][self._members[i]] for i in self.present(MALE)]
        return np.concatenate(parts) if parts else np.empty((0, len(self.templates)))

    def correlations(self) -> list[Estimate]:
        """Return the Pearson correlation of the q_i for each pair of templates."""
        pairs = combinations(self.templates, 2)
        found = [agreement((self, a), (self, b), f"templates {a} and {b}") for a, b in pairs]
        return [estimate for estimate in found if estimate is not None]

    def masses(self) -> list[Estimate]:
        """Return the combined probability of the two words at the blank, on a random sample of the questions."""
        found = []
        for template in self.templates:
            masses = self.rows.loc[(self.rows["template"] == template) & self.rows["mass"].notna(), "mass"]
            values = masses.to_numpy(dtype=np.float64)
            found += mass_estimates(values, template, self.seed)
        return found

    def variance_shares(self) -> list[Estimate]:
        """Return the variance components of the wide interval of g_s."""
        sides = self._sides("stereotype_rate")
        if self.as_published or sides is None:
            return []
        counts = self.counts([*sides[0], *sides[1]], None)
        return variance_shares(self._scope(*sides), sum(count[0] for count in counts))


def resampled(rows: pd.DataFrame, options: Any) -> Iterator[Resampled]:
    """Yield the combined rates over all templates, with the influence of each sample."""
    return Rates(rows, options.seed, options.scale, options.as_published).resampled()


def outcomes(rows: pd.DataFrame, estimate: Estimate, _: Any) -> Outcomes:
    """Return the log-ratios behind a combined rate, negated for subtracted stereotypes."""
    plus, minus = COMBINED[estimate.name]
    mine = rows if estimate.language is None else rows[rows["language"] == estimate.language]
    chosen = mine[mine["stereotype"].isin([*plus, *minus])]
    sign = np.where(chosen["stereotype"].isin(plus), 1.0, -1.0)
    return Outcomes(chosen["sample"], chosen["log_ratio"] * sign)
