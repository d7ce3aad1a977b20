"""Judge an estimate by its intervals, threshold and validity conditions."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from genderscope.judgement.conditions import FailedCondition, ValidityCondition
from genderscope.judgement.differences import LEVEL
from genderscope.judgement.verdicts import Margin, Verdict, judge_interval
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.skewed_intervals import widening

#: multiples of the threshold used for the sensitivity check
HALF, TWICE = 0.5, 2.0

Bounds = tuple[float | None, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedEstimate(Estimate):
    """An estimate that fails a validity condition, so that figures draw it differently."""

    failure: str

    @property
    def why(self) -> str:
        """The reason for a tooltip."""
        return f"cannot be judged: {self.failure}"


@dataclass(frozen=True)
class Judgement:
    """The verdict on one estimate, with its sensitivity to the threshold and to unread answers.

    `verdict` generalises to the model: if available, it uses the wide interval, which also covers the choice of
    stereotypes, terms or templates. `narrow` applies only to the samples in the benchmark.
    """

    estimate: Estimate
    margin: Margin | None
    verdict: Verdict
    narrow: Verdict
    at_half: Verdict
    at_twice: Verdict
    failures: tuple[FailedCondition, ...] = ()
    #: number of verdicts that are corrected together, by wider intervals than the 95 % intervals of the estimates
    family: int = 1
    #: the verdict if unread answers resemble those that were read; differs from `verdict` if they could change it
    if_unread_alike: Verdict | None = None

    @property
    def is_meaningful(self) -> bool:
        """Whether all validity conditions are met."""
        return self.verdict is not Verdict.NOT_MEANINGFUL

    @property
    def main_failure(self) -> FailedCondition | None:
        """The failure to report if there is room for one: one that makes the model unusable, or else the first."""
        unusable = (failure for failure in self.failures if failure.condition.is_about_model)
        return next(unusable, next(iter(self.failures), None))

    @property
    def is_opposite(self) -> bool:
        """Whether there is an effect below the neutral point."""
        e = self.estimate
        return self.verdict.is_effect and e.value is not None and e.neutral is not None and e.value < e.neutral

    def to_json(self) -> dict[str, Any]:
        """Return the judgement as a JSON-serialisable dictionary."""
        return {
            "estimate": self.estimate.name,
            **self.estimate.keys,
            "verdict": str(self.verdict),
            "opposite": self.is_opposite,
            "threshold": None if self.margin is None else self.margin.size,
            "at_half_threshold": str(self.at_half),
            "at_twice_threshold": str(self.at_twice),
            "on_these_samples": str(self.narrow),
            "corrected_for": self.family,
            "reasons": [str(failure) for failure in self.failures],
        }


def judge(
    estimate: Estimate,
    margin: Margin | None,
    conditions: Sequence[ValidityCondition] = (),
    estimates: Sequence[Estimate] = (),
    family: int = 1,
) -> Judgement:
    """Judge one estimate.

    `estimates` are all estimates of the result, which the conditions are checked against; `family` is the number of
    verdicts that are corrected together.
    """
    failed = [failure for c in conditions if (failure := c.failure(estimates, estimate, margin)) is not None]
    if estimate.value is None or failed:
        verdict = Verdict.NOT_MEANINGFUL if failed else Verdict.INCONCLUSIVE
        return Judgement(estimate, margin, verdict, verdict, verdict, verdict, tuple(failed), family)
    narrow, model = (
        simultaneous(estimate, bounds, family) for bounds in ((estimate.low, estimate.high), model_interval(estimate))
    )
    cautious = with_unread(estimate, model)
    return Judgement(
        estimate,
        margin,
        _verdict(cautious, estimate, margin),
        _verdict(with_unread(estimate, narrow), estimate, margin),
        _verdict(cautious, estimate, None if margin is None else margin.times(HALF)),
        _verdict(cautious, estimate, None if margin is None else margin.times(TWICE)),
        family=family,
        if_unread_alike=_verdict(model, estimate, margin),
    )


def simultaneous(e: Estimate, bounds: Bounds, family: int) -> Bounds:
    """Widen a 95 % interval so that all intervals of a family of this size cover in 95 % of the cases (Bonferroni)."""
    low, high = bounds
    if family < 2 or low is None or high is None or e.value is None or (e.neutral == 1 and min(low, e.value) <= 0):
        return bounds
    below, above = widening(math.inf if e.freedom is None else e.freedom, e.skewness, LEVEL, LEVEL / family)
    if e.neutral == 1:
        return e.value * (low / e.value) ** below, e.value * (high / e.value) ** above
    return e.value + (low - e.value) * below, e.value + (high - e.value) * above


def model_interval(e: Estimate) -> Bounds:
    """Return the interval for claims about the model: the wide interval if available, otherwise the narrow one."""
    return (e.low, e.high) if e.wide_low is None or e.wide_high is None else (e.wide_low, e.wide_high)


def with_unread(e: Estimate, bounds: Bounds) -> Bounds:
    """Widen an interval by the possible effect of unread answers, if the measure specifies it."""
    low, high = bounds
    if low is None or high is None or e.value is None or e.unread_low is None or e.unread_high is None:
        return bounds
    if e.neutral == 1 and min(low, e.value, e.unread_low) > 0:
        return low * e.unread_low / e.value, high * e.unread_high / e.value
    return low + e.unread_low - e.value, high + e.unread_high - e.value


def _verdict(bounds: Bounds, e: Estimate, margin: Margin | None) -> Verdict:
    return judge_interval(*bounds, e.neutral, margin)


def overall(judgements: Sequence[Judgement]) -> Verdict:
    """Return the verdict shared by all meaningful judgements, or inconclusive if they disagree."""
    verdicts = {j.verdict for j in judgements} or {Verdict.INCONCLUSIVE}
    if len(verdicts) == 1:
        return verdicts.pop()
    meaningful = verdicts - {Verdict.NOT_MEANINGFUL}
    return meaningful.pop() if len(meaningful) == 1 else Verdict.INCONCLUSIVE
