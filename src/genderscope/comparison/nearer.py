"""How much further from the neutral point one run is than another, with an interval.

With d = b - a and s = b + a (both counted from the neutral point), |b| - |a| is min(|d|, |s|) with the sign of d · s.
So it lies between the minimum and the maximum of that function over the intervals of d and s. Only one of the two
matters at any point unless a or b is 0, so the interval has the coverage of those of d and s, and more near neutral.
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
    """Return the interval of |b| - |a| from those of b - a and b + a; of arrays, element by element."""
    least = _most((-difference[1], -difference[0]), total)
    return -least + 0.0, _most(difference, total)


def _most(difference: tuple[Value, Value], total: tuple[Value, Value]) -> Value:
    """The greatest |b| - |a| with both in their intervals: both as large as possible, or both as small."""
    up, down = np.minimum(difference[1], total[1]), np.minimum(-difference[0], -total[0])
    most = np.maximum(up, down)
    return np.where(most > 0, most, _least_negative(difference, total))[()]  # type: ignore[return-value]


def _least_negative(difference: tuple[Value, Value], total: tuple[Value, Value]) -> Value:
    """If the signs differ throughout: minus the smaller of the two minimum sizes."""
    sizes = [np.maximum(0.0, np.maximum(low, -high)) for low, high in (difference, total)]
    return -np.minimum(*sizes)  # type: ignore[no-any-return]
