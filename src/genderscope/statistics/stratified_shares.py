"""Weighted sums of the shares of strata, such as the mean over stereotypes: the estimator of `gest-mt` and `gest-chat`.

A measure declares the weights and the units' values of each stratum. The interval of Price and Bonett, the wide
interval, variance components, and influences for comparisons of runs all come from there, so that single runs and
comparisons use the same strata, units and weights. Rows with the same sentence are one unit.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from genderscope.statistics.cluster_variance import Codes
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.paired_comparison import Resampled
from genderscope.statistics.proportions import Share, combined, effective, spread
from genderscope.statistics.recurrence import resized
from genderscope.statistics.strata import Stratum, stratified
from genderscope.statistics.student_intervals import FEWEST, Error
from genderscope.statistics.wide_influence import WideTables
from genderscope.statistics.wide_intervals import Columns, Scope, variance_shares, wide_scope

Array = npt.NDArray[np.float64]
Bounds = tuple[float, float]

COMBINED = "Price-Bonett, sentences as units"
ONE_SHARE = "Agresti-Coull, sentences as units"
TOO_FEW = f"no interval with fewer than {FEWEST} {{}}"


@dataclass(frozen=True, kw_only=True)
class StratifiedShare:
    """A weighted sum of the strata's shares, with all that an estimate and a comparison say about it."""

    name: str
    #: the rate; NaN if a share is missing
    value: float
    neutral: float | None
    #: stratum -> its weight; empty if a side of a difference has no stratum
    weights: Mapping[int, float]
    #: stratum -> values from 0 to 1 [units, columns], NaN if unread
    values: Mapping[int, Array]
    #: stratum -> mean of its values, and the effective size that follows from their variance
    shares: Mapping[int, Share]
    n: int
    unread: int
    #: number of units, on the side with fewer of them
    units: int
    #: the units, in the plural
    noun: str
    #: why there is no value
    nothing: str
    remark: str | None = None
    unread_bounds: Bounds | None = None
    #: stratum -> sentence code of each unit; None if no sentence recurs
    sentences: Mapping[int, Codes] | None = None
    #: stratum -> weights of its columns in a comparison; equal by default
    column_weights: Mapping[int, Array] | None = None
    #: what a stratum is called, and those on the second side; None if there is no wide interval
    stratum: str = "stereotype"
    second_side: Collection[int] | None = None
    #: columns that the wide interval generalises to, and the means of each stratum in them
    sampled: Columns | None = None
    sampled_means: Mapping[int, Array] | None = None

    @property
    def is_complete(self) -> bool:
        """Whether every stratum has a share."""
        return bool(self.weights) and all(i in self.shares for i in self.weights)

    @cached_property
    def parts(self) -> dict[int, tuple[float, Share]]:
        """The weights and shares of the strata, with effective sizes adjusted for recurring sentences."""
        shares = {i: (weight, self.shares[i]) for i, weight in self.weights.items()}
        return resized(shares, self.values, self.sentences)

    @property
    def summed(self) -> float:
        """The weighted sum of the shares, which is the value apart from rounding."""
        return sum(weight * share.value for weight, share in self.parts.values())

    @property
    def error(self) -> Error:
        """The error over units."""
        parts = self.parts.values()
        return Error(sum(weight**2 * spread(share, len(parts)) for weight, share in parts), np.inf)

    @property
    def bounds(self) -> Bounds | None:
        """The interval over units; None if there are too few."""
        if not self.is_complete or self.units < FEWEST:
            return None
        return around(self.value, combined(list(self.parts.values())))

    @cached_property
    def scope(self) -> Scope:
        """The error if strata, and sampled columns, are resampled as well."""
        return wide_scope(self._tables, self.error, self.stratum, self.sampled)

    @property
    def _groups(self) -> list[list[int]]:
        """The strata of each side."""
        groups = [[i for i in self.weights if (i in (self.second_side or ())) is second] for second in (False, True)]
        return [group for group in groups if group]

    @property
    def _tables(self) -> list[Array]:
        """The means of each side's strata [strata, columns], whose difference is the rate.

        The second side of a sum is negated, so that the columns' effects on both sides add up.
        """
        means = self.sampled_means or {i: np.array([share.value]) for i, (_, share) in self.parts.items()}
        factor = sum(abs(weight) for weight in self.weights.values()) / len(self._groups)
        signs = [1.0 if self.weights[group[0]] > 0 else -1.0 for group in self._groups]
        return [
            factor * place * sign * np.array([means[i] for i in group])
            for place, sign, group in zip((1.0, -1.0), signs, self._groups, strict=False)
        ]

    @property
    def estimate(self) -> Estimate:
        """The rate with its intervals."""
        low, high = self.unread_bounds or (None, None)
        blank = Estimate(name=self.name, n=self.n, unread=self.unread, neutral=self.neutral, method=COMBINED)
        if not self.is_complete:
            return replace(blank, remark=self.nothing)
        blank = replace(blank, value=self.value, unread_low=low, unread_high=high)
        if (bounds := self.bounds) is None:
            return replace(blank, remark=joined(TOO_FEW.format(self.noun), self.remark))
        rate = blank.with_value(self.value, bounds, remark=self.remark)
        return rate if self.second_side is None else self._widened(rate, bounds)

    def _widened(self, rate: Estimate, bounds: Bounds) -> Estimate:
        rate = replace(rate, remark=joined(rate.remark, self.scope.remark))
        if self.scope.error is None:
            return rate
        half, least = self.scope.error.half_width(), -1.0 if self.neutral == 0 else 0.0
        wide = max(least, min(bounds[0], self.summed - half)), min(1.0, max(bounds[1], self.summed + half))
        low, high = around(self.value, wide)
        return replace(
            rate, wide_low=low, wide_high=high, wide_over=self.scope.over, wide_freedom=self.scope.error.freedom
        )

    def variance_shares(self) -> list[Estimate]:
        """Return the variance components of the wide interval."""
        return variance_shares(self.scope, self.n) if self.is_complete else []

    def resampled(self, estimate: Estimate, value: float) -> Resampled:
        """Return the rate with the influence of each unit, for comparisons of runs."""
        strata = [
            Stratum(
                i,
                weight,
                self.values[i],
                None if self.column_weights is None else self.column_weights[i],
                None if self.sentences is None else self.sentences[i],
            )
            for i, weight in self.weights.items()
        ]
        narrow = stratified(strata, reach=1.0)
        wide = None
        if estimate.wide_over is not None:
            groups = tuple(map(tuple, self._groups))
            tables = tuple(self._tables)
            wide = WideTables(tables, narrow, groups, tuple(range(tables[0].shape[1])), self.sampled)
        return Resampled(estimate, value, given_influence=narrow, wide=wide)


def share_of_columns(values: Array) -> Share | None:
    """Return the mean of the columns' shares of 1 with its effective size, or None if a column has no values.

    Values of one unit in several columns are correlated, so the units, which are the rows, determine the size.
    """
    present = np.isfinite(values)
    counts = present.sum(axis=0)
    columns = values.shape[1]
    if columns == 0 or not counts.all():
        return None
    shares = np.where(present, values, 0.0).sum(axis=0) / counts
    value, units = float(shares.mean()), int(present.any(axis=1).sum())
    if columns == 1:
        return Share(value, units)
    influences = (np.where(present, values - shares, 0.0) / counts).sum(axis=1) / columns
    variance = float((influences**2).sum()) * units / max(1, units - 1)
    return effective(value, variance, int(counts.sum()), units)


def around(value: float, bounds: Bounds) -> Bounds:
    """Return the interval, widened to include the value."""
    return min(bounds[0], value), max(bounds[1], value)
