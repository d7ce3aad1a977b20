"""The scorecard as Markdown and as LaTeX."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from genderscope.comparison import Cell, Column, Row, Scorecard
from genderscope.judgement import explain_short_verdicts
from genderscope.report.export.formats import latex_text, markdown_text
from genderscope.report.scorecard import cell_text as words
from genderscope.report.scorecard.report_links import report_link

#: what a file of ours begins with, so that no other is replaced
MARKDOWN_MARK = "<!-- Written by genderscope scorecard. -->"
LATEX_MARK = "% Written by genderscope scorecard. Needs \\usepackage{booktabs}."


def scorecard_markdown(card: Scorecard, target: Path | None = None) -> str:
    """Write the matrix of values, then each column in full; values link to reports where it is written to a file."""
    return "\n".join(_markdown(card, target)).rstrip() + "\n"


def _markdown(card: Scorecard, target: Path | None) -> Iterator[str]:
    yield f"{MARKDOWN_MARK}\n\n## Scorecard\n"
    yield from matrix(card.columns, card.rows, target)
    for column in card.columns:
        yield f"\n### {markdown_text(words.heading(column))}\n"
        yield f"{markdown_text(column.title)}; {markdown_text(words.scale(column))}.\n"
        yield from _lines(card, column)
        yield f"\n{markdown_text(words.about(column))}."
        if (said := words.criteria(column)) is not None:
            yield f"\n{markdown_text(said)}"
    yield ""
    for note in every_note(card):
        yield f"{markdown_text(note)}\n"


def matrix(columns: Sequence[Column], rows: Sequence[Row], target: Path | None = None) -> Iterator[str]:
    """Write models × columns: value, interval, size."""
    yield line("model", *map(words.heading, columns))
    yield f"| --- |{' ---: |' * len(columns)}"
    neutral = ("" if column.neutral is None else f"{column.neutral:g}" for column in columns)
    yield f"| *neutral* | {' | '.join(neutral)} |"
    for row in rows:
        cells = (_short(row.cells.get(column.id), target) for column in columns)
        yield f"| {markdown_text(row.label)} | {' | '.join(cells)} |"


def _short(cell: Cell | None, target: Path | None) -> str:
    if cell is None:
        return ""
    value = markdown_text(words.value_of(cell))
    link = None if target is None else report_link(cell.result, target)
    shown = value if link is None else f"[{value}]({link})"
    return f"{shown} {markdown_text(f'{words.within(cell)} {cell.word}')}"


def line(*cells: str) -> str:
    """Write a line of a table."""
    return f"| {' | '.join(map(markdown_text, cells))} |"


def _headings(card: Scorecard) -> tuple[str, ...]:
    return ("model", *words.CELL, *(words.DIFFERENCE if card.baseline else ()))


def _texts(card: Scorecard, row: Row, cell: Cell) -> tuple[str, ...]:
    compared = words.difference_texts(cell) if card.baseline else ()
    return (row.label, *words.cell_texts(cell), *compared)


def _lines(card: Scorecard, column: Column) -> Iterator[str]:
    headings = _headings(card)
    yield line(*headings)
    yield f"| --- |{' ---: |' * (len(headings) - 1)}"
    for row, cell in card.cells(column):
        yield line(*_texts(card, row, cell))


def every_note(card: Scorecard) -> list[str]:
    """Return all that stands below the tables."""
    careful = [f"Caution: {caution}" for caution in card.cautions]
    told = [*words.verdicts(card), *words.missing(card), *careful, *words.left_out(card.others)]
    return [*told, explain_short_verdicts(), *words.notes(card)]


def scorecard_latex(card: Scorecard) -> str:
    """Write one table, a part for each column."""
    return "\n".join(_latex(card)) + "\n"


def _latex(card: Scorecard) -> Iterator[str]:
    headings = _headings(card)
    yield f"{LATEX_MARK}\n\\begin{{table}}\n\\centering\n\\small"
    yield "\\caption{Gender bias: models by measures, with 95\\,\\% intervals.}"
    words_ = {"model", "verdict", "change"}
    yield f"\\begin{{tabular}}{{{''.join('l' if h in words_ else 'r' for h in headings)}}}\n\\toprule"
    yield latex_line(headings)
    for column in card.columns:
        title = f"{words.heading(column)}: {words.scale(column)}"
        title += f"; {column.apart}" if column.apart else ""
        yield f"\\midrule\n\\multicolumn{{{len(headings)}}}{{l}}{{\\textit{{{latex_text(title)}}}}} \\\\"
        for row, cell in card.cells(column):
            yield latex_line(_texts(card, row, cell))
    yield "\\bottomrule\n\\end{tabular}"
    yield "\\par\\footnotesize"
    for column in card.columns:
        told = f"{words.heading(column)}: {column.title}; {words.about(column)}. {words.criteria(column) or ''}"
        yield f"{latex_text(told.strip())}\\par"
    for note in every_note(card):
        yield f"{latex_text(note)}\\par"
    yield "\\end{table}"


def latex_line(cells: Sequence[str]) -> str:
    """Write a line of a table."""
    return f"{' & '.join(map(latex_text, cells))} \\\\"
