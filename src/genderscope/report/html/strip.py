"""One estimate as a line of a few hundred bytes of SVG: interval, value, neutral point."""

from markupsafe import Markup

from genderscope.report.charts.forest import Axis
from genderscope.statistics.estimate import Estimate

WIDTH, HEIGHT, MARGIN = 150, 16, 6


def strip(estimate: Estimate, axis: Axis) -> Markup:
    """Draw an estimate on an axis that others share; the colour is that of the text around it."""
    middle = HEIGHT / 2
    zero = _x(axis.neutral, axis)
    parts = [f'<path d="M{zero} 1V{HEIGHT - 1}" stroke="currentColor" stroke-dasharray="2 2" opacity=".6"/>']
    if estimate.low is not None and estimate.high is not None:
        ends = f"M{_x(estimate.low, axis)} {middle:g}H{_x(estimate.high, axis)}"
        parts.append(f'<path d="{ends}" stroke="#8a5fbf" stroke-width="3"/>')
    if estimate.value is not None:
        parts.append(f'<circle cx="{_x(estimate.value, axis)}" cy="{middle:g}" r="4" fill="#c8641b"/>')
    size = f'width="{WIDTH + 2 * MARGIN}" height="{HEIGHT}"'
    # Only numbers went in, so there is nothing to escape.
    return Markup(f'<svg role="img" aria-label="interval" {size} fill="none">{"".join(parts)}</svg>')


def _x(value: float, axis: Axis) -> int:
    return MARGIN + axis.column(value, WIDTH + 1)
