"""GEST's rates as published: exp of mean log10 ratios, so that published = defined ** (1 / ln 10).

Intervals are normal, from a bootstrap of samples within stereotypes, and the rates of templates are averaged themselves
(the paper's Figure 4), not their logarithms.
"""

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import pandas as pd

from genderscope.measures.gest.rates import Rates
from genderscope.measures.rate_agreement import shared_stereotypes, without_value
from genderscope.measures.stereotype_rates import BY_STEREOTYPE, Array, Bounds, contrast
from genderscope.statistics.bootstrap import NORMAL, normal_interval, resampled_means, stratified_means
from genderscope.statistics.correlation import pearson
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.ranks import average_ranks
from genderscope.statistics.student_intervals import Error

RESAMPLES = 1000
LOG10 = 1 / math.log(10)


class PublishedRates(Rates):
    """GEST's rates on the paper's scale, with the paper's intervals, and none of ours."""

    method = NORMAL

    def __init__(self, rows: pd.DataFrame, seed: int, scale: str) -> None:
        super().__init__(rows, seed, scale)
        self.values = {i: table * LOG10 for i, table in self.values.items()}

    @cached_property
    def _resampled_means(self) -> dict[int, Array]:
        """Stereotype -> mean log-ratios [resamples, templates], shared by all intervals."""
        return stratified_means(self.values, self.seed, RESAMPLES)

    def _replicates(self, plus: Sequence[int], column: int | None, minus: Sequence[int] = ()) -> Array:
        return self.pick(contrast(self._resampled_means, plus, minus), column)

    def pick(self, means: Array, column: int | None) -> Array:
        """Select one template's column; over templates, average the rates themselves."""
        if not self.ratio or column is not None or not self.columns(None):
            return super().pick(means, column)
        averaged: Array = np.log(np.exp(means[:, self.columns(None)]).mean(axis=1))
        return averaged

    def bounds(
        self, value: float, error: Error | None, plus: Sequence[int], minus: Sequence[int], column: int | None
    ) -> Bounds:
        return normal_interval(self._replicates(plus, column, minus)) if plus else None

    def family_bounds(self, value: float, error: Error | None, column: int | None) -> Bounds:
        drawn = resampled_means(self.family, np.random.default_rng([self.seed, 99]), RESAMPLES)
        return normal_interval(self.pick(drawn, column))

    def rank_bounds(self, present: list[int], errors: Sequence[Error | None], column: int | None) -> Sequence[Bounds]:
        return [normal_interval(ranks) for ranks in average_ranks([self._replicates([i], column) for i in present])]

    def q_i(self, stereotype: int, column: int | None) -> Estimate:
        return self.rate(BY_STEREOTYPE, [stereotype], [], column).with_keys(stereotype=stereotype)

    def by_stereotype(self, column: int | None) -> list[Estimate]:
        return [self.q_i(i, column) for i in sorted(self.values)]

    def about_interval(self, error: Error | None) -> None:
        """Return no remark: the paper has none."""

    def skewness(self, error: Error | None) -> None:
        """Return no skewness, because the intervals are normal."""

    def freedom(self, error: Error | None) -> None:
        """Return no degrees of freedom, because the intervals are normal."""

    def scope(self, plus: Sequence[int], minus: Sequence[int]) -> None:
        """Return no scope, because the paper has no wide intervals."""

    def with_published_prompts(self) -> list[Estimate]:
        return []

    def column_weights(self, plus: Sequence[int], minus: Sequence[int]) -> Array | None:
        if not self.ratio:
            return None
        rates = np.exp([self.point(plus, self.numbers[k], minus) for k in self.columns(None)])
        weights: Array = rates / rates.sum()
        return weights

    def agreement(self, column: int | None, other: Rates, other_column: int | None, group: str) -> list[Estimate]:
        """Return the correlation of rates on the published scale."""
        assert isinstance(other, PublishedRates)
        sides = (self, column), (other, other_column)
        present = shared_stereotypes(*sides)
        if len(present) < 3:
            return []
        shown = np.exp if self.ratio else np.array
        points = [shown(np.array([side.point([i], c) for i in present]))[:, None] for side, c in sides]
        drawn = [shown(np.array([side._replicates([i], c) for i in present])) for side, c in sides]
        r = float(pearson(*points)[0])
        bounds = normal_interval(pearson(*drawn))
        return [
            without_value(sides[0], present, group).with_value(r if math.isfinite(r) else None, bounds, method=NORMAL)
        ]
