"""Construction of rate estimates: value, interval, and remarks on their reliability."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.gest.errors import SKEWED, STUDENT, error_of_rate, read_samples, reason
from genderscope.measures.gest.log_ratios import LogRatios
from genderscope.statistics.bootstrap import NORMAL, normal_interval
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.long_tailed import Skewness, pooled_skewness
from genderscope.statistics.student_intervals import Error, interval

Array = npt.NDArray[np.float64]


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
        """Return why there is no interval, or why it is unreliable (few or skewed samples), or None."""
        if ends:
            return None if self.as_published or error is None else joined(error.remark, self._doubt(n, error, column))
        return reason(error) if math.isfinite(value) else "no sample of a required stereotype could be read"

    def _nothing(self, name: str, column: int | None, why: str = "no samples of the required stereotypes") -> Estimate:
        remark = self._about_reach(column) or why
        return Estimate(name=name, n=0, unread=0, neutral=self.neutral, method=self.method, remark=remark).at(
            template=column
        )
