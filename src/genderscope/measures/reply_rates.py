"""Rates of answers over units that vary together: shares, and differences as shares stretched to the range -1 to 1."""

from dataclasses import replace
from typing import TYPE_CHECKING

from genderscope.statistics.clustered_shares import WeightedShare
from genderscope.statistics.declared_rates import Bounds, Proportion
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.wide_intervals import Scope

if TYPE_CHECKING:
    import pandas as pd


class UnitRate(Proportion):
    """A share over units; one that is not stretched is computed like one that is, to the last digit."""

    def shown(self, share: float) -> float:
        return self.scale * share + 1 - self.scale


def unit_rate(
    name: str,
    questions: "pd.DataFrame",
    share: WeightedShare | None,
    neutral: float | None,
    noun: str,
    why: str,
    *,
    remark: str | None = None,
    scope: str | None = None,
    doubted: bool = True,
    unread_bounds: Bounds | None = None,
) -> UnitRate:
    """Return a rate of questions, which have a number of unread answers; if it is neutral at 0, it is a difference."""
    return UnitRate(
        name=name,
        shares=() if share is None else (share,),
        n=0 if share is None else share.n,
        unread=int((questions["unread"] > 0).sum()),
        neutral=neutral,
        noun=noun,
        nothing=why,
        scope=scope,
        remark=remark,
        stretched=neutral == 0,
        doubted=doubted and neutral == 0,
        unread_bounds=unread_bounds,
    )


def widened(rate: Estimate, scope: Scope, over: str | None) -> Estimate:
    """Return a rate with the interval that generalises further; `over` names what it covers."""
    if scope.error is None or rate.value is None or rate.low is None or rate.high is None:
        return replace(rate, remark=joined(rate.remark, scope.remark))
    half, least = scope.error.half_width(), -1.0 if rate.neutral == 0 else 0.0
    low, high = max(least, min(rate.low, rate.value - half)), min(1.0, max(rate.high, rate.value + half))
    freedom, remark = scope.error.freedom, joined(rate.remark, scope.remark)
    return replace(rate, wide_low=low, wide_high=high, wide_over=over, wide_freedom=freedom, remark=remark)
