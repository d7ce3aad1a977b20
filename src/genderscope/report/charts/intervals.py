"""Forest plots of values with intervals, one per row; the basis of most figures."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from genderscope.report.charts.style import (
    LINE,
    NEITHER,
    PAGE,
    Size,
    Spec,
    across,
    axis_title,
    counted,
    dots,
    end,
    failure,
    field,
    in_lines,
    interval_fields,
    label,
    layered,
    legend_lines,
    log_ticks,
    marks,
    neutral_line,
    solid_or_hollow,
    styled,
    told,
)
from genderscope.statistics.estimate import Estimate

#: joins heading and row name into a unique key
_BETWEEN = "\u2063"


@dataclass(frozen=True)
class Point:
    """One estimate in a chart: its row, heading and series, and its filter keys."""

    row: str
    estimate: Estimate
    keys: Mapping[str, object]
    heading: str = ""
    series: str = ""

    @property
    def place(self) -> str:
        """The unique key of the row."""
        return _place(self.row, self.heading)

    @property
    def text(self) -> str:
        """The tooltip text."""
        names = ", ".join(dict.fromkeys(part for part in (self.row, self.heading, self.series) if part))
        return f"{names}\n{told(self.estimate)}\n{counted(self.estimate)}"

    def record(self) -> dict[str, Any]:
        """Return the point's data record."""
        drawn = {"row": self.place, "series": self.series, "label": label(self.text, **self.keys)}
        return {**interval_fields(self.estimate), **failure(self.estimate), **drawn}


@dataclass(frozen=True)
class Gap:
    """The gap between two values, drawn as a line in a separate row and as shading across all rows."""

    row: str
    low: float
    high: float
    text: str
    heading: str = ""
    #: why the gap is not meaningful, as a field of its record; empty if it is
    failure: Mapping[str, str] | None = None


def _place(row: str, heading: str) -> str:
    return f"{heading}{_BETWEEN}{row}" if heading else row


def intervals(
    points: Sequence[Point],
    title: str,
    colours: Mapping[str, str] | None = None,
    domain: tuple[float, float] | None = None,
    legend: bool = False,
    size: Size = PAGE,
    gap: Gap | None = None,
) -> Spec:
    """Draw each point as a dot with its interval, on a log axis for ratios (neutral 1).

    `colours` maps series to colours. With a `legend`, a row's series are drawn one below the other. A `gap` is
    placed after the points under its heading.
    """
    along, scale = _along(points, title, domain, size)
    rows = _rows(points, gap)
    lines = [in_lines(row.rpartition(_BETWEEN)[2], size) for row in rows]
    series = list(colours or {"": NEITHER})
    beside = legend and len(series) > 1
    shown: dict[str, Any] = {
        "y": _up(rows, lines),
        "description": field("label:N"),
        "color": field(
            "series:N",
            title=None,
            scale={"domain": series, "range": list((colours or {"": NEITHER}).values())},
            legend={"symbolType": "circle", "labelExpr": legend_lines(series, size)} if beside else None,
        ),
    }
    if beside:
        shown["yOffset"] = field("series:N", sort=series, scale={"domain": series, "paddingOuter": 0.6})
    span = {"x": field("low:Q", scale=scale, title=axis_title(title, size)), "x2": end("high"), **shown}
    records = [point.record() for point in points]
    layers = dots(span, {"x": along, **shown}, records, strokeWidth=3.5, strokeCap="round", opacity=0.75)
    if (neutral := points[0].estimate.neutral) is not None:
        layers.insert(0, neutral_line("x", neutral, 1.5, scale=scale))
    if gap is not None:
        shade, *line = _gap_layers(gap, scale, shown["y"])
        layers = [shade, *layers, *line]
    tall = max(max(map(len, lines)) * (size.text + 2) + 10, 15 * len(series) + 12 if beside else 0)
    return styled(layered(layers, records, **across(size.width, tall * len(rows))), size)


def _rows(points: Sequence[Point], gap: Gap | None) -> list[str]:
    """Return all rows from top to bottom, including headings, with the gap after the last point under its heading."""
    rows: dict[str, None] = {}
    last = max((k for k, point in enumerate(points) if gap and point.heading == gap.heading), default=None)
    for k, point in enumerate(points):
        if point.heading:
            rows.setdefault(_BETWEEN + point.heading)
        rows.setdefault(point.place)
        if gap is not None and k == last:
            rows.setdefault(_place(gap.row, gap.heading))
    return list(rows)


def _gap_layers(gap: Gap, scale: Spec, up: Spec) -> list[Spec]:
    """Draw the shading between two values, and the line between them in a separate row."""
    place = _place(gap.row, gap.heading)
    records = [{"from": gap.low, "to": gap.high, "row": place, "label": label(gap.text), **(gap.failure or {})}]
    span = {"x": field("from:Q", scale=scale), "x2": end("to")}
    shade = marks("rect", span, records, color=LINE, opacity=0.16)
    line = marks("rule", {**span, "y": up, "description": field("label:N")}, records, color=LINE, strokeWidth=3)
    lines = solid_or_hollow(line, records)
    ticks = [
        marks("tick", {"x": field(at, scale=scale), "y": up}, records, color=LINE, thickness=3, size=13)
        for at in ("from:Q", "to:Q")
    ]
    return [shade, *lines, *ticks]


def _up(rows: Sequence[str], lines: Sequence[Sequence[str]]) -> Spec:
    """Return the row axis, with wrapped names and bold headings."""
    headings = [row for row in rows if row.startswith(_BETWEEN)]
    bold = {"test": f"indexof({json.dumps(headings)}, datum.value) >= 0", "value": "bold"}
    axis = {
        "labelExpr": f"{json.dumps(lines)}[indexof({json.dumps(rows)}, datum.value)]",
        "labelFontWeight": {"condition": bold, "value": "normal"},
        "ticks": False,
        "domain": False,
        "grid": True,
        "labelPadding": 8,
    }
    return field("row:N", sort=None, title=None, scale={"domain": list(rows)}, axis=axis)


def _along(points: Sequence[Point], title: str, domain: tuple[float, float] | None, size: Size) -> tuple[Spec, Spec]:
    """Return the value axis and its scale, which covers all intervals and the neutral point."""
    neutral = points[0].estimate.neutral
    values = [v for point in points for v in interval_fields(point.estimate).values() if v is not None]
    ratio = neutral == 1 and min(values) > 0 and domain is None
    low, high = domain or _reach([*values, *([] if neutral is None else [neutral])], ratio, neutral == 0)
    scale = {"type": "log" if ratio else "linear", "domain": [low, high], "nice": False, "zero": False}
    count = 4 if size.narrow else 8
    ticks = {"values": log_ticks(low, high, count // 2)} if ratio else {"tickCount": count}
    return field("value:Q", scale=scale, title=axis_title(title, size), axis=ticks), scale


def _reach(values: Sequence[float], ratio: bool, from_zero: bool) -> tuple[float, float]:
    """Return an axis domain with a margin at each end, but none below 0 if the axis starts at a neutral point of 0."""
    low, high = min(values), max(values)
    if ratio:
        room = (high / low) ** 0.04 if high > low else 1.1
        return low / room, high * room
    room = (high - low) * 0.04 or 1.0
    return low if from_zero and low == 0 else low - room, high + room
