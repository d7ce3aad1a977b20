"""The scorecard on the terminal, as Markdown and as LaTeX."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from genderscope.comparison import Cell, Column, Scorecard
from genderscope.report.export.markup import latex_table, markdown_row, markdown_table, markdown_text
from genderscope.report.layout import PlainTable, TableColumn
from genderscope.report.scorecard import cell_text as ct
from genderscope.util.safe_text import in_line

#: minimum width of model names
NAME = 24
#: columns dropped on a narrow terminal, in this order
OPTIONAL = ("rank", "coverage", "change", "p (adjusted)", "verdict")


def show_scorecard(card: Scorecard, console: Console) -> None:
    """Print a scorecard."""
    for sentence in ct.order_sentences(card):
        console.print(Text(in_line(sentence), style="bold"))
    for column in card.columns:
        _show_column(card, column, console)
    for line in [*ct.significant_differences(card), *ct.describe_missing(card)]:
        console.print(Text(in_line(line)))
    for line in card.cautions:
        console.print(Text(in_line(f"Caution: {line}"), style="yellow"))
    if card.columns:
        console.print(Text("\n" + " ".join(ct.card_notes(card)), style="dim"))


def _show_column(card: Scorecard, column: Column, console: Console) -> None:
    scale = f": {ct.describe_scale(column)}, {ct.count_runs(column)}"
    console.print(Text.assemble("\n", (in_line(ct.name_column(column)), "bold"), scale))
    console.print(Text(in_line(ct.describe_runs(column)), style="dim"))
    cells = list(card.cells(column))
    console.print(_table(ct.CELL, [(row.label, *ct.cell_texts(cell)) for row, cell in cells]))
    if compared := [(row.label, *ct.difference_texts(cell)) for row, cell in cells if cell.difference is not None]:
        console.print(Text(in_line(f"compared with {card.baseline}:")))
        console.print(_table(ct.DIFFERENCE, compared))
    for row, cell in cells:
        if cell.no_difference is not None and row.label != card.baseline:
            console.print(Text(in_line(f"{row.label} is not compared: {cell.no_difference.rstrip('.')}.")))
    for sentence in ct.ranking_sentences(card, column):
        console.print(Text(in_line(sentence), style="dim"))


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> PlainTable:
    shown = [k for k, heading in enumerate(headings, 1) if heading != "rank" or any(row[k] != "–" for row in rows)]
    columns = [TableColumn("model", narrowest=NAME)]
    for heading in (headings[k - 1] for k in shown):
        words = heading in ct.WORDS
        columns.append(TableColumn(heading, right=not words, whole=words))
    table = PlainTable(columns, OPTIONAL)
    for row in rows:
        table.add_row(*(Text(in_line(row[k])) for k in (0, *shown)))
    return table


#: markers that identify our files, so that no other file is overwritten
MARKDOWN_MARK = "<!-- Written by genderscope scorecard. -->"
LATEX_MARK = "% Written by genderscope scorecard. Needs \\usepackage{booktabs}."


def scorecard_markdown(card: Scorecard, target: Path | None = None) -> str:
    """Return the matrix of values and one table per column; values link to reports if `target` is given."""
    return "\n".join(_markdown(card, target)).rstrip() + "\n"


def _markdown(card: Scorecard, target: Path | None) -> Iterator[str]:
    yield f"{MARKDOWN_MARK}\n\n## Scorecard\n"
    yield from _matrix(card, None if target is None else target.parent)
    for column in card.columns:
        yield f"\n### {markdown_text(ct.name_column(column))}\n"
        yield f"{markdown_text(column.title)}; {markdown_text(ct.describe_scale(column))}.\n"
        yield from markdown_table(ct.table_headings(card), ct.table_rows(card, column))
        yield f"\n{markdown_text(ct.describe_runs(column))}."
        yield from (f"\n{markdown_text(sentence)}" for sentence in ct.ranking_sentences(card, column))
    yield ""
    for note in ct.text_notes(card):
        yield f"{markdown_text(note)}\n"


def _matrix(card: Scorecard, folder: Path | None) -> Iterator[str]:
    """Yield the matrix of models by columns."""
    yield markdown_row(["model", *map(ct.name_column, card.columns)])
    yield f"| --- |{' ---: |' * len(card.columns)}"
    neutral = ("" if column.neutral is None else f"{column.neutral:g}" for column in card.columns)
    yield f"| *neutral* | {' | '.join(neutral)} |"
    for row in card.rows:
        cells = (_linked(row.cells.get(column.id), folder) for column in card.columns)
        yield f"| {markdown_text(row.label)} | {' | '.join(cells)} |"


def _linked(cell: Cell | None, folder: Path | None) -> str:
    if cell is None:
        return ""
    value, interval = ct.estimate_texts(cell.estimate)
    link = ct.link_report(cell.result, folder)
    shown = markdown_text(value) if link is None else f"[{markdown_text(value)}]({link})"
    return f"{shown} {markdown_text(f'{interval} {cell.word}')}"


def scorecard_latex(card: Scorecard) -> str:
    """Return a LaTeX table with one section per column."""
    rows: list[Sequence[str]] = []
    notes = []
    for column in card.columns:
        name, scale = ct.name_column(column), ct.describe_scale(column)
        rows.append((f"{name}: {scale}{f'; {column.apart}' if column.apart else ''}",))
        rows += ct.table_rows(card, column)
        about = f"{name}: {column.title}; {ct.describe_runs(column)}."
        notes.append(" ".join([about, *ct.ranking_sentences(card, column)]))
    caption = "Gender bias of the models by measure, with 95 % intervals."
    lines = latex_table(caption, ct.table_headings(card), rows, [*notes, *ct.text_notes(card)], ct.WORDS)
    return "\n".join([LATEX_MARK, *lines]) + "\n"
