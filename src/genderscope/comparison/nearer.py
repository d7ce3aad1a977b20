"""How much further from the neutral point one run is than another, with an interval.

With d = b - a and s = b + a (both counted from the neutral point), |b| - |a| is min(|d|, |s|) with the sign of d · s.
So it lies between the minimum and the maximum of that function over the intervals of d and s. Only one of the two
matters at any point unless a or b is 0, so the interval has the coverage of those of d and s, and more near neutral.
"""

import math

Ends = tuple[float, float]


def further(difference: float, total: float) -> float:
    """Return |b| - |a| from b - a and b + a."""
    return math.copysign(min(abs(difference), abs(total)), difference * total) if difference and total else 0.0


def further_interval(difference: Ends, total: Ends) -> Ends:
    """Return the interval of |b| - |a| from those of b - a and b + a."""
    least = _most((-difference[1], -difference[0]), total)
    return -least + 0.0, _most(difference, total)


def _most(difference: Ends, total: Ends) -> float:
    """The greatest |b| - |a| with both in their intervals: both as large as possible, or both as small."""
    up, down = min(difference[1], total[1]), min(-difference[0], -total[0])
    return max(up, down) if max(up, down) > 0 else _least_negative(difference, total)


def _least_negative(difference: Ends, total: Ends) -> float:
    """If the signs differ throughout: minus the smaller of the two minimum sizes."""
    return -min(max(0.0, difference[0], -difference[1]), max(0.0, total[0], -total[1]))
