"""Single rates over units that vary together: shares, and differences as shares stretched to the range -1 to 1."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.statistics.cluster_variance import codes, sums
from genderscope.statistics.clustered_shares import Weighed
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.influence import clustered
from genderscope.statistics.long_tailed import FEW_DECIDE, pooled_skewness
from genderscope.statistics.paired_comparison import Resampled
from genderscope.statistics.student_intervals import FEWEST, ROUNDING, Error, few_units
from genderscope.statistics.wide_intervals import Scope

METHOD = "Agresti-Coull, {} as units"
TOO_FEW = f"no interval with fewer than {FEWEST} {{}}"
ALL_AGREE = "all {} agree, so the interval does not show how much rare ones may differ"
#: A pseudo-answer differs by one half from neutral answers, so its squared difference is a quarter of that from 0 to 1.
PSEUDO = 4.0


class Summary(Protocol):
    """A number computed from values in units, with its interval and each value's influence."""

    @property
    def n(self) -> int: ...
    @property
    def value(self) -> float: ...
    @property
    def units(self) -> int: ...
    @property
    def error(self) -> Error | None: ...
    @property
    def ends(self) -> tuple[float, float] | None: ...
    @property
    def freedom(self) -> float | None: ...
    @property
    def moved(self) -> npt.NDArray[np.float64]: ...
    @property
    def items(self) -> npt.NDArray[np.str_]: ...


@dataclass(frozen=True)
class Part:
    """One rate; if its neutral point is 0, a share is stretched to the range from -1 to 1."""

    name: str
    #: one line per question, with its number of unread answers
    questions: pd.DataFrame
    summary: Summary | None
    neutral: float | None
    #: the units, in the plural
    noun: str
    #: why there is no value
    why: str
    remark: str | None = None
    #: what the interval covers
    scope: str | None = None
    #: whether a remark says that few units decide
    doubts: bool = True
    method: str = METHOD
    unread_ends: tuple[float, float] | None = None

    @property
    def scale(self) -> float:
        """The factor from the share to the rate."""
        return 2.0 if self.neutral == 0 and isinstance(self.summary, Weighed) else 1.0

    def shown(self, share: float) -> float:
        """Return the rate for a share."""
        return self.scale * share + 1 - self.scale

    @property
    def value(self) -> float | None:
        """The value of the rate."""
        return None if self.summary is None else self.shown(self.summary.value)

    @property
    def error(self) -> Error | None:
        """The error of the rate over its units."""
        return None if self.summary is None or self.summary.error is None else self.summary.error.scaled(self.scale)

    @cached_property
    def estimate(self) -> Estimate:
        """The rate with its interval."""
        summary, unread = self.summary, int((self.questions["unread"] > 0).sum())
        method, n = self.method.format(self.noun), 0 if summary is None else summary.n
        blank = Estimate(name=self.name, n=n, unread=unread, neutral=self.neutral, method=method)
        if summary is None:
            return blank.within(None, None, remark=joined(self.why, self.remark))
        low, high = self.unread_ends or (None, None)
        valued = blank.within(self.value, None, unread_low=low, unread_high=high)
        if (ends := summary.ends) is None:
            return valued.within(self.value, None, remark=joined(TOO_FEW.format(self.noun), self.remark))
        remark = joined(self.scope, few_units(summary.units), self._doubt(summary), self.remark)
        return valued.within(self.value, map(self.shown, ends), remark=remark, freedom=summary.freedom)

    def _doubt(self, summary: Summary) -> str | None:
        """Return a remark if few units, or none, differ from the others, so that the interval may be too narrow."""
        if self.neutral != 0 or not self.doubts or summary.error is None:
            return None
        if summary.error.variance <= ROUNDING:
            return ALL_AGREE.format(self.noun)
        of_units = sums(summary.moved, codes(summary.items))
        skewed = pooled_skewness([of_units]).distorts_mean(len(of_units))
        return FEW_DECIDE.format(self.noun) if skewed else None

    def resampled(self, rate: Estimate, value: float) -> Resampled:
        """Return an estimate of the rate with the influence of each unit."""
        assert self.summary is not None
        moved = clustered(self.scale * self.summary.moved, self.summary.items, reach=1.0)
        return Resampled(rate, value, moved=moved)


def widened(rate: Estimate, scope: Scope, over: str | None) -> Estimate:
    """Return a rate with the interval that generalises further; `over` names what it covers."""
    if scope.error is None or rate.value is None or rate.low is None or rate.high is None:
        return replace(rate, remark=joined(rate.remark, scope.remark))
    half, least = scope.error.half_width(), -1.0 if rate.neutral == 0 else 0.0
    low, high = max(least, min(rate.low, rate.value - half)), min(1.0, max(rate.high, rate.value + half))
    return replace(rate, wide_low=low, wide_high=high, wide_over=over, remark=joined(rate.remark, scope.remark))
