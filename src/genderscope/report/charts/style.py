"""Parts of Vega-Lite specifications, chart style, and rendering without a network or browser.

Specifications are plain dictionaries, since importing Altair would take longer than drawing.
"""

import json
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from genderscope.judgement import FailedEstimate, describe_failed_values
from genderscope.report.charts.drawing import convert, draw
from genderscope.statistics.estimate import Estimate

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


#: purple and orange: distinguishable for colour-blind readers, and neither pink nor blue
FEMININE, MASCULINE, NEITHER = "#8a5fbf", "#c8641b", "#5f7d6e"
_HUES = {
    **{"purple": FEMININE, "orange": MASCULINE, "green": "#2f7f6f", "ochre": "#9a7d0a"},
    **{"brown": "#7a4a3a", "blue": "#4f6f8f", "olive": "#6b8e23", "grey": "#777777"},
}
#: colours for models, systems and groups, which are also distinguished by shape
PALETTE = tuple(_HUES.values())
#: the colours that views name
COLOURS = {"feminine": FEMININE, "masculine": MASCULINE, "neither": NEITHER, **_HUES}
LINE = "#8a8a94"
#: factor by which a reader's fonts may be wider than those used for layout
WIDER = 1.2

#: separates a mark's text from its keys; `label` removes this character from the text
_BETWEEN = "\u2064"
_LABELLED = re.compile(
    rf' aria-label="([^"]*){_BETWEEN}({{[^"{_BETWEEN}]*}})"( role="graphics-symbol" aria-roledescription="[^"]*")?'
)
_SIZES = {"fontSize", "labelFontSize", "titleFontSize"}
_DRAWN_SIZE = re.compile(r'font-size="([\d.]+)px"')
_NUMBERED = re.compile(r'(id="|url\(#)((?:gradient_|clip)\d+)')
#: ticks of a log axis within a decade, from coarse to fine
_STEPS = (
    (1,),
    (1, 2, 5),
    (1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9),
    (1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9),
    (1, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 9, 9.5),
)
_UNLABELLED = re.compile(r' (role="graphics-(?:symbol|object)"|aria-roledescription="[^"]*"|aria-label="[^"]*")')


@dataclass(frozen=True)
class Size:
    """Width and font size of a chart."""

    width: int
    text: int
    #: row labels longer than this are wrapped
    letters: int

    @property
    def narrow(self) -> bool:
        """Whether the chart is for a phone or a paper column."""
        return self.width < 500


PAGE = Size(860, 14, 34)
#: for a phone or a paper column
COLUMN = Size(330, 12, 20)


def label(text: str, **keys: object) -> str:
    """Return a mark's `description`: its tooltip and filter keys."""
    given_keys = {key: str(value) for key, value in keys.items() if value is not None}
    return f"{text.replace(_BETWEEN, '')}{_BETWEEN}{json.dumps(given_keys)}"


def told(estimate: Estimate) -> str:
    """Return an estimate's tooltip: value, neutral point and interval."""
    interval = "" if estimate.low is None else f"\n95 % interval {estimate.low:.4g} to {estimate.high:.4g}"
    neutral = "" if estimate.neutral is None else f", neutral {estimate.neutral:g}"
    failed = f"\n{estimate.why}" if isinstance(estimate, FailedEstimate) else ""
    return f"{estimate.label} = {estimate.value:.4g}{neutral}{interval}{failed}"


def counted(estimate: Estimate) -> str:
    """Return an estimate's sample size and number of unread samples as text."""
    return f"n = {estimate.n:,}, unread {estimate.unread:,}"


def interval_fields(estimate: Estimate) -> dict[str, float | None]:
    """Return value, low and high; missing interval bounds are replaced with the value."""
    low, high = (estimate.value if end is None else end for end in (estimate.low, estimate.high))
    return {"value": estimate.value, "low": low, "high": high}


def failure(estimate: Estimate) -> dict[str, str]:
    """Return why an estimate is not meaningful, as a field of its data record; empty for other estimates."""
    return {"failure": estimate.failure} if isinstance(estimate, FailedEstimate) else {}


def failure_note(chart: Spec) -> str:
    """Return a sentence on the chart's values that are not meaningful: how many, and why; empty if there are none."""
    parts = [chart, *chart.get("layer", ())]
    records = {str(r): r for part in parts for r in part.get("data", {}).get("values", ()) if "label" in r}
    return describe_failed_values([r["failure"] for r in records.values() if "failure" in r], len(records))


def with_failure_note(chart: Spec, size: Size) -> Spec:
    """Put the sentence on values that are not meaningful below a chart that is shown without a caption."""
    note = failure_note(chart)
    if not note:
        return chart
    lines = in_lines(note, size, int(size.width / (0.6 * WIDER * size.text)))
    look = {"anchor": "start", "orient": "bottom", "offset": 12, "color": "currentColor"}
    return {**chart, "title": {"text": lines, "fontSize": size.text - 1, "fontWeight": "normal", **look}}


