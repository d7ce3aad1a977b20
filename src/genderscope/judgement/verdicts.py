"""The five verdicts, and the comparison of an interval with a threshold.

An interval within the threshold on both sides shows that there is no effect beyond it (two one-sided tests). An
interval that excludes the neutral point shows an effect; if it lies entirely beyond the threshold, the effect is at
least that large. Any other interval is inconclusive.
"""

import math
from enum import StrEnum

from genderscope.judgement.thresholds import Margin


class Verdict(StrEnum):
    """The conclusion about an estimate; the order of the members is used for sorting."""

    NOT_MEANINGFUL = "not meaningful"
    INCONCLUSIVE = "inconclusive"
    NO_EFFECT = "no effect beyond the threshold"
    EFFECT = "effect, perhaps below the threshold"
    LARGE_EFFECT = "effect beyond the threshold"

    @property
    def is_effect(self) -> bool:
        """Whether the value differs significantly from its neutral point."""
        return self in {Verdict.EFFECT, Verdict.LARGE_EFFECT}

    @property
    def is_open(self) -> bool:
        """Whether the result supports neither an effect nor its absence."""
        return self in {Verdict.NOT_MEANINGFUL, Verdict.INCONCLUSIVE}


def judge_interval(low: float | None, high: float | None, neutral: float | None, margin: Margin | None) -> Verdict:
    """Return the verdict for an interval, given its neutral point and threshold."""
    if low is None or high is None or neutral is None or not (math.isfinite(low) and math.isfinite(high)):
        return Verdict.INCONCLUSIVE
    distances = distance_from(neutral, low), distance_from(neutral, high)
    clear = distances[0] > 0 or distances[1] < 0
    if margin is not None:
        if -margin.distance < distances[0] and distances[1] < margin.distance:
            return Verdict.NO_EFFECT
        if distances[0] >= margin.distance or distances[1] <= -margin.distance:
            return Verdict.LARGE_EFFECT
    return Verdict.EFFECT if clear else Verdict.INCONCLUSIVE


def distance_from(neutral: float, value: float) -> float:
    """Return a value's signed distance from its neutral point, on the log scale for a ratio."""
    if neutral == 1:
        return math.log(value) if value > 0 else -math.inf
    return value - neutral
