"""Inline SVG plots of single estimates: interval, value and neutral point."""

from collections.abc import Sequence
from dataclasses import replace

from markupsafe import Markup

from genderscope.judgement import Difference
from genderscope.report.charts.forest import Axis
from genderscope.statistics.estimate import Estimate

WIDTH, HEIGHT, MARGIN = 150, 16, 6


def strip(estimate: Estimate, axis: Axis) -> Markup:
    """Draw an estimate on a shared axis."""
    middle = HEIGHT / 2
    zero = _x(axis.neutral, axis)
    parts = [f'<path d="M{zero} 1V{HEIGHT - 1}" stroke="currentColor" stroke-dasharray="2 2" opacity=".6"/>']
    if estimate.low is not None and estimate.high is not None:
        ends = f"M{_x(estimate.low, axis)} {middle:g}H{_x(estimate.high, axis)}"
        parts.append(f'<path d="{ends}" stroke="#8a5fbf" stroke-width="3"/>')
    if estimate.value is not None:
        parts.append(f'<circle cx="{_x(estimate.value, axis)}" cy="{middle:g}" r="4" fill="#c8641b"/>')
    size = f'width="{WIDTH + 2 * MARGIN}" height="{HEIGHT}"'
    # All inserted values are numbers, so nothing needs escaping.
    return Markup(f'<svg role="img" aria-label="interval" {size} fill="none">{"".join(parts)}</svg>')


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
