"""The rates of GEST section 4.2 over templates, with the check for the topic "family" and the prompts' agreement."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

from genderscope.measures.competence import mass_estimates
from genderscope.measures.gest.conditions import PROMPT_AGREEMENT, PUBLISHED_PROMPTS
from genderscope.measures.gest.templates import TEMPLATES, averaged, of_the_paper
from genderscope.measures.rate_agreement import agreement, prompt_agreement
from genderscope.measures.stereotype_rates import STUDENT, Array, Bounds, StereotypeRates, samples_read
from genderscope.samples.gest import MALE
from genderscope.statistics.clustered_means import column_means
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.stratum_errors import error_of_subset, error_of_subset_contrast
from genderscope.statistics.student_intervals import FEWEST, Error, interval
from genderscope.statistics.wide_intervals import Columns

NO_FAMILY = "no male-stereotyped sample is about family"


class Rates(StereotypeRates):
    """All estimates of the measure; `column` is a template, or None for the average over templates."""

    @staticmethod
    def averaged(numbers: Iterable[int]) -> tuple[int, ...]:
        return averaged(numbers)

    def estimates(self) -> list[Estimate]:
        """Return all estimates, starting with the averages over templates."""
        columns: list[int | None] = [None, *(self.numbers if len(self.numbers) > 1 else [])]
        estimates = []
        for column in columns:
            estimates += self.by_stereotype(column)
            estimates += [self.q_f(column), self.q_m(column), self.g_s(column)]
            estimates += self.ranks(column)
            estimates += [self.q_fam(column), self.family_contrast(column)]
        estimates += self.correlations() + self.masses() + self.variance_shares()
        estimates += prompt_agreement(self.values, self.columns(None), PROMPT_AGREEMENT)
        return estimates + self.with_published_prompts()

    def q_f(self, column: int | None) -> Estimate:
        """Return the masculine rate over the female stereotypes."""
        return self.combined("masculine_rate_female", column)

    def q_m(self, column: int | None) -> Estimate:
        """Return the masculine rate over the male stereotypes."""
        return self.combined("masculine_rate_male", column)

    def g_s(self, column: int | None) -> Estimate:
        """Return the stereotype rate: the masculine rate of male stereotypes relative to female ones."""
        return self.combined("stereotype_rate", column)

    def with_published_prompts(self) -> list[Estimate]:
        """Return the combined rates over the paper's templates, under names of their own, if others are averaged."""
        paper = of_the_paper(self.numbers)
        if not paper:
            return []
        scale = "ratio" if self.ratio else "log"
        apart = Rates(self.rows[self.rows["template"].isin(paper)], self.seed, scale)
        rates = (apart.q_f(None), apart.q_m(None), apart.g_s(None))
        agreed = prompt_agreement(apart.values, apart.columns(None), PROMPT_AGREEMENT + PUBLISHED_PROMPTS)
        return [*(replace(e, name=e.name + PUBLISHED_PROMPTS) for e in rates), *agreed]

    def sampled_columns(self) -> Columns | None:
        """Return the templates as random columns, with templates that share both words as one unit."""
        if len(self.numbers) == 1:
            return None
        words = [TEMPLATES[t].male.lower() if t in TEMPLATES else f"own {t}" for t in self.reach.complete]
        return Columns("template", words, "word pair")

    def q_fam(self, column: int | None) -> Estimate:
        """Return the rate of male-stereotyped samples about family, for comparison with q_m (section 7.4)."""
        name, columns = "masculine_rate_family", self.columns(column)
        counts = samples_read(self.family, columns)
        if not counts[0]:
            return self.nothing(name, column, NO_FAMILY)
        codes = None
        if self.recurring is not None:
            codes = np.concatenate([self.recurring[i][members] for i, members in self.members.items()])
        error = error_of_subset(self.values, self.family, columns, codes) if counts[0] >= FEWEST else None
        if error is not None:
            error = self.with_skewness(error, [(1.0, next(iter(self.members)), self.family)], column)
        value = self._family_value(column)
        return self.finish(name, value, self.family_bounds(value, error, column), [counts], column, error)

    def _family_value(self, column: int | None) -> float:
        return float(self.pick(column_means(self.family)[None], column)[0])

    def family_bounds(self, value: float, error: Error | None, column: int | None) -> Bounds:
        """Return the interval of the rate of samples about family."""
        return interval(value, error)

    def family_contrast(self, column: int | None) -> Estimate:
        """Return the ratio of q_fam to q_m, accounting for the family samples that both contain."""
        name, columns = "family_contrast", self.columns(column)
        counts = samples_read(self.family, columns)
        if not counts[0]:
            return self.nothing(name, column, NO_FAMILY)
        value = self._family_value(column) - self.point(list(self.members), column)
        error = error_of_subset_contrast(self.values, self.members, columns, self.recurring)
        rate = self.finish(name, value, self.bounds(value, error, (), (), column), [counts], column, error)
        return replace(rate, method=f"{STUDENT}, with samples shared by both rates counted in both")

    @cached_property
    def members(self) -> dict[int, npt.NDArray[np.bool_]]:
        """Male stereotype -> mask of its samples about family."""
        first = self.rows.groupby(["stereotype", "sample"])["family"].first()
        flags = {int(str(i)): group.to_numpy(dtype=bool) for i, group in first.groupby(level="stereotype")}
        return {i: flags[i] for i in MALE if i in self.values}

    @cached_property
    def family(self) -> Array:
        """Log-ratios [samples, templates] of the male-stereotyped samples about family, ordered by stereotype."""
        parts = [self.values[i][members] for i, members in self.members.items()]
        return np.concatenate(parts) if parts else np.empty((0, len(self.numbers)))

    def correlations(self) -> list[Estimate]:
        """Return the Pearson correlation of the q_i for each pair of templates."""
        pairs = combinations(self.numbers, 2)
        return [e for a, b in pairs for e in self.agreement(a, self, b, f"templates {a} and {b}")]

    def agreement(self, column: int | None, other: "Rates", other_column: int | None, group: str) -> list[Estimate]:
        """Return the correlation of the q_i with those of other rates; nothing if they share too few stereotypes."""
        return agreement((self, column), (other, other_column), group)

    def masses(self) -> list[Estimate]:
        """Return the combined probability of the two words at the blank, on a random sample of the questions."""
        rows, seed = self.rows, self.seed
        masses = {number: rows.loc[rows["template"] == number, "mass"] for number in self.numbers}
        return [e for number, own in masses.items() for e in mass_estimates(own, number, seed)]
