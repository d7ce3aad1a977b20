"""The scorecard on the terminal: one table per column, which shows model, value, interval and n at any width."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from genderscope.comparison import Column, Scorecard
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
