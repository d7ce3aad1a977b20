"""The variance components of a pilot run, or of the difference between two, for a power analysis.

`Spread.size` is what samples contribute, and `Spread.between` what units such as stereotypes contribute. The sum of
both is the variance of the interval that a verdict uses; a run's influences give one of the two numbers, and the
outcomes of its rows the other one.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from genderscope.comparison.comparability import refuse_incomparable
from genderscope.comparison.row_pairing import pair
from genderscope.core.errors import UserError
from genderscope.judgement import label, leading
from genderscope.measures import AnyMeasure, Between, Spread, options_of
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.influence import Influence
from genderscope.statistics.paired_comparison import Resampled, contrast
from genderscope.statistics.power import Units
from genderscope.statistics.student_intervals import ROUNDING, Error, total

if TYPE_CHECKING:
    import pandas as pd

Array = npt.NDArray[np.float64]

#: fewest units of a kind whose variance can be estimated
FEWEST_UNITS = 4


@dataclass(frozen=True)
class PilotSpread:
    """The spread in a pilot, and its units with the variance that the pilot shows over each kind of them."""

    spread: Spread
    units: tuple[Units, ...] = ()


@dataclass(frozen=True)
class _Pilot:
    """The leading estimate of a run, or the difference between two, and the rows behind it."""

    estimate: Estimate
    influence: Influence
    error: Error
    #: the rows of the run, or of the second of two
    rows: "pd.DataFrame"
    #: the contribution of each row, as a difference between the runs if there are two
    values: "pd.Series[float]"
    items: "pd.Series[Any]"
    reach: float
    source: str
    is_difference: bool = False


def spread_of(kind: type[AnyMeasure], pilot: Sequence[Result]) -> PilotSpread:
    """Return the variance components of a run's leading estimate, or of the difference between two runs."""
    if len(pilot) > 2:
        raise UserError(f"There are {len(pilot)} pilot runs; give one, or two to plan for the difference between them.")
    for run in pilot:
        if run.measure != kind.id:
            raise UserError(f"The pilot '{run.folder}' is a run of '{run.measure}', not of '{kind.id}'.")
        if not len(run.rows) or not run.rows["unread"].isna().any():
            raise UserError(f"The pilot '{run.folder}' has no usable rows, so its variance is unknown.")
    shown = _single(kind, pilot[0]) if len(pilot) == 1 else _difference(kind, pilot[0], pilot[1])
    n = shown.estimate.n
    strata = 1 if kind.spread is None else kind.spread.strata
    spread = Spread(math.sqrt(shown.error.variance * n), shown.source, n, None, strata, shown.error.freedom)
    if not spread.size > 0:
        raise UserError("The pilot's samples do not vary, so the spread is unknown; give a pilot with more samples.")
    if kind.spread is None or not kind.spread.between:
        return PilotSpread(spread)
    return _with_units(spread, kind.spread, shown)


def _single(kind: type[AnyMeasure], run: Result) -> _Pilot:
    options = options_of(run)
    drawn = _leading(kind, list(kind.resampled(run.rows, options)))
    error = drawn.influence.error
    assert error is not None
    outcomes = kind.outcomes(run.rows, drawn.estimate, options)
    values, items = outcomes.values, outcomes.items
    return _Pilot(
        drawn.estimate, drawn.influence, error, run.rows, values, items, outcomes.reach or 1.0, "the pilot run"
    )


def _difference(kind: type[AnyMeasure], first: Result, second: Result) -> _Pilot:
    refuse_incomparable(first, second, ("the first pilot", "the second"), allow_versions=True)
    options = options_of(first)
    paired = pair(first, second, options)
    rows = [side.reset_index(drop=True) for side in (paired.first, paired.second)]
    sides = [{label(r.estimate): r for r in kind.resampled(side, options)} for side in rows]
    drawn = _leading(kind, list(sides[1].values()))
    both = contrast(sides[0][label(drawn.estimate)], drawn)
    if both.error is None:
        raise UserError("The pilots share too few samples for an interval of their difference; use more samples.")
    one, two = (kind.outcomes(side, drawn.estimate, options) for side in rows)
    shared = one.values.index.intersection(two.values.index)
    values = two.values[shared] - one.values[shared]
    source = "the difference between two pilot runs on the same samples"
    return _Pilot(
        drawn.estimate, both.influence, both.error, rows[1], values, two.items[shared], two.reach or 1.0, source, True
    )


def _leading(kind: type[AnyMeasure], drawn: Sequence[Resampled]) -> Resampled:
    lead_estimate = leading([r.estimate for r in drawn], kind.headline)
    lead = next((r for r in drawn if r.estimate is lead_estimate), None)
    if lead is None or lead.influence.error is None or lead.estimate.value is None:
        raise UserError(f"The pilot is too small to estimate {kind.headline[0]} with an interval; use more samples.")
    return lead


