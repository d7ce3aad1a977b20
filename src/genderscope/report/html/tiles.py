"""The tiles at the top of a report, each with one headline estimate and a plot of its interval."""

import math
from collections.abc import Sequence
from typing import Any

from genderscope.judgement import Margin
from genderscope.measures import margin_of
from genderscope.reference import known_values
from genderscope.report.views.plain_view import View, known_measure, number, wide_interval
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate


def tile(estimate: Estimate, view: View, result: Result) -> dict[str, Any]:
    """Return a tile's texts and plot, with more than two decimals only if the interval is narrow or missing."""
    fine = estimate.low is None or estimate.high is None or estimate.high - estimate.low < 0.02
    below, above = view.direction.get(estimate.name, ("", ""))
    margin = margin_of(result, estimate) if known_measure(result.measure) else None
    return {
        "name": estimate.label,
        "scope": view.where(estimate),
        "meaning": view.explain(estimate),
        "value": _written(estimate.value, fine),
        "intervals": _intervals(estimate, view, fine),
        "why": estimate.remark or "no interval",
        "neutral": "–" if estimate.neutral is None else f"{estimate.neutral:g}",
        "n": f"{estimate.n:,}",
        "unread": f"{estimate.unread:,}",
        "below": below,
        "above": above,
        "threshold": "" if margin is None else str(margin),
        "strip": _strip(estimate, known_values(result, estimate).ticks, margin),
    }


def _intervals(e: Estimate, view: View, fine: bool) -> list[str]:
    """Return the narrow interval, then the wide one; if there are both, each with what it generalises over."""
    if e.low is None:
        return []
    narrow, wide = (
        " to ".join(_written(end, fine) for end in bounds) for bounds in ((e.low, e.high), (e.wide_low, e.wide_high))
    )
    if wide_interval(e) is None:
        return [f"95 % interval {narrow}"]
    return [f"95 % interval {narrow} for other {view.units}", f"{wide} for other {e.wide_units} too"]


def _written(value: float | None, fine: bool) -> str:
    return number(value) if fine or value is None else f"{round(value, 2) + 0.0:.2f}"


def _strip(e: Estimate, published: Sequence[tuple[str, float]], margin: Margin | None) -> dict[str, Any] | None:
    """Return the positions on a strip centred at the neutral point, in per cent; ratios are on a log scale.

    `wide` is the wide interval, if any, `band` is the range within the threshold, and `ticks` are the published models.
    """
    if e.value is None or e.low is None or e.high is None or e.neutral is None:
        return None
    neutral, ratio = e.neutral, e.neutral == 1 and e.low > 0

    def distance(v: float) -> float:
        return math.log(v) if ratio else v - neutral

    value, low, high = (distance(v) for v in (e.value, e.low, e.high))
    others = [(distance(v), f"{name} {v:.2f}") for name, v in published if v > 0 or not ratio]
    known_wide = wide_interval(e) is not None and not (ratio and (e.wide_low or 0) <= 0)
    wide = [distance(v) for v in (e.wide_low, e.wide_high) if v is not None and known_wide]
    width = 0.0 if margin is None else margin.distance
    reach = 1.15 * max(abs(x) for x in (low, high, value, width, *wide, *(x for x, _ in others))) or 1.0
    # For estimates that cannot be below the neutral point, the strip starts there.
    one_sided = e.neutral == 0 and e.name in {"honest_score", "share", "error"}

    def place(x: float) -> float:
        return round(100 * max(x, 0.0) / reach if one_sided else 50 + 50 * x / reach, 2)

    places = {"value": value, "low": low, "high": high, "neutral": 0.0}
    return {
        **{name: place(x) for name, x in places.items()},
        "ends": [_written(math.exp(x) if ratio else neutral + x, fine=False) for x in (-reach, reach)],
        "wide": [place(x) for x in wide],
        "band": None if margin is None else (place(-width), place(width)),
        "ticks": [(name, place(x)) for x, name in others],
    }
