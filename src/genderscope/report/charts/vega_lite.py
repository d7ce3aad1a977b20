"""Building blocks of Vega-Lite specifications as plain values, since importing Altair is slower than drawing."""

from collections.abc import Mapping, Sequence
from typing import Any

#: a specification, or a part of one
Spec = dict[str, Any]
Records = Sequence[Mapping[str, Any]]

_TYPES = {"Q": "quantitative", "N": "nominal"}


def field(shorthand: str, **options: Any) -> Spec:
    """Return a channel that encodes a field: `rate:Q` is the number `rate`, `name:N` the name `name`."""
    name, _, kind = shorthand.rpartition(":")
    return {"field": name, "type": _TYPES[kind], **options}


def end(name: str) -> Spec:
    """Return the channel of the other end of a line or box; it shares type and scale with the first."""
    return {"field": name}


def marks(kind: str, encoding: Mapping[str, Any], records: Records | None = None, **options: Any) -> Spec:
    """Return a layer of marks, drawn from its own records or else from the chart's."""
    layer: Spec = {"mark": {"type": kind, **options}, "encoding": dict(encoding)}
    return layer if records is None else {"data": {"values": list(records)}, **layer}


def layered(layers: Sequence[Spec], records: Records | None = None, **properties: Any) -> Spec:
    """Return a chart of layers, the first at the back."""
    chart: Spec = {"layer": list(layers), **properties}
    return chart if records is None else {"data": {"values": list(records)}, **chart}


def across(width: float, height: float) -> Spec:
    """Return the size of a chart; the width includes row labels, the height excludes the axis."""
    return {"width": width, "height": height, "autosize": {"type": "fit-x", "contains": "padding"}}


def neutral_line(channel: str, at: float, wide: float = 1, **options: Any) -> Spec:
    """Return the dashed line at the neutral point of the `x` or `y` axis."""
    look = {"strokeDash": [5, 4], "strokeWidth": wide, "stroke": "currentColor", "opacity": 0.7}
    return marks("rule", {channel: field("at:Q", **options)}, [{"at": at}], **look)


def diverging(low: str, high: str, reach: float = 1.0) -> Spec:
    """Return a colour scale from -reach to reach that is pale at 0."""
    return {"domain": [-reach, 0, reach], "range": [low, "#f4f1f7", high], "interpolate": "rgb"}


#: the colour channel of a correlation `r`
CORRELATION = field("r:Q", scale=diverging("#c8641b", "#8a5fbf"), title="r")
