"""Power: how many samples an effect needs, and the smallest effect a number of samples can show (normal theory).

The standard error of an estimate over n samples is its spread over the square root of n. A two-sided test at 5 %
detects an effect δ with the given power if δ = (z(97.5 %) + z(power)) spread / √n. The equivalence test, which shows
that there is no effect as large as a margin if there is none, has z((1 + power) / 2) instead: both sides must succeed.
"""

import math

from genderscope.statistics.tails import normal_quantile

LEVEL = 0.05
POWERS = (0.8, 0.9)


def samples_needed(effect: float, spread: float, power: float) -> int:
    """Return how many samples are needed to detect an effect of this size."""
    return _whole((_reach(power) * spread / effect) ** 2)


def samples_to_exclude(margin: float, spread: float, power: float) -> int:
    """Return how many samples are needed to show that there is no effect as large as the margin, if there is none."""
    return _whole((_reach((1 + power) / 2) * spread / margin) ** 2)


def smallest_effect(samples: int, spread: float, power: float) -> float:
    """Return the smallest effect that this many samples can detect."""
    return _reach(power) * spread / math.sqrt(samples)


def _reach(power: float) -> float:
    return normal_quantile(power) - normal_quantile(LEVEL / 2)


def _whole(samples: float) -> int:
    """Round up, to at least 4, below which there is no interval."""
    return max(4, math.ceil(samples - 1e-9))
