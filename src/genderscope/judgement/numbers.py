"""Numbers as text, with as many decimals as an interval supports."""

import math

from genderscope.statistics.estimate import Estimate


def format_value(e: Estimate) -> str:
    """Write the value with as many decimals as its interval supports."""
    return format_number(e.value, decimals(e))


def format_number(value: float | None, places: int) -> str:
    """Write a number; one that rounds to zero is 0, without sign or decimals."""
    if value is None:
        return "–"
    return "0" if round(value, places) == 0 else f"{value:.{places}f}".replace("-", "−")


def format_ends(e: Estimate, low: float | None, high: float | None) -> str:
    """Write an interval of an estimate: 1.08 to 1.27."""
    places = decimals(e)
    return f"{format_number(low, places)} to {format_number(high, places)}"


def with_interval(e: Estimate, name: str | None = None, count: str = "") -> str:
    """Write the uncertainty of a value: g_s, 95 % interval 1.08 to 1.27, neutral 1, n = 256."""
    within = "" if e.low is None else f", 95 % interval {format_ends(e, e.low, e.high)}"
    neutral = "" if e.neutral is None else f", neutral {e.neutral:g}"
    return f"{name or e.name}{within}{neutral}, n = {e.n:,}{count}"


def decimals(e: Estimate) -> int:
    """Return two decimals, or as many as the interval supports, up to six."""
    if e.low is None or e.high is None or e.value is None or not e.high > e.low:
        return 2
    return min(6, max(2, -math.floor(math.log10((e.high - e.low) / 2))))