def _with_units(spread: Spread, typical: Spread, shown: _Pilot) -> PilotSpread:
    """Add the units of a measure, each kind with the variance that the pilot shows over it."""
    n, error = shown.estimate.n, shown.error
    if labels := getattr(shown.influence, "crossed_units", None):
        influences = shown.influence.influences  # type: ignore[attr-defined]
        kinds = [_over_clusters(influences, units) for units in labels]
        within = float((influences**2).sum())
    elif typical.crossed:
        kinds, within = [_over_crossed(shown, typical.between[0])], error.variance
    elif typical.between[0].second_side:
        kinds, within = [_over_groups(shown, typical.between[0])], error.variance
    else:
        kind = typical.between[0]
        influences = _influences(shown, kind)
        whole, _ = _over_clusters(influences, _labels(shown, kind))
        share = float((influences**2).sum()) / whole.variance if whole.variance > 0 else 1.0
        kinds, within = [(error, (error.freedom + 1,))], error.variance * share
    if any(sum(counts) < FEWEST_UNITS for _, counts in kinds):
        return PilotSpread(spread)
    units, between = [], []
    for kind, (over, counts) in zip(typical.between, kinds, strict=True):
        share = sum(1 / count for count in counts)
        sd = math.sqrt(max(0.0, over.variance - within) / share)
        units.append(Units(counts, sd, over.variance, over.freedom))
        between.append(replace(kind, sd=sd, counts=counts, source=spread.source))
    freedom = error.freedom if typical.wide else max(1.0, n - typical.strata)
    spread = replace(
        spread,
        size=math.sqrt(within * n),
        freedom=freedom,
        between=tuple(between),
        crossed=typical.crossed,
        wide=typical.wide,
    )
    return PilotSpread(spread, tuple(units))


def _labels(shown: _Pilot, kind: Between) -> "pd.Series[str]":
    """Return each item's unit; an item without one is a unit of its own."""
    units = shown.rows.loc[shown.values.index, kind.column].astype(object)
    return units.where(units.notna(), "item " + shown.items.astype(str)).groupby(shown.items).first()


def _influences(shown: _Pilot, kind: Between) -> Array:
    """Return each item's influence: its deviation from the mean of its side, divided by the number of items."""
    means = shown.values.groupby(shown.items).mean()
    deviations = means - means.mean()
    if kind.sides is not None:
        sides = shown.rows.loc[shown.values.index, kind.sides].groupby(shown.items).first()
        deviations = means - means.groupby(sides).transform("mean")
    influences = shown.reach * deviations / max(1, means.notna().sum())
    return np.asarray(influences.fillna(0.0), dtype=np.float64)


def _over_clusters(influences: Array, labels: npt.ArrayLike) -> tuple[Error, tuple[float, ...]]:
    """Return the error over clusters of rows, and their effective number."""
    _, codes = np.unique(np.asarray(labels, dtype=str), return_inverse=True)
    sums = np.bincount(codes, weights=influences)
    sizes = np.asarray(np.bincount(codes), dtype=np.float64)
    count = float(sizes.sum() ** 2 / (sizes**2).sum())
    factor = len(sums) / max(1, len(sums) - 1)
    return Error(float((sums**2).sum()) * factor, max(1.0, count - 1)), (count,)


def _over_crossed(shown: _Pilot, kind: Between) -> tuple[Error, tuple[float, ...]]:
    """Return the error over units that only the wide interval includes, and their effective number.

    The ratio to the narrow one is that of the outcomes. The outcomes behind a difference with two sides only
    approximate it, so a single run's ratio is that of the squared widths, each divided by its quantile of Student's t.
    """
    influences = _influences(shown, kind)
    over, counts = _over_clusters(influences, _labels(shown, kind))
    estimate = shown.estimate
    bounds = estimate.low, estimate.high, estimate.wide_low, estimate.wide_high
    if None in bounds:
        return over, (0.0,)
    if shown.is_difference or kind.sides is None:
        ratio = over.variance / max(float((influences**2).sum()), ROUNDING)
    else:
        low, high, wide_low, wide_high = (float(end or 0.0) for end in bounds)
        narrow, wide = (Error(1.0, freedom).half_width() for freedom in (shown.error.freedom, over.freedom))
        ratio = ((wide_high - wide_low) / wide / ((high - low) / narrow)) ** 2
    return Error(shown.error.variance * ratio, over.freedom), counts


def _over_groups(shown: _Pilot, kind: Between) -> tuple[Error, tuple[float, ...]]:
    """Return the error over groups that count equally on each side, and the numbers of groups."""
    table = shown.rows.loc[shown.values.index, kind.column]
    means = shown.values.groupby([table, shown.items]).mean().groupby(level=0).mean()
    second = means.index.isin(list(kind.second_side))
    sides = [means[~second], means[second]]
    counts = tuple(float(len(side)) for side in sides)
    if min(counts) < FEWEST_UNITS:
        return Error(0.0, 1.0), (0.0,)
    whole = total(Error(float(side.var(ddof=1)) / len(side), len(side) - 1) for side in sides)
    return whole.scaled(kind.scale), counts
