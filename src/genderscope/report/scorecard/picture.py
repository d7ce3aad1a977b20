"""The scorecard as a picture: for each column the neutral point, threshold, published models and all intervals."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from markupsafe import Markup, escape

from genderscope.comparison import Cell, Column, Row, Scorecard
from genderscope.reference import known_values
from genderscope.report.charts.forest import Axis
from genderscope.report.scorecard import cell_text as ct
from genderscope.statistics.estimate import Estimate

#: widths of the picture for pages and papers, and for narrow screens
WIDE, NARROW = 760, 350
#: widths of the texts on either side of the plot; a narrow picture has its texts above it
LABEL, VERDICT = 190, 190
LANE, HEADING, TICKS, GAP = 22, 40, 9, 14
FONT = "font-family=\"system-ui, 'Segoe UI', Roboto, Arial, sans-serif\""
#: verdicts that leave the question open
UNCLEAR = ("inconclusive", "not meaningful", "not read")
#: most names in a list
MOST_LISTED = 4
#: rough width of a character, in pixels
CHARACTER = 6.6


def scorecard_picture(card: Scorecard, width: int = WIDE) -> Markup:
    """Draw the scorecard as SVG; text has the colour of its surroundings, so that it is readable on dark pages too."""
    parts: list[Markup] = []
    y = 4
    for column in card.columns:
        block, height = _block(column, list(card.cells(column)), y, width)
        parts += block
        y += height + GAP
    label = "Intervals of all models by measure"
    return Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{}" viewBox="0 0 {} {}" width="{}" {} '
        'font-size="12" fill="currentColor" class="{}">{}</svg>'
    ).format(label, width, y, width, Markup(FONT), "wide" if width == WIDE else "narrow", Markup("").join(parts))


def _block(column: Column, cells: Sequence[tuple[Row, Cell]], y: int, width: int) -> tuple[list[Markup], int]:
    """Draw one column: its heading, the scale, and a lane for each model."""
    there = [cell.estimate for _, cell in cells if cell.estimate is not None and cell.estimate.value is not None]
    ticks = _ticks(cells)
    scale = ct.describe_scale(column)
    parts = [_text(0, y + 12, _cut(ct.name_column(column), width), 'font-weight="600"')]
    about = f"{scale}; ticks: {len(ticks)} published models" if ticks else scale
    parts.append(_text(0, y + 28, _cut(about, width), 'opacity=".75"'))
    lane = LANE if width == WIDE else 2 * LANE
    height = HEADING + lane * len(cells) + (TICKS if ticks else 0)
    if there and column.neutral is not None:
        axis = _axis(column, there, [value for _, value in ticks])
        left, right = (LABEL, width - VERDICT) if width == WIDE else (8, width - 8)
        parts += _scale(column, axis, ticks, (left, right), (y + HEADING, y + height))
        for k, (row, cell) in enumerate(cells):
            parts += _lane(row, cell, axis, (left, right), y + HEADING + k * lane, width)
    return parts, height


def _ticks(cells: Sequence[tuple[Row, Cell]]) -> list[tuple[str, float]]:
    """Return the published values that any of the runs may be compared with."""
    found: dict[str, float] = {}
    for _, cell in cells:
        if cell.estimate is not None:
            found |= {value.model: value.value for value in known_values(cell.result, cell.estimate).published}
    return sorted(found.items(), key=lambda tick: tick[1])


def _axis(column: Column, there: Sequence[Estimate], values: Sequence[float]) -> Axis:
    """Return an axis that covers all intervals, the threshold and the published values."""
    neutral = column.neutral or 0.0
    more = list(values)
    if column.margin is not None:
        more.append(neutral * column.margin.size if column.margin.factor else neutral + column.margin.size)
    blank = replace(there[0], low=None, high=None, neutral=neutral)
    axis = Axis.around([*there, *(replace(blank, value=value) for value in more)])
    return replace(axis, reach=1.08 * axis.reach)


def _scale(
    column: Column, axis: Axis, ticks: Sequence[tuple[str, float]], ends: tuple[int, int], span: tuple[int, int]
) -> Iterator[Markup]:
    """Draw the threshold band, the neutral line and the published models."""
    top, bottom = span
    if column.margin is not None:
        low, high = _band(column)
        x, until = _x(low, axis, ends), _x(high, axis, ends)
        yield Markup('<rect x="{}" y="{}" width="{}" height="{}" opacity=".12"/>').format(
            x, top, until - x, bottom - top
        )
    zero = _x(axis.neutral, axis, ends)
    yield Markup('<path d="M{} {}V{}" stroke="currentColor" stroke-dasharray="3 3"/>').format(zero, top, bottom)
    yield Markup('<path d="M{} {}H{}" stroke="currentColor" opacity=".4"/>').format(ends[0], bottom, ends[1])
    for name, value in ticks:
        line = Markup('<path d="M{} {}v-7" stroke="currentColor" opacity=".7"><title>{} {}</title></path>')
        yield line.format(_x(value, axis, ends), bottom, name, f"{value:.2f}")


def _band(column: Column) -> tuple[float, float]:
    neutral, margin = column.neutral or 0.0, column.margin
    assert margin is not None
    return (1 / margin.size, margin.size) if margin.factor else (neutral - margin.size, neutral + margin.size)


def _lane(row: Row, cell: Cell, axis: Axis, ends: tuple[int, int], y: int, width: int) -> Iterator[Markup]:
    """Draw a model's name, interval, value and verdict."""
    wide = width == WIDE
    middle = y + LANE // 2 if wide else y + LANE + LANE // 2
    value, within, word, *_ = ct.cell_texts(cell)
    if wide:
        yield _text(0, middle + 4, _cut(row.label, LABEL - 10))
        yield _text(ends[1] + 10, middle + 4, _cut(f"{value} · {word}", VERDICT - 10))
    else:
        yield _text(0, y + 14, _cut(f"{row.label}: {value} · {word}", width))
    e = cell.estimate
    if e is None or e.value is None:
        return
    if e.low is not None and e.high is not None:
        line = Markup('<path d="M{} {}H{}" stroke="#8a5fbf" stroke-width="4"><title>{}</title></path>')
        yield line.format(_x(e.low, axis, ends), middle, _x(e.high, axis, ends), within)
    dot = Markup('<circle cx="{}" cy="{}" r="5" fill="#c8641b" stroke="currentColor"/>')
    yield dot.format(_x(e.value, axis, ends), middle)


