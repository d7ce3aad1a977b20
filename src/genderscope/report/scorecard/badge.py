"""A badge: one measure of one model with its value and interval, as a small SVG; it never says just "pass"."""

import unicodedata
from collections.abc import Sequence
from xml.sax.saxutils import escape

from genderscope.comparison import Cell, Column, Row
from genderscope.report.scorecard import cell_text as words
from genderscope.terminal_safe import in_line

#: in thousandths of the size of the letters, as wide sans-serif faces have them; most are about as wide as a digit
WIDTHS = {
    **dict.fromkeys("fijltI.,:;'|!()[] -", 400),
    **dict.fromkeys("mwMW%@", 990),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ×−=<>+~", 770),
}
LETTER, WIDE, SIZE, PAD, HEIGHT = 640, 1040, 11, 7, 20


def badge(row: Row, columns: Sequence[Column]) -> str:
    """Draw the badge of a model in a measure: the measure to the left, each value and interval to the right.

    Where a measure has several estimates of which none may be read alone, all of them are there.
    """
    first = columns[0]
    name = words.heading(first) if len(columns) == 1 else words.measure_of(first)
    numbers = [_number(row.cells[column.id]) for column in columns]
    shown = numbers if len(columns) == 1 else [f"{c.estimate} {n}" for c, n in zip(columns, numbers, strict=True)]
    number = " · ".join(shown)
    left, right = (_width(text) for text in (name, number))
    spoken = f"{row.label}: {'; '.join(_spoken(row.cells[column.id], column) for column in columns)}"
    label, full = left + 2 * PAD, left + right + 4 * PAD
    title = _xml(spoken)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{full}" height="{HEIGHT}" viewBox="0 0 {full} {HEIGHT}" '
            'role="img" aria-labelledby="title">',
            "<!-- Written by genderscope scorecard. -->",
            f'<title id="title">{title}</title>',
            f'<rect width="{full}" height="{HEIGHT}" rx="3" fill="#4b2f7d"/>',
            f'<path d="M0 3a3 3 0 0 1 3-3h{label - 3}v{HEIGHT}H3a3 3 0 0 1-3-3z" fill="#3b3945"/>',
            f'<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="{SIZE}">',
            _text(name, PAD, left),
            _text(number, label + PAD, right),
            "</g>\n</svg>",
        ]
    )


def _number(cell: Cell) -> str:
    ends = words.within(cell) if cell.estimate is not None and cell.estimate.low is not None else "no interval"
    return f"{words.value_of(cell)} {ends} {cell.word}"


def _spoken(cell: Cell, column: Column) -> str:
    read = f"n = {words.count_of(cell)}, {words.percent(cell.coverage)} read"
    return f"{words.heading(column)} {_number(cell)}: {cell.word}, {words.scale(column)}, {read}"


def _text(text: str, x: int, width: int) -> str:
    # The length is told, so that the text fills its part of the badge in whatever face it is drawn.
    return f'<text x="{x}" y="14" textLength="{width}" lengthAdjust="spacingAndGlyphs">{_xml(text)}</text>'


def _width(text: str) -> int:
    """Return about how wide a text is drawn."""
    wide = (WIDE if unicodedata.east_asian_width(c) in "WF" else WIDTHS.get(c, LETTER) for c in in_line(text))
    return round(sum(wide) * SIZE / 1000)


def _xml(text: str) -> str:
    # XML has no place for these, not even escaped.
    return escape("".join(c for c in in_line(text) if c not in "\ufffe\uffff"))
