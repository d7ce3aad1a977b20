"""Rates over stereotypes, computed from tables of log-ratios: the estimator of `gest`, `gest-slavic` and `eurogest`.

    masculine_rate_by_stereotype   q_i = exp(mean log-ratio over the samples of stereotype i)
    masculine_rate_female, _male   q_f, q_m = geometric means of the q_i of the female and the male stereotypes
    stereotype_rate                g_s = q_m / q_f

The log-ratios of a stereotype form a table [samples, columns]; a column is a template, a condition, or a language in
one condition. All means, including those over columns, are taken on the log scale. Rates over columns use only columns
that could be read for every stereotype. A subclass declares what its columns are called, which of them are averaged,
and over which units the wide interval generalises.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.base import Outcomes
from genderscope.samples.gest import FEMALE, MALE
from genderscope.statistics.cluster_variance import Codes
from genderscope.statistics.clustered_means import column_means
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.influence import Influence
from genderscope.statistics.paired_comparison import Resampled
from genderscope.statistics.ranks import RANKS, average_ranks, rank_intervals
from genderscope.statistics.recurrence import recurring_sentences
from genderscope.statistics.simultaneous import with_adjusted_p
from genderscope.statistics.skewed_intervals import NOTICEABLE
from genderscope.statistics.skewness import pooled_skewness
from genderscope.statistics.strata import Stratum, stratified
from genderscope.statistics.stratum_errors import error_of_contrast, read_samples, reason, sparse_remark, unread_range
from genderscope.statistics.student_intervals import FEWEST, ROUNDING, Error, influences, interval, p_of_mean
from genderscope.statistics.wide_influence import WideTables
from genderscope.statistics.wide_intervals import Columns, Scope, variance_shares, wide_scope

Array = npt.NDArray[np.float64]
Bounds = tuple[float, float] | None

STUDENT = "Student's t on the log scale, Satterthwaite's degrees of freedom"
BY_STEREOTYPE = "masculine_rate_by_stereotype"
NO_NEUTRAL_RANK = "a rank has no neutral point"
#: added to the method, and the remark, if the log-ratios are so skewed that Student's t is corrected
CORRECTED = ", corrected for skewness"
SKEWED = "the log-ratios are skewed, so the interval extends further towards {} values than Student's t says"
#: rate -> the stereotypes that are averaged, and those whose mean is subtracted
COMBINED: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "stereotype_rate": (MALE, FEMALE),
    "masculine_rate_female": (FEMALE, ()),
    "masculine_rate_male": (MALE, ()),
}


@dataclass(frozen=True)
class Reach:
    """The columns used, those without readings, the stereotypes read, and the columns that cover all of these.

    If a tokenizer splits "She" into two tokens but not "he", a whole template may be unreadable. Rates over templates
    then exclude it, and every number, sentence and comparison reports which templates were used.
    """

    columns: tuple[int, ...]
    unread: tuple[int, ...]
    stereotypes: tuple[int, ...]
    complete: tuple[int, ...]

    @classmethod
    def of(cls, rows: pd.DataFrame, averaged: Callable[[Iterable[int]], tuple[int, ...]]) -> "Reach":
        """Determine the coverage from the rows; `averaged` selects the columns that rates over columns average."""
        stereotypes, row = np.unique(rows["stereotype"].to_numpy(), return_inverse=True)
        columns, column = np.unique(rows["template"].to_numpy(), return_inverse=True)
        read = np.zeros((len(stereotypes), len(columns)), dtype=bool)
        answered = rows["log_ratio"].notna().to_numpy()
        read[row[answered], column[answered]] = True
        used = np.isin(columns, averaged(map(int, columns)))
        read, columns = read[:, used], columns[used]
        covered = read.any(axis=1)
        return cls(
            tuple(map(int, columns)),
            tuple(map(int, columns[~read.any(axis=0)])),
            tuple(map(int, stereotypes[covered])),
            tuple(map(int, columns[read[covered].all(axis=0)])),
        )

    def remark(self, noun: str, name: Callable[[int], str] = str) -> str | None:
        """Return a note on the columns excluded from a rate over columns; None if all are included."""
        unused = [column for column in self.columns if column not in self.complete]
        if not unused:
            return None
        how = "could not be read" + ("" if set(unused) == set(self.unread) else " for every stereotype")
        over = f"based on {enumerated(noun, map(name, self.complete))}" if self.complete else "missing"
        return f"{enumerated(noun, map(name, unused))} {how}, so the numbers across {noun}s are {over}"


def enumerated(noun: str, names: Iterable[object]) -> str:
    """Return a list of names with its noun, e.g. "template 3" or "templates 1, 2 and 4"."""
    *first, last = map(str, names)
    return f"{noun}s {', '.join(first)} and {last}" if first else f"{noun} {last}"


class LogRatios:
    """Log-ratios of a run by stereotype; `column` is one of `numbers`, or None for the average over columns."""

    #: what a column is called
    noun: ClassVar[str] = "template"

    def __init__(self, rows: pd.DataFrame, seed: int, scale: str) -> None:
        self.rows = rows
        self.seed = seed
        self.ratio = scale == "ratio"
        self.numbers = sorted(int(number) for number in rows["template"].unique())
        #: stereotype -> log-ratios [samples, columns], NaN if unread
        self.values: dict[int, Array] = dict(_tables(rows))
        self.reach = Reach.of(rows, self.averaged)

    @staticmethod
    def averaged(numbers: Iterable[int]) -> tuple[int, ...]:
        """Return the columns that rates over columns average: all."""
        return tuple(numbers)

    def column_name(self, number: int) -> str:
        """Return the name of a column in remarks."""
        return str(number)

    @cached_property
    def recurring(self) -> dict[int, Codes] | None:
        """Stereotype -> sentence code of each sample; None if no sentence recurs."""
        return recurring_sentences(self.rows)

    @cached_property
    def means(self) -> dict[int, Array]:
        """Stereotype -> mean log-ratios [1, columns], from which all rates are computed."""
        return {i: column_means(table)[None] for i, table in self.values.items()}

    def columns(self, column: int | None) -> list[int]:
        """Return the indices in `values` of one column, or of all columns included in the average."""
        return [self.numbers.index(number) for number in (self.reach.complete if column is None else [column])]

    def pick(self, means: Array, column: int | None) -> Array:
        """Select one column from [..., columns], or average over columns."""
        picked = means[:, self.columns(column)]
        return picked.mean(axis=1) if picked.shape[1] else np.full(len(means), np.nan)

    def point(self, plus: Sequence[int], column: int | None, minus: Sequence[int] = ()) -> float:
        """Return the mean log-ratio over `plus` stereotypes, equally weighted, minus the mean over `minus`."""
        return float(self.pick(contrast(self.means, plus, minus), column)[0])

    def counts(self, stereotypes: Sequence[int], column: int | None) -> list[tuple[int, int]]:
        """Return, for each stereotype, the number of samples read and the number at least partly unread."""
        return [samples_read(self.values[i], self.columns(column)) for i in stereotypes]


class StereotypeRates(LogRatios):
    """Rates with their intervals."""

    method: ClassVar[str] = STUDENT
    #: whether the rates of single stereotypes have wide intervals too
    wide_by_stereotype: ClassVar[bool] = False

    def __init__(self, rows: pd.DataFrame, seed: int, scale: str) -> None:
        super().__init__(rows, seed, scale)
        self.neutral = 1.0 if self.ratio else 0.0
        self.shown: Callable[[float], float] = math.exp if self.ratio else float
        self._errors: dict[tuple[tuple[int | None, ...], int | None], Error | None] = {}
        self._skewness: dict[int | None, dict[int, float]] = {}

    def column_keys(self, column: int | None) -> dict[str, Any]:
        """Return the keys of an estimate about one column, or over all if None."""
        return {"template": column}

    def q_i(self, stereotype: int, column: int | None) -> Estimate:
        """Return the masculine rate of one stereotype."""
        rate = self.rate(BY_STEREOTYPE, [stereotype], [], column).with_keys(stereotype=stereotype)
        if rate.low is None:
            return rate
        sparse = sparse_remark(self.values[stereotype], self.columns(column), self.noun)
        return replace(rate, remark=joined(rate.remark, sparse))

    def by_stereotype(self, column: int | None) -> list[Estimate]:
        """Return the masculine rates of all stereotypes, with p-values adjusted for multiple comparisons."""
        numbers = sorted(self.values)
        tests = [p_of_mean(self.point([i], column), self.error([i], [], column)) for i in numbers]
        return with_adjusted_p([self.q_i(i, column) for i in numbers], tests)

    def combined(self, name: str, column: int | None) -> Estimate:
        """Return one of the rates in `COMBINED`."""
        sides = self.sides(name)
        if sides is None:
            return self.nothing(name, column)
        rate = self.rate(name, *sides, column)
        value = self.point(sides[0], column, sides[1])
        if not self.unread_cells or not math.isfinite(value):
            return rate
        bounds = unread_range(value, self.values, sides, self.columns(column), self.unread_cells)
        return (
            rate
            if bounds is None
            else replace(rate, unread_low=self.shown(bounds[0]), unread_high=self.shown(bounds[1]))
        )

    def rate(self, name: str, plus: Sequence[int], minus: Sequence[int], column: int | None) -> Estimate:
        """Return the rate of `plus` stereotypes relative to `minus` ones, with its intervals."""
        value, error = self.point(plus, column, minus), self.error(plus, minus, column)
        bounds = self.bounds(value, error, plus, minus, column)
        rate = self.finish(name, value, bounds, self.counts([*plus, *minus], column), column, error)
        scope = self.scope(plus, minus) if self._is_widened(name, column, rate) else None
        if scope is None:
            return rate
        wide = interval(value, scope.error)
        if wide and bounds and rate.skewness:
            wide = min(wide[0], bounds[0]), max(wide[1], bounds[1])
        low, high = map(self.shown, wide) if wide else (None, None)
        over = scope.over if wide else None
        freedom = scope.error.freedom if wide and scope.error else None
        remark = joined(rate.remark, scope.remark)
        return replace(rate, wide_low=low, wide_high=high, wide_over=over, wide_freedom=freedom, remark=remark)

    def _is_widened(self, name: str, column: int | None, rate: Estimate) -> bool:
        if self.wide_by_stereotype:
            return True
        return column is None and rate.low is not None and name != BY_STEREOTYPE

    def bounds(
        self, value: float, error: Error | None, plus: Sequence[int], minus: Sequence[int], column: int | None
    ) -> Bounds:
        """Return the interval of a rate on the log scale."""
        return interval(value, error)

    def error(self, plus: Sequence[int], minus: Sequence[int], column: int | None) -> Error | None:
        """Return the error of a rate over sentences, cached because ranks and wide intervals reuse it."""
        key = (*plus, None, *minus), column
        if key not in self._errors:
            error = error_of_contrast(self.values, plus, minus, self.columns(column), self.recurring)
            signed = ((sign / len(group), i) for sign, group in ((1.0, plus), (-1.0, minus)) for i in group)
            parts = [(weight, i, self.values[i]) for weight, i in signed]
            self._errors[key] = None if error is None else self.with_skewness(error, parts, column)
        return self._errors[key]

    def with_skewness(self, error: Error, parts: Iterable[tuple[float, int, Array]], column: int | None) -> Error:
        """Return the error of a weighted sum of means with its skewness, if it is noticeable.

        The parts are (weight, stereotype whose skewness they share, values [samples, columns]). All values are assumed
        to vary equally, since the observed variances of skewed samples are too uncertain.
        """
        if error.variance <= ROUNDING:
            return error
        shared, cubes, squares = self._skewness_by_stereotype(column), 0.0, 0.0
        for weight, i, values in parts:
            n = len(read_samples(values, self.columns(column)))
            cubes += weight**3 * shared[i] / n**2
            squares += weight**2 / n
        skewness = cubes / squares**1.5
        return replace(error, skewness=skewness) if abs(skewness) > NOTICEABLE else error

    def _skewness_by_stereotype(self, column: int | None) -> dict[int, float]:
        """Return the skewness that the samples of each stereotype share with others; 0 if it is not clear.

        It is pooled over all stereotypes, or over those of one gender if the genders are skewed in opposite directions.
        """
        if column not in self._skewness:
            samples = {i: self._deviations(values, column) for i, values in self.values.items()}
            sides = [[i for i in side if i in samples] for side in (FEMALE, MALE)]
            pooled = [pooled_skewness(samples[i] for i in side) for side in sides]
            if pooled[0].value * pooled[1].value >= 0:
                sides, pooled = [list(samples)], [pooled_skewness(samples.values())]
            shared = {
                i: own.value if own.is_clear else 0.0 for own, side in zip(pooled, sides, strict=True) for i in side
            }
            self._skewness[column] = shared
        return self._skewness[column]

    def _deviations(self, values: Array, column: int | None) -> Array:
        """Return how far each sample's log-ratios are from the mean, for those read in at least one of the columns."""
        samples = read_samples(values, self.columns(column))
        return influences(samples) * len(samples)

    def finish(
        self,
        name: str,
        value: float,
        bounds: Bounds,
        counts: Sequence[tuple[int, int]],
        column: int | None,
        error: Error | None,
    ) -> Estimate:
        """Build the estimate of a rate with its interval; `counts` are (read, unread) for each stratum."""
        n, unread = (sum(count[k] for count in counts) for k in (0, 1))
        remark = self.about_interval(error)
        if not bounds:
            remark = reason(error) if math.isfinite(value) else "no sample of a required stereotype could be read"
        skewness = self.skewness(error)
        method = f"{self.method}{CORRECTED}" if skewness and bounds else self.method
        blank = Estimate(name=name, n=n, unread=unread, neutral=self.neutral, method=method, skewness=skewness)
        return blank.with_keys(**self.column_keys(column)).with_value(
            self.shown(value) if math.isfinite(value) else None,
            map(self.shown, bounds) if bounds else None,
            remark=joined(remark, self.about_reach(column)),
            freedom=self.freedom(error),
        )

    def freedom(self, error: Error | None) -> float | None:
        """Return the degrees of freedom that an estimate reports."""
        return None if error is None else error.freedom

    def about_reach(self, column: int | None) -> str | None:
        """Return a note on columns excluded from a rate over columns, or None."""
        return self.reach.remark(self.noun, self.column_name) if column is None else None

    def skewness(self, error: Error | None) -> float | None:
        """Return the skewness that the interval is corrected for; None if it is not."""
        return error.skewness or None if error is not None else None

    def about_interval(self, error: Error | None) -> str | None:
        """Return a remark if an interval is based on few samples, or corrected because they are skewed."""
        if error is None:
            return None
        longer = SKEWED.format("masculine" if error.skewness > 0 else "feminine")
        return joined(error.remark, longer if error.skewness else None)

    def nothing(self, name: str, column: int | None, why: str = "no samples of the required stereotypes") -> Estimate:
        """Return a rate without a value."""
        remark = self.about_reach(column) or why
        blank = Estimate(name=name, n=0, unread=0, neutral=self.neutral, method=self.method, remark=remark)
        return blank.with_keys(**self.column_keys(column))

    def sides(self, name: str) -> tuple[list[int], list[int]] | None:
        """Return the stereotypes on both sides of a combined rate, or None if a side has no samples."""
        plus, minus = ([i for i in group if i in self.values] for group in COMBINED[name])
        return (plus, minus) if plus and (minus or not COMBINED[name][1]) else None

    def sampled_columns(self) -> Columns | None:
        """Return the columns as a random factor of the wide interval; None if they are exhaustive."""
        return None

    def scope(self, plus: Sequence[int], minus: Sequence[int]) -> Scope | None:
        """Return the error of a rate over columns when stereotypes, and sampled columns, are resampled as well."""
        columns = self.columns(None)
        narrow = self.error(plus, minus, None)
        scope = wide_scope(self.tables(plus, minus), narrow, "stereotype", self.sampled_columns())
        if self.recurring is None or narrow is None or scope.error is None:
            return scope
        # Stereotypes with shared sentences are correlated, which their means do not show.
        alone = error_of_contrast(self.values, plus, minus, columns)
        shared = max(0.0, narrow.variance - alone.variance) if alone else 0.0
        return replace(scope, error=replace(scope.error, variance=scope.error.variance + shared))

    def tables(self, plus: Sequence[int], minus: Sequence[int]) -> list[Array]:
        """Return the means of each side's stereotypes [stereotypes, columns]."""
        columns = self.columns(None)
        return [np.array([self.means[i][0, columns] for i in group]) for group in (plus, minus) if group]

    def column_labels(self) -> tuple[object, ...]:
        """Return the labels of the tables' columns."""
        return self.reach.complete

    def variance_shares(self) -> list[Estimate]:
        """Return the variance components of the wide interval of g_s."""
        sides = self.sides("stereotype_rate")
        scope = None if sides is None else self.scope(*sides)
        if sides is None or scope is None:
            return []
        return variance_shares(scope, sum(n for n, _ in self.counts([*sides[0], *sides[1]], None)))

    @cached_property
    def unread_cells(self) -> Counter[tuple[int, int]]:
        """Number of unread rows, by (stereotype, column index)."""
        rows = self.rows[self.rows["log_ratio"].isna()]
        pairs = zip(rows["stereotype"], rows["template"], strict=True)
        return Counter((int(i), self.numbers.index(int(number))) for i, number in pairs)

    def ranks(self, column: int | None) -> list[Estimate]:
        """Return the feminine ranks, where 1 is the most feminine stereotype."""
        rates = {i: self.point([i], column) for i in self.reach.stereotypes}
        present = [i for i, rate in rates.items() if math.isfinite(rate)]
        errors = [self.error([i], [], column) for i in present]
        intervals = self.rank_bounds(present, errors, column)
        why = None if all(errors) else f"no interval where a stereotype has fewer than {FEWEST} samples"
        remark = joined(None if intervals and intervals[0] else why, NO_NEUTRAL_RANK)
        method = RANKS if self.method.startswith(STUDENT) else self.method
        blank = Estimate(name="rank", n=0, unread=0, neutral=None, method=method, remark=remark)
        blank = blank.with_keys(**self.column_keys(column))
        ranked = zip(
            present, average_ranks([rates[i] for i in present]), intervals, self.counts(present, column), strict=True
        )
        return [
            blank.with_keys(stereotype=i).with_value(float(rank), at, n=n, unread=unread)
            for i, rank, at, (n, unread) in ranked
        ]

    def rank_bounds(self, present: list[int], errors: Sequence[Error | None], column: int | None) -> Sequence[Bounds]:
        """Return the intervals of the stereotypes' ranks."""
        return rank_intervals([self.point([i], column) for i in present], errors)

    def resampled(self) -> Iterator[Resampled]:
        """Yield the combined rates over all columns, with the influence of each sample."""
        for name in COMBINED:
            if (sides := self.sides(name)) is not None:
                columns, weights = self.columns(None), self.column_weights(*sides)
                strata = [
                    part
                    for sign, group in zip((1.0, -1.0), sides, strict=True)
                    for i in group
                    for part in self.strata_of(i, sign / len(group), self.values[i][:, columns], weights)
                ]
                value, rate = self.point(sides[0], None, sides[1]), self.combined(name, None)
                influence = stratified(strata)
                yield Resampled(rate, value, given_influence=influence, wide=self._wide(rate, sides, influence))

    def _wide(self, rate: Estimate, sides: Sequence[Sequence[int]], narrow: Influence) -> WideTables | None:
        """Return the influence for the wide interval; None if the rate has none."""
        if rate.wide_over is None:
            return None
        groups = tuple(tuple(group) for group in sides if group)
        columns, labels = self.sampled_columns(), self.column_labels()
        return WideTables(tuple(self.tables(sides[0], sides[1])), narrow, groups, labels, columns)

    def column_weights(self, plus: Sequence[int], minus: Sequence[int]) -> Array | None:
        """Return the weights of the averaged columns; None if they are equal."""
        return None

    def strata_of(self, stereotype: int, weight: float, values: Array, columns: Array | None) -> Iterator[Stratum]:
        """Yield the strata that a stereotype contributes to a rate."""
        yield Stratum(stereotype, weight, values, columns, self.sentences(stereotype))

    def sentences(self, stereotype: int) -> Codes | None:
        """Return the sentence code of each sample, for comparisons; None if no sentence recurs."""
        return None if self.recurring is None else self.recurring[stereotype]


