"""Placement of point labels next to their points and inside the chart, with minimal overlap."""

from collections.abc import Mapping, Sequence
from typing import Any

from genderscope.report.charts.style import WIDER, Size

Box = tuple[float, float, float, float]
Bounds = tuple[float, float]
#: distance between a label and its point in pixels
AWAY = 9


def _width(text: str, size: Size) -> float:
    """Return an upper bound on a label's width in pixels."""
    return 0.56 * WIDER * (size.text - 1) * len(text)


def add_labels(
    records: Sequence[dict[str, Any]],
    names: Sequence[str],
    axes: Mapping[str, Bounds],
    area: tuple[float, float],
    size: Size,
) -> None:
    """Add to each record its point's label, and the label's centre as `text_x` and `text_y`.

    `axes` are the fields on the x and y axes with the ends of their domains.
    """
    (x, (left, right)), (y, (bottom, top)) = axes.items()
    scale = area[0] / (right - left), area[1] / (top - bottom)
    pixels = [((record[x] - left) * scale[0], (top - record[y]) * scale[1]) for record in records]
    for record, name, (across, down) in zip(records, names, _centres(pixels, names, area, size), strict=True):
        record |= {"name": name, "text_x": left + across / scale[0], "text_y": top - down / scale[1]}


def _centres(
    points: Sequence[tuple[float, float]], names: Sequence[str], area: tuple[float, float], size: Size
) -> list[tuple[float, float]]:
    """Return the centre of each point's label in a chart of this area, all in pixels."""
    taken: list[Box] = [(x - 6, y - 6, x + 6, y + 6) for x, y in points]
    centres = []
    for (x, y), name in zip(points, names, strict=True):
        half, tall = _width(name, size) / 2, size.text * 0.62
        places = [
            (x + across * (half + AWAY), y + up)
            for up in (0.0, *(sign * k * (tall + AWAY) for k in (1, 2, 3) for sign in (-1, 1)))
            for across in (1, -1, 0)
        ]
        best = min(places, key=lambda at: _cost(_box(at, half, tall), taken, area, at, (x, y)))
        taken.append(_box(best, half, tall))
        centres.append(best)
    return centres


def _box(at: tuple[float, float], half: float, tall: float) -> Box:
    return at[0] - half, at[1] - tall, at[0] + half, at[1] + tall


def _cost(
    box: Box, taken: Sequence[Box], area: tuple[float, float], at: tuple[float, float], point: tuple[float, float]
) -> float:
    """Return a position's cost: high outside the chart, medium for overlaps, low for distance from the point."""
    outside = max(0.0, -box[0]) + max(0.0, box[2] - area[0]) + max(0.0, -box[1]) + max(0.0, box[3] - area[1])
    covered = sum(_shared(box[::2], other[::2]) * _shared(box[1::2], other[1::2]) for other in taken)
    return 1000 * outside + covered + 0.05 * (abs(at[0] - point[0]) + 2 * abs(at[1] - point[1]))


def _shared(one: Sequence[float], other: Sequence[float]) -> float:
    return max(0.0, min(one[1], other[1]) - max(one[0], other[0]))
