"""GEST's rates in each language, across languages and between them.

Within a language, conditions take the role of GEST's templates and have equal weight, as do languages in a mean over
languages. All languages share their source sentences, which are therefore the units; the wide interval also resamples
stereotypes and languages.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.core.languages import language_family
from genderscope.measures.eurogest.texts import CONDITIONS, GENDERED, EuroGestOptions
from genderscope.measures.gest.rates import Rates
from genderscope.measures.rate_agreement import Side, agreement
from genderscope.measures.stereotype_rates import (
    BY_STEREOTYPE,
    COMBINED,
    NO_NEUTRAL_RANK,
    STUDENT,
    Array,
    LogRatios,
    StereotypeRates,
    with_readings,
)
from genderscope.samples.gest import MALE
from genderscope.statistics.cluster_variance import Codes
from genderscope.statistics.clustered_means import column_means
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.paired_comparison import Resampled
from genderscope.statistics.recurrence import recurring_translations
from genderscope.statistics.strata import Stratum
from genderscope.statistics.wide_intervals import Columns, Scope, column_scope, variance_shares, wide_scope

NAMES = {number: name for name, number in CONDITIONS.items()}


def sample_numbers(rates: StereotypeRates, stereotype: int) -> Codes:
    """Return the sentence codes of a stereotype or, if no sentence recurs, the sample numbers, shared by languages."""
    if rates.recurring is not None:
        return rates.recurring[stereotype]
    samples = rates.rows.loc[rates.rows["stereotype"] == stereotype, "sample"]
    return np.unique(samples.to_numpy(dtype=np.int64))


class LanguageRates(Rates):
    """The rates of one language, with conditions as columns."""

    noun = "condition"

    def column_name(self, number: int) -> str:
        return NAMES[number]

    def column_keys(self, column: int | None) -> dict[str, Any]:
        return {"subset": None if column is None else NAMES[column]}

    def estimates(self) -> list[Estimate]:
        """Return GEST's estimates, with the number of answers that could not be parsed."""
        return [replace(estimate, unread=self._unread(estimate)) for estimate in super().estimates()]

    def sampled_columns(self) -> None:
        """Return no sampled columns, because the conditions are exhaustive."""

    def strata_of(self, stereotype: int, weight: float, values: Array, columns: Array | None) -> Iterator[Stratum]:
        """Yield GEST's strata; conditions that share no sentence are separate strata, since one may be small."""
        from scipy.sparse.csgraph import connected_components

        shares = np.full(values.shape[1], 1 / values.shape[1]) if columns is None else columns
        present = np.isfinite(values).astype(np.int64)
        _, parts = connected_components(present.T @ present, directed=False)
        for k in np.unique(parts):
            part = parts == k
            share = float(shares[part].sum())
            key = stereotype * len(CONDITIONS) + int(k)
            yield Stratum(key, weight * share, values[:, part], shares[part] / share, self.sentences(stereotype))

    def sentences(self, stereotype: int) -> Codes:
        return sample_numbers(self, stereotype)

    def _unread(self, estimate: Estimate) -> int:
        """Count rows whose answers could not be parsed, ignoring sentences that a condition does not include."""
        asked = [CONDITIONS[estimate.subset]] if estimate.subset else list(self.reach.complete)
        templates, stereotypes, family = self._without_reading
        counted = np.isin(templates, asked)
        if estimate.stereotype is not None:
            return int((counted & (stereotypes == estimate.stereotype)).sum())
        if estimate.name in COMBINED:
            about = [i for group in COMBINED[estimate.name] for i in group]
            return int((counted & np.isin(stereotypes, about)).sum())
        return int((counted & family & np.isin(stereotypes, list(MALE))).sum()) if "family" in estimate.name else 0

    @cached_property
    def _without_reading(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        """Template, stereotype and family flag of every row without a reading."""
        rows = self.rows[self.rows["log_ratio"].isna()]
        return rows["template"].to_numpy(int), rows["stereotype"].to_numpy(int), rows["family"].to_numpy(bool)

    def correlations(self) -> list[Estimate]:
        """Return the correlations of q_i between conditions, which share no sentences, so errors are independent."""
        scale = "ratio" if self.ratio else "log"
        apart = {t: LogRatios(self.rows[self.rows["template"] == t], self.seed, scale) for t in self.numbers}
        return [
            estimate
            for a, b in combinations(self.numbers, 2)
            for estimate in agreement((apart[a], None), (apart[b], None), f"{NAMES[a]} and {NAMES[b]}")
        ]


def by_language(rows: pd.DataFrame, seed: int, scale: str) -> dict[str, LanguageRates]:
    """Return the rates for each language, each with its own random stream for resampling."""
    return {
        str(language): LanguageRates(with_readings(rows[rows["language"] == language]), seed + k, scale)
        for k, language in enumerate(dict.fromkeys(rows["language"]))
    }


class OverLanguages(StereotypeRates):
    """The rates across languages, for one condition or all; each column is one language in one condition."""

    method = f"{STUDENT}, by source sentence"
    wide_by_stereotype = True

    def __init__(self, rows: pd.DataFrame, seed: int, scale: str) -> None:
        rows = with_readings(rows)
        pairs = list(zip(rows["language"].astype(str), rows["template"].astype(int), strict=True))
        numbers = {pair: k for k, pair in enumerate(dict.fromkeys(pairs))}
        super().__init__(rows.assign(template=[numbers[pair] for pair in pairs]), seed, scale)
        read = self.reach.complete if self.reach.stereotypes else ()
        columns = {language: [k for (own, _), k in numbers.items() if own == language] for language, _ in numbers}
        complete = {language: [k for k in own if k in read] for language, own in columns.items()}
        #: language -> its columns with readings for every stereotype
        self.languages = {language: own for language, own in complete.items() if own}
        self.left_out = [language for language in complete if language not in self.languages]

    def estimates(self) -> list[Estimate]:
        """Return the rates and ranks across languages, and the variance components of the wide interval of g_s."""
        if len(self.languages) < 2:
            return []
        names = ("masculine_rate_female", "masculine_rate_male", "stereotype_rate")
        combined = [self.combined(name, None) for name in names if self.sides(name) is not None]
        ranks = [replace(e, unread=0, remark=NO_NEUTRAL_RANK) for e in self.ranks(None)]
        return [*self.by_stereotype(None), *combined, *ranks, *self.variance_shares()]

    def resampled(self) -> Iterator[Resampled]:
        """Yield the combined rates with the influence of each source sentence over all its languages."""
        return super().resampled() if len(self.languages) > 1 else iter(())

    @cached_property
    def recurring(self) -> dict[int, Codes] | None:
        return recurring_translations(self.rows)

    @cached_property
    def _weighted(self) -> list[int]:
        """The columns, repeated so that every language has equal weight."""
        most = math.lcm(*(len(columns) for columns in self.languages.values()))
        return [k for columns in self.languages.values() for k in columns * (most // len(columns))]

    def columns(self, column: int | None) -> list[int]:
        return self._weighted

    def point(self, plus: Sequence[int], column: int | None, minus: Sequence[int] = ()) -> float:
        means = {i: column_means(self.values[i][:, self._weighted]).mean() for i in (*plus, *minus)}
        up = float(np.mean([means[i] for i in plus]))
        return up - float(np.mean([means[i] for i in minus])) if minus else up

    def counts(self, stereotypes: Sequence[int], column: int | None) -> list[tuple[int, int]]:
        """Return the number of source sentences read in some column, and of those read in none."""
        present = [np.isfinite(self.values[i][:, self._weighted]).any(axis=1) for i in stereotypes]
        return [(int(read.sum()), int((~read).sum())) for read in present]

    def q_i(self, stereotype: int, column: int | None) -> Estimate:
        return self.rate(BY_STEREOTYPE, [stereotype], [], column).with_keys(stereotype=stereotype)

    def about_reach(self, column: int | None) -> str | None:
        """Return a note on the languages excluded from the numbers, or None."""
        if not self.left_out:
            return None
        return f"without {', '.join(self.left_out)}, where no condition could be read for every stereotype"

    def scope(self, plus: Sequence[int], minus: Sequence[int]) -> Scope:
        """Return the error when languages, and stereotypes if there are several, are resampled as well."""
        sides, narrow = self.tables(plus, minus), self.error(plus, minus, None)
        if len(plus) == 1:
            return column_scope(sides[0][0], narrow, self.sampled_columns())
        return wide_scope(sides, narrow, "stereotype", self.sampled_columns())

    def sampled_columns(self) -> Columns:
        """Return the languages as random columns, with those of one family as one unit."""
        return Columns("language", [language_family(name) for name in self.languages], "language family")

    def column_labels(self) -> tuple[object, ...]:
        return tuple(self.languages)

    def tables(self, plus: Sequence[int], minus: Sequence[int]) -> list[Array]:
        """Return the means of each side's stereotypes [stereotypes, languages]."""
        return [np.array([self._by_language(i) for i in group]) for group in (plus, minus) if group]

    def _by_language(self, stereotype: int) -> Array:
        """Return the mean log-ratio of a stereotype in each language."""
        means = column_means(self.values[stereotype])
        return np.array([means[columns].mean() for columns in self.languages.values()])

    def variance_shares(self) -> list[Estimate]:
        sides = self.sides("stereotype_rate")
        if sides is None:
            return []
        return variance_shares(self.scope(*sides), sum(len(self.values[i]) for group in sides for i in group))

    def sentences(self, stereotype: int) -> Codes:
        return sample_numbers(self, stereotype)


def estimates(rows: pd.DataFrame, options: EuroGestOptions) -> list[Estimate]:
    """Return the estimates within, across and between languages; with a single language, they have no language key."""
    rates = by_language(rows, options.seed, options.scale)
    if len(rates) == 1:
        (only,) = rates.values()
        return only.estimates()
    over = OverLanguages(rows, options.seed, options.scale).estimates()
    parts = list(conditions(rows))
    for subset, part in parts if len(parts) > 1 else ():
        apart = OverLanguages(part, options.seed, options.scale).estimates()
        over += [e.with_keys(subset=subset) for e in apart if e.name != "variance_share"]
    within = [e.with_keys(language=language) for language, own in rates.items() for e in own.estimates()]
    return over + within + between_languages(rows, options.seed, options.scale)


def between_languages(rows: pd.DataFrame, seed: int, scale: str) -> list[Estimate]:
    """Return the correlation of q_i between every pair of languages, in each condition available for both.

    Pronoun and noun scaffolds count as one condition here. Both languages translate the same source sentences, so their
    errors are correlated, which is corrected for; if hardly any sentences are shared, as with `--limit`, the errors are
    treated as independent. `n` counts the source sentences available in either language.
    """
    estimates = []
    for subset, part in conditions(rows):
        numbers = {str(language): k for k, language in enumerate(dict.fromkeys(part["language"]))}
        read = with_readings(part.assign(template=part["language"].map(numbers)))
        both = LogRatios(read, seed, scale)
        alone = {k: LogRatios(read[read["template"] == k], seed, scale) for k in numbers.values()}
        for (a, k), (b, j) in combinations(numbers.items(), 2):
            sides: tuple[Side, Side] = ((alone[k], None), (alone[j], None))
            if all(np.isfinite(values[:, [k, j]]).all(axis=1).sum() >= 2 for values in both.values.values()):
                sides = ((both, k), (both, j))
            for estimate in agreement(*sides, f"languages {a} and {b}"):
                n = sum(int(np.isfinite(values[:, [k, j]]).any(axis=1).sum()) for values in both.values.values())
                unread = int(part.loc[part["language"].isin([a, b]), "log_ratio"].isna().sum())
                estimates.append(replace(estimate, n=n, unread=unread).with_keys(subset=subset))
    return estimates


def conditions(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the rows of gendered pairs, and those of neutral sentences in each language's first scaffold."""
    gendered = rows[rows["condition"] == GENDERED]
    neutral = rows[rows["condition"] != GENDERED]
    first = neutral.groupby("language")["template"].transform("min") if len(neutral) else neutral["template"]
    for name, part in ((GENDERED, gendered), ("scaffold", neutral[neutral["template"] == first])):
        if len(part):
            yield name, part


def resampled(rows: pd.DataFrame, options: EuroGestOptions) -> Iterator[Resampled]:
    """Yield the headline estimates with the influence of each sentence."""
    languages = by_language(rows, options.seed, options.scale)
    if len(languages) > 1:
        yield from OverLanguages(rows, options.seed, options.scale).resampled()
    for name, rates in languages.items():
        for drawn in rates.resampled():
            yield replace(drawn, estimate=drawn.estimate.with_keys(language=name if len(languages) > 1 else None))
