"""Stacked bars of outcome shares, one bar per row."""

from collections.abc import Mapping, Sequence
from typing import Any

from genderscope.report.charts.intervals import Point
from genderscope.report.charts.style import PAGE, Size, Spec, across, counted, field, label, marks, styled


def stacked(points: Sequence[Point], colours: Mapping[str, str], size: Size = PAGE) -> Spec:
    """Draw one bar per row, with a segment for each series, in the order of the colours."""
    outcomes = [outcome for outcome in colours if any(point.series == outcome for point in points)]
    rows = list(dict.fromkeys(point.row for point in points))
    shown = [_record(point, outcomes.index(point.series)) for point in points if point.estimate.value]
    encoding = {
        "x": field(
            "share:Q",
            title="share of readable answers",
            scale={"domain": [0, 1.0001], "nice": False},
            axis={"format": "%", "tickCount": 4 if size.narrow else 8},
        ),
        "y": field(
            "row:N",
            title=None,
            scale={"domain": rows},
            axis={"ticks": False, "domain": False, "labelPadding": 8},
        ),
        "color": field(
            "outcome:N",
            title=None,
            scale={"domain": outcomes, "range": [colours[outcome] for outcome in outcomes]},
            legend={"symbolType": "square", "columns": 2 if size.narrow else 0},
        ),
        "order": field("place:Q"),
        "description": field("label:N"),
    }
    bars = marks("bar", encoding, shown, height={"band": 0.78})
    return styled({**bars, **across(size.width, (size.text + 12) * len(rows))}, size)


def _record(point: Point, place: int) -> dict[str, Any]:
    """Return a segment's data record."""
    e = point.estimate
    interval = "" if e.low is None else f"\n95 % interval {e.low:.0%} to {e.high:.0%}"
    text = f"{point.row}: {point.series} {e.value:.0%}{interval}\n{counted(e)}"
    drawn = {"row": point.row, "outcome": point.series, "share": e.value, "place": place}
    return {**drawn, "label": label(text, **point.keys)}