def _x(value: float, axis: Axis, ends: tuple[int, int]) -> int:
    return ends[0] + axis.column(value, ends[1] - ends[0] + 1)


def _text(x: int, y: int, text: str, style: str = "") -> Markup:
    return Markup('<text x="{}" y="{}" {}>{}</text>').format(x, y, Markup(style), escape(text))


def _cut(text: str, width: int) -> str:
    """Shorten a text that is too long in the middle, where model names differ least."""
    most = int(width / CHARACTER)
    return text if len(text) <= most else f"{text[: most // 2 - 1]}…{text[-(most - most // 2) :]}"


def describe_card(card: Scorecard, measures: Sequence[str]) -> list[str]:
    """Summarise a scorecard in up to three sentences: what is clear, what is not, and what was not measured."""
    words: dict[tuple[str, str], list[str]] = {}
    for column in card.columns:
        for row, cell in card.cells(column):
            words.setdefault((cell.word, ct.name_column(column)), []).append(row.label)
    several = len(card.rows) > 1
    said = {key: f"{key[1]} is {key[0]}{f' for {_listed(labels)}' if several else ''}" for key, labels in words.items()}
    clear = [text for (word, _), text in said.items() if word not in UNCLEAR]
    open_ = [text for (word, _), text in said.items() if word in UNCLEAR]
    missing = [name for name in measures if name not in {column.measure for column in card.columns}]
    sentences = [f"Clear: {_listed(clear, '; ')}." if clear else "Nothing is clear from these runs."]
    sentences += [f"Not clear: {_listed(open_, '; ')}."] if open_ else []
    return sentences + ([f"Not measured: {_listed(missing)}."] if missing else [])


def _listed(names: Sequence[str], between: str = ", ") -> str:
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return f"{between.join(names[:MOST_LISTED])}{more}"