def log_ticks(low: float, high: float, enough: int) -> list[float]:
    """Return round ticks for a log axis: the coarsest set with at least `enough` ticks, or the finest set."""
    ticks: list[float] = []
    for steps in _STEPS:
        ticks = [k * 10.0**power for power in range(-6, 13) for k in steps if low <= k * 10.0**power <= high]
        if len(ticks) >= enough:
            break
    return [float(f"{value:.3g}") for value in ticks]


def palette(names: list[str]) -> dict[str, str]:
    """Assign a colour to each distinct name."""
    return {name: PALETTE[k % len(PALETTE)] for k, name in enumerate(dict.fromkeys(names))}


def styled(chart: Spec, size: Size = PAGE) -> Spec:
    """Apply the report's style, with a transparent background and text in the colour of the surrounding text."""
    text = {"labelColor": "currentColor", "titleColor": "currentColor"}
    sizes = {"labelFontSize": size.text, "titleFontSize": size.text}
    lines = {"domainColor": LINE, "tickColor": LINE, "gridColor": "#8883"}
    whole = {"labelLimit": 0, "titleLimit": 0}
    top = {"orient": "top", "direction": "horizontal", "columns": _legend_columns(chart, size)}
    config = {
        "background": "transparent",
        "font": "sans-serif",
        "padding": 4,
        "view": {"stroke": None},
        "axis": {**text, **sizes, **lines, **whole, "aria": False, "titleFontWeight": "normal", "titlePadding": 10},
        "header": {**text, "labelFontSize": size.text, "labelFontWeight": "bold"},
        "legend": {**text, **sizes, **top, "aria": False, "labelLimit": 0, "symbolOpacity": 1},
    }
    return {**chart, "config": config}


def _legend_columns(chart: Spec, size: Size) -> int:
    """Return the number of legend labels that fit side by side."""
    colours = (layer["encoding"].get("color", {}) for layer in chart.get("layer", ()))
    domains = [(colour.get("scale") or {}).get("domain") for colour in colours]
    longest = max((len(str(name)) for domain in domains for name in domain or ()), default=0)
    return max(1, min(4, int(size.width // (0.6 * WIDER * size.text * longest + 5 * size.text))))


def in_lines(text: str, size: Size, letters: int | None = None) -> list[str]:
    """Wrap a name or title."""
    return textwrap.wrap(text, letters or size.letters) or [""]


def legend_lines(names: Iterable[str], size: Size) -> str:
    """Return a Vega expression that wraps legend labels."""
    # The legend starts to the right of the row labels.
    letters = int((size.width - size.letters * 0.6 * size.text - 40) / (0.6 * WIDER * size.text))
    return f"{json.dumps({name: in_lines(name, size, letters) for name in names}, ensure_ascii=False)}[datum.value]"


def axis_title(text: str, size: Size) -> str | list[str]:
    """Return an axis title, wrapped in narrow charts."""
    return in_lines(text, size, 26) if size.narrow else text


def drawn(chart: Spec, prefix: str) -> str:
    """Draw a chart for a page, with tooltips and filter keys as data attributes, and ids that start with `prefix`."""
    drawing = _LABELLED.sub(r' data-label="\1" data-keys="\2"', _svg(chart))
    drawing = _UNLABELLED.sub("", drawing)
    return re.sub(r'(id="|url\(#)part', rf"\g<1>{prefix}-part", drawing)


def svg(chart: Spec) -> str:
    """Draw a chart as a standalone SVG with dark text."""
    return _LABELLED.sub(r' aria-label="\1"\3', _svg(chart)).replace("currentColor", "#1c1c22")


def picture(chart: Spec, kind: Literal["svg", "pdf", "png"]) -> bytes:
    """Draw a chart as SVG, PDF or PNG; PNG has 300 dpi and a white background."""
    if kind == "svg":
        return svg(chart).encode()
    if kind == "pdf":
        return convert(svg(chart), "pdf")
    return convert(svg({**chart, "config": {**chart["config"], "background": "white"}}), "png")


def _svg(chart: Spec) -> str:
    return _drawing(json.dumps(_sized(chart), ensure_ascii=False))


@lru_cache(maxsize=128)
def _drawing(specification: str) -> str:
    """Draw a specification; cached, since a report on several runs repeats each run's figures."""
    drawing = draw(json.loads(specification))
    drawing = _DRAWN_SIZE.sub(lambda m: f'font-size="{float(m[1]) / WIDER:.3g}px"', drawing)
    # The drawing process numbers gradients globally; renumbering them makes the output reproducible.
    numbers: dict[str, int] = {}
    return _NUMBERED.sub(lambda m: f"{m[1]}part{numbers.setdefault(m[2], len(numbers))}", drawing)


def _sized(part: Any) -> Any:
    """Enlarge font sizes for layout; they are reduced after drawing, which leaves room for wider fonts."""
    if isinstance(part, list):
        return [_sized(item) for item in part]
    if not isinstance(part, dict):
        return part
    return {
        key: value * WIDER if key in _SIZES and isinstance(value, int | float) else _sized(value)
        for key, value in part.items()
    }
