"""Means of item scores, the share of items above neutral, and differences between groups, with clusters as units.

    mean         of all values; for each group, if there are several
    share_above  share of values above the neutral point, ties counting one half; for scores only      neutral 0.5
    difference   mean of the first group - mean of the second                                           neutral 0

Values between 0 and 1 have intervals of Agresti and Coull, with an effective number of items; other values have
Student's t intervals. Items of one cluster vary together, in both groups.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.base import Outcomes
from genderscope.statistics.cluster_variance import cluster_error, clustered, codes
from genderscope.statistics.clustered_shares import WeightedShare, weighted_share
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.paired_comparison import Resampled
from genderscope.statistics.student_intervals import FEWEST, Error, few_units, interval, why_no_interval

Array = npt.NDArray[np.float64]

MEAN, ABOVE, DIFFERENCE = "mean", "share_above", "difference"
#: A pseudo-answer differs by one half from neutral answers, so its squared difference is a quarter of that from 0 to 1.
PSEUDO = 4.0
NO_NEUTRAL = "the mean has no neutral point"


@dataclass(frozen=True)
class ScoredEstimate:
    """One estimate: the value, and each scored row's influence on it."""

    name: str
    value: float
    influences: Array
    #: each row's weight and the group whose mean its deviation is computed from, as in `cluster_variance.one_way`
    row_weights: Array
    means: npt.NDArray[np.int64]
    clusters: npt.NDArray[np.str_]
    neutral: float | None
    unread: int
    #: for shares: the share behind the estimate, and the factor from the share to the estimate
    share: WeightedShare | None = None
    factor: float = 1.0
    group: str | None = None

    @cached_property
    def error(self) -> Error | None:
        """The error over clusters; None for too few of them."""
        if len(np.unique(self.clusters)) < FEWEST:
            return None
        return cluster_error(self.influences, self.row_weights, codes(self.clusters), self.means)

    @cached_property
    def estimate(self) -> Estimate:
        """The value with its interval."""
        method = "Student's t" if self.share is None else "Agresti-Coull"
        blank = Estimate(
            name=self.name,
            n=len(self.influences),
            unread=self.unread,
            neutral=self.neutral,
            method=f"{method}, clusters as units",
        ).with_keys(group=self.group)
        why = NO_NEUTRAL if self.neutral is None else None
        bounds, units = self._bounds, len(np.unique(self.clusters))
        if bounds is None:
            return blank.with_value(self.value, None, remark=joined(why_no_interval(units, "clusters"), why))
        freedom = self.share.freedom if self.share is not None else self.error and self.error.freedom
        few = few_units(units)
        return blank.with_value(self.value, bounds, remark=joined(few, why), freedom=freedom)

    @property
    def _bounds(self) -> tuple[float, float] | None:
        if self.share is None:
            return interval(self.value, self.error)
        bounds = self.share.bounds
        return None if bounds is None else (self._stretched(bounds[0]), self._stretched(bounds[1]))

    def _stretched(self, share: float) -> float:
        return self.factor * share + 1 - self.factor


def parts(rows: pd.DataFrame, options: Any) -> Iterator[ScoredEstimate]:
    """Yield all estimates that the rows have."""
    if options.contrast and (difference := _difference(rows, options)) is not None:
        yield difference
    if options.scale == "score" and options.neutral is not None:
        yield from _means(rows.assign(value=_above(rows, options)), ABOVE, 0.5, True)
    yield from _means(rows, MEAN, options.neutral, options.scale == "share")


def _above(rows: pd.DataFrame, options: Any) -> "pd.Series[float]":
    distance = rows["value"].astype("float64") - (options.neutral or 0.0)
    return ((distance > 0) + (distance == 0) / 2).where(distance.notna())


def _means(rows: pd.DataFrame, name: str, neutral: float | None, is_share: bool) -> Iterator[ScoredEstimate]:
    """Yield the mean of all rows, then of each group."""
    groups = sorted(rows["group"].dropna().unique())
    for group in [None, *groups] if len(groups) > 1 else [None]:
        selected = rows if group is None else rows[rows["group"] == group]
        values = selected["value"].astype("float64")
        if not values.notna().any():
            continue
        scored = selected[values.notna()]
        read = values.dropna().to_numpy()
        share = (
            weighted_share(values.dropna(), scored["cluster"].map(lambda _: ""), scored["cluster"])
            if is_share
            else None
        )
        yield ScoredEstimate(
            name,
            float(read.mean()),
            (read - read.mean()) / len(read),
            np.full(len(read), 1 / len(read)),
            np.zeros(len(read), dtype=np.int64),
            scored["cluster"].to_numpy(dtype=str),
            neutral,
            int(selected["unread"].notna().sum()),
            share,
            group=group,
        )


def _difference(rows: pd.DataFrame, options: Any) -> ScoredEstimate | None:
    """Return the mean of the first group minus that of the second; None if one has no values."""
    first = options.contrast[0]
    selected = rows[rows["group"].isin(options.contrast)]
    unread = int(selected["unread"].notna().sum())
    scored = selected[selected["value"].notna()]
    values, signs = scored["value"].to_numpy(dtype=np.float64), np.where(scored["group"] == first, 1.0, -1.0)
    if not ((signs > 0).any() and (signs < 0).any()):
        return None
    (influences, row_weights), means = np.zeros((2, len(values))), []
    for sign in (1.0, -1.0):
        on_side = signs == sign
        means.append(float(values[on_side].mean()))
        influences[on_side] = sign * (values[on_side] - means[-1]) / on_side.sum()
        row_weights[on_side] = 1 / on_side.sum()
    share = None
    if options.scale == "share":
        follows = pd.Series(np.where(signs > 0, values, 1 - values), index=scored.index)
        share = weighted_share(follows, scored["group"], scored["cluster"])
        share = None if share is None else replace(share, answers=PSEUDO * share.n)
    clusters = scored["cluster"].to_numpy(dtype=str)
    sides, value = codes(signs), means[0] - means[1]
    return ScoredEstimate(DIFFERENCE, value, influences, row_weights, sides, clusters, 0.0, unread, share, 2.0)


def resampled(rows: pd.DataFrame, options: Any) -> Iterator[Resampled]:
    """Yield the overall estimates with the influence of each cluster."""
    for part in parts(rows, options):
        if part.group is None:
            reach = 0.0 if part.share is None else 1.0
            influence = clustered(part.influences, part.row_weights, part.clusters, reach, part.means)
            yield Resampled(part.estimate, part.value, given_influence=influence)


def outcomes(rows: pd.DataFrame, estimate: Estimate, options: Any) -> Outcomes:
    """Return each item's contribution: its value, or its negative in the second group of a difference."""
    values = rows["value"].astype("float64")
    reach = 1.0 if options.scale == "share" or estimate.name == ABOVE else None
    if estimate.name == ABOVE:
        values = _above(rows, options)
    if estimate.name == DIFFERENCE:
        rows = rows[rows["group"].isin(options.contrast)]
        values = values[rows.index]
        opposite = 1 - values if reach else -values
        values = values.where(rows["group"] == options.contrast[0], opposite)
        reach = 2 * reach if reach else None
    return Outcomes(rows["item"], values, reach)