def _tables(rows: pd.DataFrame) -> Iterator[tuple[int, Array]]:
    """Yield each stereotype with its table of samples by columns."""
    stereotypes, samples = rows["stereotype"].to_numpy(), rows["sample"].to_numpy()
    numbers, columns = np.unique(rows["template"].to_numpy(), return_inverse=True)
    ratios = rows["log_ratio"].to_numpy(dtype=np.float64)
    for stereotype in np.unique(stereotypes):
        places = np.flatnonzero(stereotypes == stereotype)
        distinct, order = np.unique(samples[places], return_inverse=True)
        cells = order * len(numbers) + columns[places]
        if len(np.unique(cells)) < len(cells):
            raise ValueError(f"a sample of stereotype {stereotype} occurs twice in a template")
        table = np.full(len(distinct) * len(numbers), np.nan)
        table[cells] = ratios[places]
        yield int(stereotype), table.reshape(len(distinct), len(numbers))


def with_readings(rows: pd.DataFrame) -> pd.DataFrame:
    """Exclude stereotypes without readings, which would leave the combined rates without a value."""
    read = rows.groupby("stereotype")["log_ratio"].transform("count") > 0
    return rows[read] if read.any() else rows


def samples_read(values: Array, columns: Sequence[int]) -> tuple[int, int]:
    """Return the number of samples read in at least one of the columns, and the number unread in at least one."""
    present = np.isfinite(values[:, columns])
    return int(present.any(axis=1).sum()), int((~present).any(axis=1).sum())


def contrast(means: Mapping[int, Array], plus: Sequence[int], minus: Sequence[int]) -> Array:
    """Return the mean over `plus` stereotypes minus the mean over `minus`, for each column."""
    mean = means[plus[0]] if len(plus) == 1 else np.mean([means[i] for i in plus], axis=0)
    return mean - np.mean([means[i] for i in minus], axis=0) if minus else mean


def outcomes(rows: pd.DataFrame, estimate: Estimate, _: Any) -> Outcomes:
    """Return the log-ratios behind a combined rate, negated for subtracted stereotypes."""
    plus, minus = COMBINED[estimate.name]
    spoken = rows if estimate.language is None else rows[rows["language"] == estimate.language]
    used = spoken[spoken["stereotype"].isin([*plus, *minus])]
    sign = np.where(used["stereotype"].isin(plus), 1.0, -1.0)
    return Outcomes(used["sample"], used["log_ratio"] * sign)
