"""Quantiles and tails of the normal distribution and of Student's t, one number at a time.

The numbers are those of scipy.stats, which takes fifty times as long for a single one (a comparison needs thousands)
and half a second to import.
"""

import math

from scipy import special


def normal_quantile(p: float) -> float:
    """Return the point that a share p of the normal distribution lies below."""
    return float(special.ndtri(p))


def normal_tail(x: float) -> float:
    """Return the share of the normal distribution above x."""
    return float(special.ndtr(-x))


def student_quantile(p: float, freedom: float) -> float:
    """Return the point that a share p of Student's t with so many degrees of freedom lies below."""
    return -math.inf if p == 0 and freedom > 0 else float(special.stdtrit(freedom, p))


def student_tail(x: float, freedom: float) -> float:
    """Return the share of Student's t above x."""
    return float(special.stdtr(freedom, -x))
