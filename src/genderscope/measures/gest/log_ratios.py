"""Log-ratios by stereotype and template, and the rate estimates built from their means."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.gest.errors import SKEWED, STUDENT, error_of_rate, read_samples, reason
from genderscope.measures.gest.reach import Reach
from genderscope.statistics.bootstrap import NORMAL, normal_interval, stratified_means
from genderscope.statistics.cluster_variance import Codes
from genderscope.statistics.clustered_means import column_means
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.long_tailed import Skewness, pooled_skewness
from genderscope.statistics.recurrence import recurring_sentences
from genderscope.statistics.student_intervals import Error, interval

Array = npt.NDArray[np.float64]

#: the bootstrap is used only for the published intervals
RESAMPLES = 1000


class LogRatios:
    """Log-ratios of a run; `column` is a template, or None for the average over templates."""

    def __init__(self, rows: pd.DataFrame, seed: int, ratio: bool, as_published: bool) -> None:
        self.rows = rows
        self.seed = seed
        self.ratio = ratio
        self.as_published = as_published
        self.templates = sorted(int(t) for t in rows["template"].unique())
        unit = 1 / math.log(10) if as_published else 1.0
        #: stereotype -> log-ratios [samples, templates], NaN if unread
        self.values: dict[int, Array] = {key: table * unit for key, table in _tables(rows)}
        self.reach = Reach.of(rows)

    @cached_property
    def _resampled(self) -> dict[int, Array]:
        """Stereotype -> mean log-ratios [resamples, templates], shared by all bootstrap intervals."""
        return stratified_means(self.values, self.seed, RESAMPLES)

    @cached_property
    def recurring(self) -> dict[int, Codes] | None:
        """Stereotype -> sentence code of each sample; None if no sentence recurs."""
        return recurring_sentences(self.rows)

    @cached_property
    def _means(self) -> dict[int, Array]:
        """Stereotype -> mean log-ratios [1, templates], from which all rates are computed."""
        return {i: column_means(table)[None] for i, table in self.values.items()}

    def present(self, stereotypes: Sequence[int]) -> list[int]:
        """Return the given stereotypes that have samples."""
        return [i for i in stereotypes if i in self.values]

    def columns(self, column: int | None) -> list[int]:
        """Return the indices in `values` of one template, or of all templates included in the average."""
        return [self.templates.index(t) for t in (self.reach.complete if column is None else [column])]

    def pick(self, means: Array, column: int | None) -> Array:
        """Select one template's column from [..., templates], or average over templates."""
        chosen = means[:, self.columns(column)]
        if not chosen.shape[1]:
            return np.full(len(means), np.nan)
        picked: Array = chosen.mean(axis=1)
        if self.as_published and self.ratio and column is None:  # Figure 4 averages the rates themselves
            picked = np.log(np.exp(chosen).mean(axis=1))
        return picked

    def point(self, plus: Sequence[int], column: int | None, minus: Sequence[int] = ()) -> float:
        """Return the mean log-ratio over `plus` stereotypes, equally weighted, minus the mean over `minus`."""
        return float(self.pick(_contrast(self._means, plus, minus), column)[0])

    def replicates(self, plus: Sequence[int], column: int | None, minus: Sequence[int] = ()) -> Array:
        """Return the same contrast as `point` for every resample."""
        return self.pick(_contrast(self._resampled, plus, minus), column)

    def counts(self, stereotypes: Sequence[int], column: int | None) -> list[tuple[int, int]]:
        """Return, for each stereotype, the number of samples read and the number at least partly unread."""
        return [samples_read(self.values[i], self.columns(column)) for i in stereotypes]


