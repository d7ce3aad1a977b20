"""GEST's rates in each language and across languages.

Within a language, conditions take the role of GEST's templates and have equal weight, as do languages in a mean over
languages. All languages share their source sentences, which are therefore the units; the wide interval also resamples
stereotypes and languages.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.core.languages import language_family
from genderscope.measures.eurogest.texts import CONDITIONS
from genderscope.measures.gest.agreement import agreement
from genderscope.measures.gest.errors import (
    NO_NEUTRAL,
    RANKS,
    STUDENT,
    error_of_rate,
    reason,
    unread_range,
    variance_shares,
)
from genderscope.measures.gest.log_ratios import LogRatios, with_readings
from genderscope.measures.gest.rates import COMBINED, Rates
from genderscope.samples.gest import MALE
from genderscope.statistics.cluster_variance import Codes
from genderscope.statistics.clustered_means import column_means
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.paired_comparison import Resampled
from genderscope.statistics.ranks import average_ranks, rank_intervals
from genderscope.statistics.recurrence import recurring_translations
from genderscope.statistics.simultaneous import with_adjusted_p
from genderscope.statistics.strata import Stratum, stratified
from genderscope.statistics.student_intervals import Error, interval, p_of_mean
from genderscope.statistics.wide_intervals import Columns, Scope, column_scope, wide_scope

Array = npt.NDArray[np.float64]

NAMES = {number: name for name, number in CONDITIONS.items()}


class LanguageRates(Rates):
    """The rates of one language, with conditions as templates."""

    def estimates(self) -> list[Estimate]:
        """Return GEST's estimates, with condition names instead of template numbers."""
        return [self._named(estimate) for estimate in super().estimates()]

    def _sampled_columns(self) -> None:
        """Return no sampled columns, because the conditions are exhaustive."""

    def _strata_of(self, stereotype: int, weight: float, values: Array, columns: Array | None) -> Iterator[Stratum]:
        """Yield GEST's strata; conditions that share no sentence are separate strata, since one may be small."""
        from scipy.sparse.csgraph import connected_components

        shares = np.full(values.shape[1], 1 / values.shape[1]) if columns is None else columns
        present = np.isfinite(values).astype(np.int64)
        _, parts = connected_components(present.T @ present, directed=False)
        for k in np.unique(parts):
            mine = parts == k
            share = float(shares[mine].sum())
            key = stereotype * len(CONDITIONS) + int(k)
            yield Stratum(key, weight * share, values[:, mine], shares[mine] / share, self._sentences(stereotype))

    def _sentences(self, stereotype: int) -> Codes:
        """Return sentence codes as in GEST; if no sentence recurs, the sample numbers, which all languages share."""
        codes = super()._sentences(stereotype)
        samples = self.rows.loc[self.rows["stereotype"] == stereotype, "sample"]
        return np.unique(samples.to_numpy(dtype=np.int64)) if codes is None else codes

    def _named(self, estimate: Estimate) -> Estimate:
        told = None if estimate.remark is None else _about_conditions(estimate.remark)
        estimate = replace(estimate, remark=told, unread=self._unread(estimate))
        if estimate.template is None:
            return estimate
        return estimate.at(template=None, subset=NAMES[estimate.template])

    def _unread(self, estimate: Estimate) -> int:
        """Count rows whose answers could not be parsed, ignoring sentences that a condition does not include."""
        asked = [estimate.template] if estimate.template else list(self.reach.complete)
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
        rows, numbers = self.rows, self.templates
        apart = {t: LogRatios(rows[rows["template"] == t], self.seed, self.ratio, False) for t in numbers}
        found = [
            agreement((apart[a], None), (apart[b], None), f"{NAMES[a]} and {NAMES[b]}")
            for a, b in combinations(self.templates, 2)
        ]
        return [estimate for estimate in found if estimate is not None]


def _about_conditions(remark: str) -> str:
    """Replace template numbers with condition names in a remark from GEST's rates."""
    named = re.sub(r"(?<!\()\b[123]\b", lambda found: NAMES[int(found[0])], remark) if "template" in remark else remark
    return named.replace("template", "condition")


