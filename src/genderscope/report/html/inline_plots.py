"""Inline SVG plots of single estimates: interval, value and neutral point."""

from collections.abc import Sequence
from dataclasses import replace

from markupsafe import Markup

from genderscope.judgement import Difference
from genderscope.report.charts.forest import Axis, svg_interval
from genderscope.statistics.estimate import Estimate

WIDTH, HEIGHT, MARGIN = 150, 16, 6


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
