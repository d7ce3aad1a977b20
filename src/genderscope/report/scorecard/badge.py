"""SVG badges with the value and interval of one measure for one model, never just "pass"."""

import unicodedata
from collections.abc import Sequence
from xml.sax.saxutils import escape

from genderscope.comparison import Cell, Column, Row
from genderscope.reference import known_values, sentences_about
from genderscope.report.scorecard import cell_text as ct
from genderscope.util.safe_text import in_line

#: character widths in thousandths of the font size, typical of wide sans-serif fonts
WIDTHS = {
    **dict.fromkeys("fijltI.,:;'|!()[] -", 400),
    **dict.fromkeys("mwMW%@", 990),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ×−=<>+~", 770),
}
LETTER, WIDE, SIZE, PAD, HEIGHT = 640, 1040, 11, 7, 20


def badge(row: Row, columns: Sequence[Column]) -> str:
    """Draw a badge with the measure on the left and the value and interval of each leading estimate on the right."""
    first = columns[0]
    name = ct.name_column(first) if len(columns) == 1 else ct.name_measure(first)
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
    value, interval = ct.estimate_texts(cell.estimate)
    return f"{value} {'no interval' if interval == ct.MISSING else interval} {cell.word}"


def _spoken(cell: Cell, column: Column) -> str:
    read = f"n = {ct.sample_size(cell.estimate)}, {ct.percent(cell.coverage)} read"
    said = f"{ct.name_column(column)} {_number(cell)}: {cell.word}, {ct.describe_scale(column)}, {read}"
    if cell.estimate is None or not known_values(cell.result, cell.estimate).published:
        return said
    return f"{said}. {sentences_about(cell.result, cell.estimate)[0].rstrip('.')}"


def _text(text: str, x: int, width: int) -> str:
    # An explicit length makes the text fill its part of the badge in any font.
    return f'<text x="{x}" y="14" textLength="{width}" lengthAdjust="spacingAndGlyphs">{_xml(text)}</text>'


def _width(text: str) -> int:
    """Return the approximate width of a text in pixels."""
    wide = (WIDE if unicodedata.east_asian_width(c) in "WF" else WIDTHS.get(c, LETTER) for c in in_line(text))
    return round(sum(wide) * SIZE / 1000)


def _xml(text: str) -> str:
    # These characters are invalid in XML, even if escaped.
    return escape("".join(c for c in in_line(text) if c not in "\ufffe\uffff"))
