"""Vega-Lite specifications as plain dictionaries, since importing Altair would take longer than drawing."""

from collections.abc import Mapping, Sequence
from typing import Any

#: a Vega-Lite specification or part of it
Spec = dict[str, Any]
Records = Sequence[Mapping[Any, Any]]

_TYPES = {"Q": "quantitative", "N": "nominal"}


def field(shorthand: str, **options: Any) -> Spec:
    """Return a channel that encodes a field: `rate:Q` is quantitative, `name:N` nominal."""
    name, _, kind = shorthand.rpartition(":")
    return {"field": name, "type": _TYPES[kind], **options}


def end(name: str) -> Spec:
    """Return the channel for the other end of a line or box, which has the same type and scale as the first end."""
    return {"field": name}


def marks(kind: str, encoding: Mapping[str, Any], records: Records | None = None, **options: Any) -> Spec:
    """Return a layer of marks, with its own records or the chart's."""
    layer: Spec = {"mark": {"type": kind, **options}, "encoding": dict(encoding)}
    return layer if records is None else {"data": {"values": list(records)}, **layer}


def solid_or_hollow(layer: Spec, records: Records) -> list[Spec]:
    """Split a layer of points or lines: records with a `failure`, if there are any, are hollow or dashed."""
    if not any("failure" in record for record in records):
        return [layer]
    hollow = {"filled": False, "strokeWidth": 2} if layer["mark"]["type"] == "point" else {"strokeDash": [2, 5]}
    return [
        {"transform": [{"filter": "!isValid(datum.failure)"}], **layer},
        {"transform": [{"filter": "isValid(datum.failure)"}], **layer, "mark": {**layer["mark"], **hollow}},
    ]


def dots(bar: Mapping[str, Any], dot: Mapping[str, Any], records: Records, size: int = 120, **look: Any) -> list[Spec]:
    """Return the layers of intervals, with this `look`, and of the values on them."""
    layers = marks("rule", bar, **look), marks("point", dot, filled=True, size=size, opacity=1)
    return [part for layer in layers for part in solid_or_hollow(layer, records)]


#: opacity of cells: pale for records with a `failure`
PALE: Spec = {"condition": {"test": "isValid(datum.failure)", "value": 0.3}, "value": 1}


def layered(layers: Sequence[Spec], records: Records | None = None, **properties: Any) -> Spec:
    """Return a layered chart, with the first layer at the back."""
    chart: Spec = {"layer": list(layers), **properties}
    return chart if records is None else {"data": {"values": list(records)}, **chart}


def across(width: float, height: float) -> Spec:
    """Return a chart's size properties; the width includes row labels, the height excludes the axis."""
    return {"width": width, "height": height, "autosize": {"type": "fit-x", "contains": "padding"}}


def neutral_line(channel: str, at: float, wide: float = 1, **options: Any) -> Spec:
    """Return a dashed line at the neutral point of the `x` or `y` axis."""
    look = {"strokeDash": [5, 4], "strokeWidth": wide, "stroke": "currentColor", "opacity": 0.7}
    return marks("rule", {channel: field("at:Q", **options)}, [{"at": at}], **look)


def diverging(low: str, high: str, reach: float = 1.0) -> Spec:
    """Return a colour scale from -reach to reach that is pale at 0."""
    return {"domain": [-reach, 0, reach], "range": [low, "#f4f1f7", high], "interpolate": "rgb"}


#: colour channel for a correlation `r`
CORRELATION = field("r:Q", scale=diverging("#c8641b", "#8a5fbf"), title="r")