class RateBuilder(LogRatios):
    """Log-ratios with a scale and an interval method for rates."""

    def __init__(self, rows: pd.DataFrame, seed: int, scale: str, as_published: bool) -> None:
        super().__init__(rows, seed, scale == "ratio", as_published)
        self.neutral = 1.0 if self.ratio else 0.0
        self.shown: Callable[[float], float] = math.exp if self.ratio else float
        self.method = NORMAL if as_published else STUDENT
        self._errors: dict[tuple[tuple[int | None, ...], int | None], Error | None] = {}
        self._skewness: dict[int | None, Skewness] = {}

    def _error(self, plus: Sequence[int], minus: Sequence[int], column: int | None) -> Error | None:
        """Return the error of a rate over sentences, cached because ranks and wide intervals reuse it."""
        key = (*plus, None, *minus), column
        if key not in self._errors:
            self._errors[key] = error_of_rate(self.values, plus, minus, self.columns(column), self.recurring)
        return self._errors[key]

    def _finish_rate(
        self,
        name: str,
        value: float,
        replicates: Array,
        counts: Sequence[tuple[int, int]],
        column: int | None,
        error: Error | None,
        stereotype: int | None = None,
    ) -> Estimate:
        """Build the estimate of a rate with its interval; `counts` are (read, unread) for each stratum."""
        n, unread = (sum(count[k] for count in counts) for k in (0, 1))
        ends = normal_interval(replicates) if self.as_published else interval(value, error)
        blank = Estimate(name=name, n=n, unread=unread, neutral=self.neutral, method=self.method).at(
            stereotype=stereotype, template=column
        )
        return blank.within(
            self.shown(value) if math.isfinite(value) else None,
            map(self.shown, ends) if ends else None,
            remark=joined(self._about_interval(value, error, ends, n, column), self._about_reach(column)),
            freedom=None if error is None or self.as_published else error.freedom,
        )

    def _about_reach(self, column: int | None) -> str | None:
        return self.reach.remark if column is None else None

    def _doubt(self, n: int, error: Error, column: int | None) -> str | None:
        """Return a remark if the log-ratios are too skewed for the interval of a mean of n values, otherwise None.

        If a few samples in a small stratum or condition account for most of the variance, n is reduced accordingly.
        """
        if column not in self._skewness:
            columns = self.columns(column)
            samples = (read_samples(values, columns) for values in self.values.values())
            self._skewness[column] = pooled_skewness(np.nanmean(each, axis=1) for each in samples if len(each))
        return SKEWED if self._skewness[column].distorts_mean(min(n, error.freedom + 1)) else None

    def _about_interval(
        self, value: float, error: Error | None, ends: tuple[float, float] | None, n: int, column: int | None
    ) -> str | None:
        """Return the reason why there is no interval or it is unreliable (few or skewed samples), otherwise None."""
        if ends:
            return None if self.as_published or error is None else joined(error.remark, self._doubt(n, error, column))
        return reason(error) if math.isfinite(value) else "no sample of a required stereotype could be read"

    def _nothing(self, name: str, column: int | None, why: str = "no samples of the required stereotypes") -> Estimate:
        remark = self._about_reach(column) or why
        return Estimate(name=name, n=0, unread=0, neutral=self.neutral, method=self.method, remark=remark).at(
            template=column
        )


def _tables(rows: pd.DataFrame) -> Iterator[tuple[int, Array]]:
    """Yield each stereotype with its table of samples by templates."""
    stereotypes, samples = rows["stereotype"].to_numpy(), rows["sample"].to_numpy()
    templates, columns = np.unique(rows["template"].to_numpy(), return_inverse=True)
    ratios = rows["log_ratio"].to_numpy(dtype=np.float64)
    for stereotype in np.unique(stereotypes):
        mine = np.flatnonzero(stereotypes == stereotype)
        known, places = np.unique(samples[mine], return_inverse=True)
        cells = places * len(templates) + columns[mine]
        if len(np.unique(cells)) < len(cells):
            raise ValueError(f"a sample of stereotype {stereotype} occurs twice in a template")
        table = np.full(len(known) * len(templates), np.nan)
        table[cells] = ratios[mine]
        yield int(stereotype), table.reshape(len(known), len(templates))


def with_readings(rows: pd.DataFrame) -> pd.DataFrame:
    """Exclude stereotypes without readings, which would leave the combined rates without a value."""
    read = rows.groupby("stereotype")["log_ratio"].transform("count") > 0
    return rows[read] if read.any() else rows


def samples_read(values: Array, columns: Sequence[int]) -> tuple[int, int]:
    """Return the number of samples read in at least one of the columns, and the number unread in at least one."""
    present = np.isfinite(values[:, columns])
    return int(present.any(axis=1).sum()), int((~present).any(axis=1).sum())


def _contrast(means: Mapping[int, Array], plus: Sequence[int], minus: Sequence[int]) -> Array:
    """Return the mean over `plus` stereotypes minus the mean over `minus`, for each template."""
    found = means[plus[0]] if len(plus) == 1 else np.mean([means[i] for i in plus], axis=0)
    return found - np.mean([means[i] for i in minus], axis=0) if minus else found
