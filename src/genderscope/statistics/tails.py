"""Quantiles and tails of the normal distribution and of Student's t, one number at a time.

The numbers are those of scipy.stats, which takes fifty times as long for a single one (a comparison needs thousands)
and half a second to import.
"""

import math
from functools import cache
from typing import Any


@cache
def _special() -> Any:
    from scipy import special  # a third of a second to import, and not every command computes

    return special


def normal_quantile(p: float) -> float:
    """Return the point that a share p of the normal distribution lies below."""
    return float(_special().ndtri(p))


def normal_tail(x: float) -> float:
    """Return the share of the normal distribution above x."""
    return float(_special().ndtr(-x))


def student_quantile(p: float, freedom: float) -> float:
    """Return the point that a share p of Student's t with so many degrees of freedom lies below."""
    return -math.inf if p == 0 and freedom > 0 else float(_special().stdtrit(freedom, p))


def student_tail(x: float, freedom: float) -> float:
    """Return the share of Student's t above x."""
    return float(_special().stdtr(freedom, -x))