def by_language(rows: pd.DataFrame, seed: int, scale: str) -> dict[str, LanguageRates]:
    """Return the rates for each language, each with its own random stream for resampling."""
    return {
        str(language): LanguageRates(with_readings(rows[rows["language"] == language]), seed + k, scale, False)
        for k, language in enumerate(dict.fromkeys(rows["language"]))
    }


class OverLanguages:
    """The rates across languages, for one condition or all; each column is one language in one condition."""

    def __init__(self, rows: pd.DataFrame, seed: int, scale: str) -> None:
        self.seed = seed
        self.ratio = scale == "ratio"
        rows = with_readings(rows)
        keys = ["stereotype", "sample", "language", "template"]
        wide = rows.set_index(keys)["log_ratio"].unstack(["language", "template"])
        #: stereotype -> sentence code of each sample; None if no sentence recurs
        self.recurring = recurring_translations(rows)
        self._samples = wide.index.to_frame(index=False).groupby("stereotype")["sample"]
        self._columns = [str(column[0]) for column in wide.columns]
        self.values: dict[int, Array] = {
            int(str(key)): group.to_numpy(dtype=np.float64) for key, group in wide.groupby(level="stereotype")
        }
        numbers = {(str(column[0]), int(column[1])): k for k, column in enumerate(wide.columns)}
        missing = rows[rows["log_ratio"].isna()]
        cells = zip(missing["stereotype"], missing["language"], missing["template"], strict=True)
        #: (stereotype, column) -> number of unread rows
        self._unread = Counter((int(i), numbers[str(language), int(t)]) for i, language, t in cells)
        read = [k for k in numbers.values() if all(np.isfinite(each[:, k]).any() for each in self.values.values())]
        found = {language: [k for k in read if self._columns[k] == language] for language in self._columns}
        #: language -> its columns with readings for every stereotype
        self.languages = {language: columns for language, columns in found.items() if columns}
        self.left_out = [language for language in found if language not in self.languages]

    @cached_property
    def weighted(self) -> list[int]:
        """The columns, repeated so that every language has equal weight."""
        each = math.lcm(*(len(columns) for columns in self.languages.values()))
        return [k for columns in self.languages.values() for k in columns * (each // len(columns))]

    @property
    def remark(self) -> str | None:
        """A note on the languages excluded from the numbers, or None."""
        if not self.left_out:
            return None
        return f"without {', '.join(self.left_out)}, where no condition could be read for every stereotype"

    def estimates(self) -> list[Estimate]:
        """Return the rates and ranks across languages, and the variance components of the wide interval of g_s."""
        if len(self.languages) < 2:
            return []
        numbers = sorted(self.values)
        tests = [p_of_mean(self._point([i], ()), self._error([i], ())) for i in numbers]
        found = with_adjusted_p(
            [self._rate("masculine_rate_by_stereotype", [i], (), stereotype=i) for i in numbers], tests
        )
        found += [
            estimate
            for name in ("masculine_rate_female", "masculine_rate_male", "stereotype_rate")
            if (estimate := self._combined(name)) is not None
        ]
        return found + self._ranks() + self._shares()

    def _error(self, plus: Sequence[int], minus: Sequence[int]) -> Error | None:
        """Return the error of a rate over source sentences."""
        return error_of_rate(self.values, plus, minus, self.weighted, self.recurring)

    def _combined(self, name: str) -> Estimate | None:
        plus, minus = self._groups(name)
        if not plus or (COMBINED[name][1] and not minus):
            return None
        return self._with_unread(self._rate(name, plus, minus), plus, minus)

    def _with_unread(self, rate: Estimate, plus: Sequence[int], minus: Sequence[int]) -> Estimate:
        """Add the range that a rate could take if parsing success depends on gender."""
        ends = unread_range(self._point(plus, minus), self.values, (plus, minus), self.weighted, self._unread)
        if ends is None:
            return rate
        low, high = map(math.exp, ends) if self.ratio else ends
        return replace(rate, unread_low=low, unread_high=high)

    def _groups(self, name: str) -> tuple[list[int], list[int]]:
        plus, minus = COMBINED[name]
        return [i for i in plus if i in self.values], [i for i in minus if i in self.values]

    def _rate(self, name: str, plus: Sequence[int], minus: Sequence[int], stereotype: int | None = None) -> Estimate:
        value = self._point(plus, minus)
        error = self._error(plus, minus)
        scope = self._scope(plus, minus, error)
        shown = math.exp if self.ratio else float
        wide = interval(value, scope.error)
        wide_low, wide_high = map(shown, wide) if wide else (None, None)
        present = np.isfinite(np.concatenate([self.values[i][:, self.weighted] for i in (*plus, *minus)]))
        found = Estimate(
            name=name,
            wide_low=wide_low,
            wide_high=wide_high,
            wide_over=scope.over if wide else None,
            n=int(present.any(axis=1).sum()),
            unread=int((~present).all(axis=1).sum()),
            neutral=1.0 if self.ratio else 0.0,
            method=f"{STUDENT}, by source sentence",
            remark=joined(reason(error) or (error.remark if error else None), self.remark, scope.remark),
            freedom=None if error is None else error.freedom,
        ).at(stereotype=stereotype)
        return found.within(shown(value), map(shown, ends) if (ends := interval(value, error)) else None)

    def _point(self, plus: Sequence[int], minus: Sequence[int]) -> float:
        means = {i: column_means(self.values[i][:, self.weighted]).mean() for i in (*plus, *minus)}
        up = float(np.mean([means[i] for i in plus]))
        return up - float(np.mean([means[i] for i in minus])) if minus else up

    def by_language(self, stereotype: int) -> Array:
        """Return the mean log-ratio of a stereotype in each language."""
        means = column_means(self.values[stereotype])
        return np.array([means[columns].mean() for columns in self.languages.values()])

    def _scope(self, plus: Sequence[int], minus: Sequence[int], narrow: Error | None) -> Scope:
        """Return the error when languages, and stereotypes if there are several, are resampled as well."""
        sides = [np.array([self.by_language(i) for i in group]) for group in (plus, minus) if group]
        languages = Columns("language", [language_family(each) for each in self.languages], "language family")
        if len(plus) == 1:
            return column_scope(sides[0][0], narrow, languages)
        return wide_scope(sides, narrow, "stereotype", languages)

    def _ranks(self) -> list[Estimate]:
        numbers = sorted(self.values)
        points = [self._point([i], ()) for i in numbers]
        errors = [self._error([i], ()) for i in numbers]
        blank = Estimate(name="rank", n=0, unread=0, neutral=None, method=RANKS, remark=NO_NEUTRAL["rank"])
        found = []
        for i, rank, within in zip(numbers, average_ranks(points), rank_intervals(points, errors), strict=True):
            n = int(np.isfinite(self.values[i][:, self.weighted]).any(axis=1).sum())
            found.append(blank.at(stereotype=i).within(float(rank), within, n=n))
        return found

    def _shares(self) -> list[Estimate]:
        plus, minus = self._groups("stereotype_rate")
        if not plus or not minus:
            return []
        scope = self._scope(plus, minus, self._error(plus, minus))
        return variance_shares(scope, sum(len(self.values[i]) for i in (*plus, *minus)))

    def resampled(self) -> Iterator[Resampled]:
        """Yield the combined rates with the influence of each source sentence over all its languages."""
        if len(self.languages) < 2:
            return
        for name in COMBINED:
            if (estimate := self._combined(name)) is not None:
                plus, minus = self._groups(name)
                strata = [
                    Stratum(i, sign / len(group), self.values[i][:, self.weighted], sentences=self._sentences(i))
                    for sign, group in ((1.0, plus), (-1.0, minus))
                    for i in group
                ]
                yield Resampled(estimate, self._point(plus, minus), moved=stratified(strata))

    def _sentences(self, stereotype: int) -> Codes:
        """Return the code of each source sentence, or its sample number if none recurs."""
        if self.recurring is not None:
            return self.recurring[stereotype]
        return self._samples.get_group(stereotype).to_numpy(dtype=np.int64)
