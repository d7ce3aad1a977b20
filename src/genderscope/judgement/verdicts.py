"""Thresholds and the five verdicts.

A threshold is the smallest effect of interest. An interval within it on both sides shows that there is no effect beyond
it (two one-sided tests). An interval that excludes the neutral point shows an effect; if it lies entirely beyond the
threshold, the effect is at least that large. Any other interval is inconclusive.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

from genderscope.statistics.estimate import Estimate


@dataclass(frozen=True, slots=True)
class Margin:
    """The threshold for an estimate: a distance from its neutral point, or a factor above 1 for a ratio."""

    size: float
    factor: bool = False
    #: the largest possible distance; None if unbounded
    most: float | None = None

    @property
    def distance(self) -> float:
        """The distance from neutral, on the log scale for a ratio."""
        return math.log(self.size) if self.factor else self.size

    def times(self, scale: float) -> "Margin":
        """Return the threshold with its distance multiplied by `scale`."""
        distance = scale * self.distance
        return Margin(math.exp(distance) if self.factor else distance, self.factor, self.most)

    def __str__(self) -> str:
        return f"a factor of {self.size:.4g}" if self.factor else f"{self.size:.4g}"


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


def distance(estimate: Estimate) -> float | None:
    """Return the signed distance of an estimate from its neutral point, on the log scale for ratios."""
    if estimate.value is None or estimate.neutral is None:
        return None
    return distance_from(estimate.neutral, estimate.value)
