"""The tiles at the top of a report, each with one headline estimate and a plot of its interval."""

import math
from typing import Any

from genderscope.report.views.plain_view import View, number
from genderscope.statistics.estimate import Estimate


def tile(estimate: Estimate, view: View) -> dict[str, Any]:
    """Return a tile's texts and plot, with more than two decimals only if the interval is narrow or missing."""
    fine = estimate.low is None or estimate.high is None or estimate.high - estimate.low < 0.02
    below, above = view.direction.get(estimate.name, ("", ""))
    ends = [_written(end, fine) for end in (estimate.low, estimate.high)]
    return {
        "name": estimate.label,
        "scope": view.where(estimate),
        "meaning": view.explain(estimate),
        "value": _written(estimate.value, fine),
        "interval": "–" if estimate.low is None else " to ".join(ends),
        "neutral": "–" if estimate.neutral is None else f"{estimate.neutral:g}",
        "n": f"{estimate.n:,}",
        "unread": f"{estimate.unread:,}",
        "below": below,
        "above": above,
        "strip": _strip(estimate),
    }


def _written(value: float | None, fine: bool) -> str:
    return number(value) if fine or value is None else f"{round(value, 2) + 0.0:.2f}"


def _strip(e: Estimate) -> dict[str, float] | None:
    """Return the positions on a strip centred at the neutral point, in per cent; ratios are on a log scale."""
    if e.value is None or e.low is None or e.high is None or e.neutral is None:
        return None
    ratio = e.neutral == 1 and e.low > 0
    value, low, high = (math.log(v) if ratio else v - e.neutral for v in (e.value, e.low, e.high))
    reach = 1.15 * max(abs(low), abs(high), abs(value)) or 1.0
    # For estimates that cannot be below the neutral point, the strip starts there.
    one_sided = e.neutral == 0 and e.name in {"honest_score", "share", "error"}
    places = {"value": value, "low": max(low, 0.0) if one_sided else low, "high": high, "neutral": 0.0}
    return {k: round(100 * x / reach if one_sided else 50 + 50 * x / reach, 2) for k, x in places.items()}
