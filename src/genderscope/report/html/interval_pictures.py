"""Interval plots: for each estimate, the neutral point, the threshold, published models, and one lane per model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap

from markupsafe import Markup, escape

from genderscope.judgement import Margin, margin_words
from genderscope.reference import known_values
from genderscope.report.charts.forest import Axis, svg_interval
from genderscope.report.views.plain_view import interval, number
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

#: widths of the picture in pixels, for pages and papers, and for narrow screens
WIDE, NARROW = 820, 350
#: widths of the texts to the left and right of the plot; in a narrow picture, they are above it
LABEL, VERDICT = 190, 250
LANE, LINE, TICKS, GAP = 22, 16, 9, 14
FONT = "font-family=\"system-ui, 'Segoe UI', Roboto, Arial, sans-serif\""
#: approximate width of a character in pixels
CHARACTER = 6.6
#: explanation of the marks
KEY = (
    "Dot: value; bar: 95 % interval; thin bar: the wider interval behind the verdict; dashed line: neutral point; grey "
    "band: within the threshold."
)


@dataclass(frozen=True)
class Lane:
    """One model: its name, its estimate (None if it has none) and its verdict."""

    label: str
    estimate: Estimate | None
    verdict: str
    result: Result
    #: the estimate on the block's scale; None if the block has the estimate's own scale
    scaled: Estimate | None = None
    #: published models marked in this lane: text and place on the block's scale
    ticks: Sequence[tuple[str, float]] = ()

    @property
    def drawn(self) -> Estimate | None:
        """The estimate on the block's scale."""
        return self.estimate if self.scaled is None else self.scaled


@dataclass(frozen=True)
class Block:
    """One estimate for several models or, if `reach` is given, several estimates on a common scale."""

    title: str
    neutral: float | None
    margin: Margin | None
    lanes: Sequence[Lane]
    #: the largest distance from the neutral point; by default, the axis covers all intervals
    reach: float | None = None


def interval_pictures(blocks: Sequence[Block]) -> Markup:
    """Draw blocks twice, for wide and for narrow pages; the style sheet shows one of the two."""
    return Markup("").join(interval_picture(blocks, width) for width in (WIDE, NARROW))


def interval_picture(blocks: Sequence[Block], width: int = WIDE, alone: bool = False) -> Markup:
    """Draw blocks as SVG, for a page or, if `alone`, for a separate file.

    The text takes the colour of the surrounding text, so that it is readable on dark pages too.
    """
    parts: list[Markup] = []
    y = 4
    for block in blocks:
        drawn, height = _block(block, y, width)
        parts += drawn
        y += height + GAP
    return Markup(
        '<svg{} role="img" aria-label="{}" viewBox="0 0 {} {}" width="{}" {} '
        'font-size="12" fill="currentColor" class="{}">{}{}</svg>'
    ).format(
        Markup(' xmlns="http://www.w3.org/2000/svg"') if alone else "",
        f"Intervals of {', '.join(block.title for block in blocks)}",
        *(width, y, width, Markup(FONT), "wide" if width == WIDE else "narrow"),
        Markup("<!-- Written by genderscope scorecard. -->") if alone else "",
        Markup("").join(parts),
    )


def _block(block: Block, y: int, width: int) -> tuple[list[Markup], int]:
    """Draw the heading of a block, its scale, and a lane for each model; return the block's height too."""
    there = [e for lane in block.lanes if (e := lane.drawn) is not None and e.value is not None]
    ticks = _ticks(block)
    heading = [(line, 'font-weight="600"') for line in _lines(block.title, width)]
    heading += [(line, 'opacity=".75"') for line in _about(block, len(ticks), width)]
    parts = [_text(0, y + 12 + LINE * k, line, style) for k, (line, style) in enumerate(heading)]
    top = bottom = y + LINE * len(heading) + 8
    # Names are shown whole: long ones are placed above their lanes.
    stacked = width == NARROW or any(len(lane.label) * CHARACTER > LABEL - 10 for lane in block.lanes)
    x_range = (8, width - 8) if stacked else (LABEL, width - VERDICT)
    axis = _axis(block, there, [value for _, value in ticks]) if there and block.neutral is not None else None
    lanes: list[Markup] = []
    for lane in block.lanes:
        texts = [*_lines(lane.label, width), _said(lane)] if stacked else []
        lanes += [_text(0, bottom + 12 + LINE * k, text) for k, text in enumerate(texts)]
        middle = bottom + LINE * len(texts) + LANE // 2
        lanes += [] if stacked else [_text(0, middle + 4, lane.label), _text(x_range[1] + 10, middle + 4, _said(lane))]
        if axis is not None:
            lanes += [_tick(text, _x(value, axis, x_range), middle + 7, 14) for text, value in lane.ticks]
            lanes += [_interval(lane.drawn, axis, x_range, middle)]
        bottom += LINE * len(texts) + LANE
    bottom += TICKS if ticks else 0
    if axis is not None:
        parts += _scale(block.margin, axis, ticks, x_range, (top, bottom))
    if axis is not None and block.reach is not None:
        bottom += LINE
        places = (axis.neutral - axis.reach, axis.neutral, axis.neutral + axis.reach)
        parts += [
            _text(_x(at, axis, x_range), bottom - 2, f"{at:g}", 'text-anchor="middle" opacity=".75"') for at in places
        ]
    return [*parts, *lanes], bottom - y


