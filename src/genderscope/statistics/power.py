"""How many samples an effect needs, and which effect so many samples show: normal theory on the scale of distances.

The standard error of an estimate over n samples is its spread over the square root of n. An effect δ is told from none,
at 5 % on both sides, with the given power where δ = (z(97.5 %) + z(power)) spread / √n. That there is no effect as
large as a margin is shown, where there is none, with z((1 + power) / 2) in that formula: both sides must succeed.
"""

import math

from scipy import stats

LEVEL = 0.05
POWERS = (0.8, 0.9)


def samples_needed(effect: float, spread: float, power: float) -> int:
    """Return how many samples show an effect of this size."""
    return _whole((_reach(power) * spread / effect) ** 2)


def samples_to_exclude(margin: float, spread: float, power: float) -> int:
    """Return how many samples show that there is no effect as large as the margin, where there is none."""
    return _whole((_reach((1 + power) / 2) * spread / margin) ** 2)


def smallest_effect(samples: int, spread: float, power: float) -> float:
    """Return the smallest effect that so many samples show."""
    return _reach(power) * spread / math.sqrt(samples)


def _reach(power: float) -> float:
    return float(stats.norm.isf(LEVEL / 2) + stats.norm.ppf(power))


def _whole(samples: float) -> int:
    """Round up, and no less than the 4 below which there is no interval."""
    return max(4, math.ceil(samples - 1e-9))
