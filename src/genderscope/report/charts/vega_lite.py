"""Charts as Vega-Lite has them, in plain values: a library to write them with takes longer to import than to draw."""

from collections.abc import Mapping, Sequence
from typing import Any

#: a specification, or a part of one
Spec = dict[str, Any]
Records = Sequence[Mapping[str, Any]]

_TYPES = {"Q": "quantitative", "N": "nominal"}


def field(shorthand: str, **options: Any) -> Spec:
    """Return a channel that shows a field: `rate:Q` is the number `rate`, `name:N` the name `name`."""
    name, _, kind = shorthand.rpartition(":")
    return {"field": name, "type": _TYPES[kind], **options}


def end(name: str) -> Spec:
    """Return the channel of the second end of a line or a box; its type and scale are those of the first."""
    return {"field": name}


def marks(kind: str, encoding: Mapping[str, Any], records: Records | None = None, **options: Any) -> Spec:
    """Return a layer of marks; without records of its own it draws those of the chart."""
    found: Spec = {"mark": {"type": kind, **options}, "encoding": dict(encoding)}
    return found if records is None else {"data": {"values": list(records)}, **found}


def layered(layers: Sequence[Spec], records: Records | None = None, **properties: Any) -> Spec:
    """Return a chart of layers, the first at the back."""
    found: Spec = {"layer": list(layers), **properties}
    return found if records is None else {"data": {"values": list(records)}, **found}


def across(width: float, height: float) -> Spec:
    """Return the size of a chart: its width holds the names of its rows, its height does not hold its axis."""
    return {"width": width, "height": height, "autosize": {"type": "fit-x", "contains": "padding"}}


def neutral_line(channel: str, at: float, wide: float = 1, **options: Any) -> Spec:
    """Return the dashed line at the neutral point, across (`x`) or up (`y`)."""
    look = {"strokeDash": [5, 4], "strokeWidth": wide, "stroke": "currentColor", "opacity": 0.7}
    return marks("rule", {channel: field("at:Q", **options)}, [{"at": at}], **look)
