"""The tiles at the top of a report, each with one headline estimate and a plot of its interval."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from genderscope.judgement import Margin
from genderscope.measures import margin_of
from genderscope.reference import known_values
from genderscope.report.views.plain_view import View, number
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate


@dataclass(frozen=True)
class TileStrip:
    """Positions as percentages of the plot's width: value, interval, neutral point, threshold and known models."""

    value: float
    low: float
    high: float
    neutral: float
    #: the values that are not beyond the threshold; None without one
    band: tuple[float, float] | None
    #: names, with their values, and positions of published models
    ticks: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Tile:
    """The texts and plot of one headline estimate."""

    name: str
    scope: str
    meaning: str
    value: str
    interval: str
    neutral: str
    n: str
    unread: str
    below: str
    above: str
    strip: TileStrip | None


def tile(estimate: Estimate, view: View, result: Result) -> Tile:
    """Build a tile, with more than two decimals only if the interval is narrow or missing."""
    known = [(value.model, value.value) for value in known_values(result, estimate).published]
    fine = estimate.low is None or estimate.high is None or estimate.high - estimate.low < 0.02
    below, above = view.direction.get(estimate.name, ("", ""))
    return Tile(
        estimate.label,
        view.where(estimate),
        view.explain(estimate),
        _written(estimate.value, fine),
        "–" if estimate.low is None else f"{_written(estimate.low, fine)} to {_written(estimate.high, fine)}",
        "–" if estimate.neutral is None else f"{estimate.neutral:g}",
        f"{estimate.n:,}",
        f"{estimate.unread:,}",
        below,
        above,
        _strip(estimate, known, margin_of(result, estimate)),
    )


def _written(value: float | None, fine: bool) -> str:
    return number(value) if fine or value is None else f"{round(value, 2) + 0.0:.2f}"


def _strip(e: Estimate, known: Sequence[tuple[str, float]], margin: Margin | None) -> TileStrip | None:
    """Place an estimate on a strip centred at its neutral point, with ratios on a log scale."""
    if e.value is None or e.low is None or e.high is None or e.neutral is None:
        return None
    ratio = e.neutral == 1 and e.low > 0
    neutral = e.neutral

    def distance(v: float) -> float:
        return math.log(v) if ratio else v - neutral

    value, low, high = (distance(v) for v in (e.value, e.low, e.high))
    others = [(f"{name} {v:.2f}", distance(v)) for name, v in known if v > 0 or not ratio]
    width = 0.0 if margin is None else margin.distance
    reach = 1.15 * max(abs(x) for x in (low, high, value, width, *(x for _, x in others))) or 1.0
    # For estimates that cannot be below the neutral point, the strip starts there.
    one_sided = e.neutral == 0 and e.name in {"honest_score", "share", "error"}

    def place(x: float) -> float:
        return round(100 * x / reach if one_sided else 50 + 50 * x / reach, 2)

    ticks = tuple((name, place(x)) for name, x in sorted(others, key=lambda other: other[1]))
    band = None if margin is None else (place(0.0 if one_sided else -width), place(width))
    return TileStrip(place(value), place(max(low, 0.0) if one_sided else low), place(high), place(0.0), band, ticks)
