"""Interval for how much further from the neutral point one run is than another.

With d = b - a and s = b + a (a and b measured from the neutral point), |b| - |a| is min(|d|, |s|) with the sign of
d · s. It therefore lies between the minimum and the maximum of that function over the intervals of d and s. Unless a or
b is 0, only one of d and s matters at any point, so the interval has the same coverage as theirs, or higher coverage
near neutral.
"""

import math
from typing import TypeVar

import numpy as np
import numpy.typing as npt

Value = TypeVar("Value", float, npt.NDArray[np.float64])


def further(difference: float, total: float) -> float:
    """Return |b| - |a| from b - a and b + a."""
    return math.copysign(min(abs(difference), abs(total)), difference * total) if difference and total else 0.0


def further_interval(difference: tuple[Value, Value], total: tuple[Value, Value]) -> tuple[Value, Value]:
    """Return the interval for |b| - |a|, given those for b - a and b + a; arrays are handled elementwise."""
    least = _most((-difference[1], -difference[0]), total)
    return -least + 0.0, _most(difference, total)


def _most(difference: tuple[Value, Value], total: tuple[Value, Value]) -> Value:
    """Return the maximum of |b| - |a| over both intervals, attained where d and s are both largest or both smallest."""
    up, down = np.minimum(difference[1], total[1]), np.minimum(-difference[0], -total[0])
    most = np.maximum(up, down)
    return np.where(most > 0, most, _least_negative(difference, total))[()]  # type: ignore[return-value]


def _least_negative(difference: tuple[Value, Value], total: tuple[Value, Value]) -> Value:
    """Return the maximum if d and s always have opposite signs: minus the smaller of their minimum magnitudes."""
    sizes = [np.maximum(0.0, np.maximum(low, -high)) for low, high in (difference, total)]
    return -np.minimum(*sizes)  # type: ignore[no-any-return]