def _about(block: Block, ticks: int, width: int) -> list[str]:
    """Return the lines below a block's title; none if its scale is that of all blocks."""
    if block.reach is not None:
        return []
    scale = "no neutral point" if block.neutral is None else f"neutral {block.neutral:g}, {margin_words(block.margin)}"
    return _lines(f"{scale}; ticks: {ticks} published models" if ticks else scale, width)


def _ticks(block: Block) -> list[tuple[str, float]]:
    """Return the published values that any of the runs may be compared with; none if lanes have their own."""
    if block.reach is not None:
        return []
    ticks: dict[str, float] = {}
    for lane in block.lanes:
        if lane.estimate is not None:
            ticks |= dict(known_values(lane.result, lane.estimate).ticks)
    return sorted(ticks.items(), key=lambda tick: tick[1])


def _axis(block: Block, there: Sequence[Estimate], values: Sequence[float]) -> Axis:
    """Return an axis with the block's reach or, by default, one that covers everything drawn."""
    neutral = block.neutral or 0.0
    if block.reach is not None:
        return Axis(neutral, block.reach)
    more = [*values, *([] if block.margin is None else [_band(neutral, block.margin)[1]])]
    blank = replace(there[0], low=None, high=None, neutral=neutral)
    widest = [e if e.wide_low is None else replace(e, low=e.wide_low, high=e.wide_high) for e in there]
    axis = Axis.around([*widest, *(replace(blank, value=value) for value in more)])
    return replace(axis, reach=1.08 * axis.reach)


def _scale(
    margin: Margin | None,
    axis: Axis,
    ticks: Sequence[tuple[str, float]],
    x_range: tuple[int, int],
    span: tuple[int, int],
) -> Iterator[Markup]:
    """Draw the threshold band, the neutral line and the published models."""
    top, bottom = span
    if margin is not None:
        x, until = (_x(end, axis, x_range) for end in _band(axis.neutral, margin))
        band = Markup('<rect x="{}" y="{}" width="{}" height="{}" opacity=".12"/>')
        yield band.format(x, top, until - x, bottom - top)
    zero = _x(axis.neutral, axis, x_range)
    yield Markup('<path d="M{} {}V{}" stroke="currentColor" stroke-dasharray="3 3"/>').format(zero, top, bottom)
    yield Markup('<path d="M{} {}H{}" stroke="currentColor" opacity=".4"/>').format(x_range[0], bottom, x_range[1])
    yield from (_tick(f"{name} {number(value)}", _x(value, axis, x_range), bottom, 7) for name, value in ticks)


def _tick(text: str, x: int, y: int, height: int) -> Markup:
    """Draw a published model as a vertical line that ends at y."""
    line = Markup('<path d="M{} {}v-{}" stroke="currentColor" opacity=".7"><title>{}</title></path>')
    return line.format(x, y, height, text)


def _band(neutral: float, margin: Margin) -> tuple[float, float]:
    return (1 / margin.size, margin.size) if margin.factor else (neutral - margin.size, neutral + margin.size)


def _said(lane: Lane) -> str:
    return f"{number(None if lane.estimate is None else lane.estimate.value)} · {lane.verdict}"


def _interval(e: Estimate | None, axis: Axis, x_range: tuple[int, int], middle: int) -> Markup:
    """Draw a model's interval and value."""
    if e is None or e.value is None:
        return Markup("")
    look = (4, 5, ' stroke="currentColor"')
    return svg_interval(e, lambda value: _x(value, axis, x_range), middle, look, interval(e))


def _x(value: float, axis: Axis, x_range: tuple[int, int]) -> int:
    return x_range[0] + axis.column(value, x_range[1] - x_range[0] + 1)


def _text(x: int, y: int, text: str, style: str = "") -> Markup:
    return Markup('<text x="{}" y="{}" {}>{}</text>').format(x, y, Markup(style), escape(text))


def _lines(text: str, width: int) -> list[str]:
    """Break a text into lines that fit, if necessary within a long name."""
    return wrap(text, int(width / CHARACTER)) or [""]
