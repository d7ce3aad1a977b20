"""Intervals drawn as text and as SVG, also inline, on an axis centred at the neutral point."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from genderscope.judgement import Difference
from genderscope.statistics.estimate import Estimate

#: size of an inline plot in pixels
WIDTH, HEIGHT, MARGIN = 150, 16, 6


@dataclass(frozen=True)
class Axis:
    """A scale centred at the neutral point; logarithmic for ratios (neutral 1)."""

    neutral: float
    reach: float

    @classmethod
    def around(cls, estimates: Sequence[Estimate]) -> "Axis":
        """Create an axis that covers all intervals."""
        neutral = next((e.neutral for e in estimates if e.neutral is not None), 0.0)
        values = [v for e in estimates for v in (e.low, e.value, e.high) if v is not None]
        axis = cls(neutral, 1.0)
        return cls(neutral, max((abs(axis._distance(v)) for v in values), default=1.0) or 1.0)

    def _distance(self, value: float) -> float:
        return math.log(value) if self.neutral == 1 else value - self.neutral

    def column(self, value: float, width: int) -> int:
        """Return a value's column on a line of this width."""
        share = self._distance(value) / self.reach
        return round((width - 1) / 2 * (1 + max(-1.0, min(1.0, share))))


def bar(estimate: Estimate | None, axis: Axis, width: int) -> str:
    """Draw an interval as a line, the value as a dot and the neutral point as a bar; without an estimate, only the bar.

    All rows of a plot use the same axis and width, so that their neutral points line up.
    """
    cells = [" "] * width
    if estimate is not None and estimate.low is not None and estimate.high is not None:
        for column in range(axis.column(estimate.low, width), axis.column(estimate.high, width) + 1):
            cells[column] = "─"
    middle = axis.column(axis.neutral, width)
    cells[middle] = "│" if cells[middle] == " " else "┼"
    if estimate is not None and estimate.value is not None:
        cells[axis.column(estimate.value, width)] = "●"
    return "".join(cells)


def svg_interval(
    e: Estimate, place: Callable[[float], int], y: float, look: tuple[int, int, str] = (3, 4, ""), title: str = ""
) -> Markup:
    """Draw an interval as a thick line, a wider one as a thin line, and the value as a dot at height y, as SVG.

    `place` returns a value's x coordinate; `look` is the width of the line, the dot's radius and its other attributes.
    """
    thick, radius, dot = look
    line = Markup('<path d="M{} {:g}H{}" stroke="#8a5fbf" stroke-width="{}"')
    parts = []
    if title and e.wide_low is not None and e.wide_high is not None:
        parts.append(line.format(place(e.wide_low), y, place(e.wide_high), 1.5) + Markup("/>"))
    if e.low is not None and e.high is not None:
        close = Markup("><title>{}</title></path>").format(title) if title else Markup("/>")
        parts.append(line.format(place(e.low), y, place(e.high), thick) + close)
    if e.value is not None:
        circle = Markup('<circle cx="{}" cy="{:g}" r="{}" fill="#c8641b"{}/>')
        parts.append(circle.format(place(e.value), y, radius, Markup(dot)))
    return Markup("").join(parts)


def strip(estimate: Estimate, axis: Axis) -> Markup:
    """Draw an estimate on a shared axis."""
    zero = _x(axis.neutral, axis)
    neutral = f'<path d="M{zero} 1V{HEIGHT - 1}" stroke="currentColor" stroke-dasharray="2 2" opacity=".6"/>'
    drawn = svg_interval(estimate, lambda value: _x(value, axis), HEIGHT / 2)
    size = f'width="{WIDTH + 2 * MARGIN}" height="{HEIGHT}"'
    # All inserted values are numbers, so nothing needs escaping.
    return Markup(f'<svg role="img" aria-label="interval" {size} fill="none">{neutral}{drawn}</svg>')


def difference_strips(differences: Sequence[Difference]) -> list[Markup]:
    """Draw differences, with a shared axis for differences in the same estimate; nothing if not meaningful."""
    drawn = [
        replace(d.of_second, value=d.value, low=d.low, high=d.high, neutral=d.neutral)
        if d.not_meaningful is None
        else replace(d.of_second, value=None, low=None, high=None, neutral=d.neutral)
        for d in differences
    ]
    return [
        strip(e, Axis.around([other for other in drawn if (other.name, other.neutral) == (e.name, e.neutral)]))
        for e in drawn
    ]


def _x(value: float, axis: Axis) -> int:
    return MARGIN + axis.column(value, WIDTH + 1)
