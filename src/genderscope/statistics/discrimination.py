"""How well a score separates two groups: the area under the ROC curve with its interval."""

import math
from collections.abc import Callable, Sequence

from genderscope.statistics.quantiles import normal_quantile

#: steps of the bisection, more than a double can tell apart
_STEPS = 60


def area_under_curve(
    higher: Sequence[float], lower: Sequence[float], confidence: float = 0.95
) -> tuple[float, tuple[float, float]]:
    """Return the probability that a value of the first group exceeds one of the second (ties count half).

    The interval is method 5 of Newcombe (2006, "Confidence intervals for an effect size measure based on the
    Mann-Whitney statistic, part 2"): it solves for the areas whose Hanley-McNeil error reaches the observed one, so it
    does not collapse when the groups are separated completely.
    """
    wins = sum((a > b) + (a == b) / 2 for a in higher for b in lower)
    area = wins / (len(higher) * len(lower))
    z = normal_quantile((1 + confidence) / 2)

    def too_far(other: float) -> bool:
        return abs(area - other) > z * _error(other, len(higher), len(lower))

    return area, (_edge(area, 0.0, too_far), _edge(area, 1.0, too_far))


def _error(area: float, m: int, n: int) -> float:
    """Return the Hanley-McNeil standard error of an area, with the mean of both group sizes as in Newcombe."""
    size = (m + n) / 2 - 1
    spread = 1 + size * ((1 - area) / (2 - area) + area / (1 + area))
    return math.sqrt(area * (1 - area) * spread / (m * n))


def _edge(inside: float, outside: float, too_far: Callable[[float], bool]) -> float:
    """Return the area between `inside` and `outside` at which the difference becomes too large."""
    for _ in range(_STEPS):
        middle = (inside + outside) / 2
        if too_far(middle):
            outside = middle
        else:
            inside = middle
    return inside
