"""The scorecard on the terminal: a table for each column, whose name, value, interval and n fit any width."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from genderscope.comparison import Column, Scorecard
from genderscope.report.scorecard import cell_text as words
from genderscope.terminal_safe import in_line

#: no name is squeezed below this
NAME = 16
#: between two columns
GAP = 2
#: what gives way first where the terminal is narrow
GIVES_WAY = ("rank", "coverage", "change", "p (adjusted)", "verdict")


def show_scorecard(card: Scorecard, console: Console) -> None:
    """Print a scorecard."""
    for column in card.columns:
        _column(card, column, console)
    for line in [*words.verdicts(card), *words.missing(card)]:
        console.print(Text(in_line(line)))
    for line in card.cautions:
        console.print(Text(in_line(f"Caution: {line}"), style="yellow"))
    if card.columns:
        console.print(Text("\n" + " ".join(words.notes(card)), style="dim"))


def _column(card: Scorecard, column: Column, console: Console) -> None:
    scale = f": {words.scale(column)}, {words.runs_of(column)}"
    console.print(Text.assemble("\n", (in_line(words.heading(column)), "bold"), scale))
    console.print(Text(in_line(words.about(column)), style="dim"))
    there = list(card.cells(column))
    names = [row.label for row, _ in there]
    console.print(fitted(words.CELL, names, [words.cell_texts(cell) for _, cell in there], console.width))
    if compared := [(row.label, cell) for row, cell in there if cell.difference is not None]:
        console.print(Text(in_line(f"against {card.baseline}:")))
        texts = [words.difference_texts(cell) for _, cell in compared]
        console.print(fitted(words.DIFFERENCE, [name for name, _ in compared], texts, console.width))
    for row, cell in there:
        if cell.no_difference is not None and row.label != card.baseline:
            console.print(Text(in_line(f"{row.label} is not compared: {cell.no_difference.rstrip('.')}.")))
    if (said := words.criteria(column)) is not None:
        console.print(Text(in_line(said), style="dim"))


def fitted(headings: Sequence[str], names: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Table:
    """Lay rows out below a name; where it is narrow, columns give way and long names take several lines."""
    kept = [k for k in range(len(headings)) if headings[k] != "rank" or any(row[k] != words.MISSING for row in rows)]
    for heading in GIVES_WAY:
        if _needed(headings, names, rows, kept) <= width:
            break
        kept = [k for k in kept if headings[k] != heading]
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("model", overflow="fold", min_width=min(NAME, *(len(name) for name in ("model", *names))))
    for k in kept:
        table.add_column(headings[k], no_wrap=True, justify="left" if headings[k] in {"verdict", "change"} else "right")
    for name, row in zip(names, rows, strict=True):
        table.add_row(*map(Text, (in_line(name), *(in_line(row[k]) for k in kept))))
    return table


def _needed(headings: Sequence[str], names: Sequence[str], rows: Sequence[Sequence[str]], kept: Sequence[int]) -> int:
    """Return how wide the table is with the name at its least."""
    name = min(max(map(len, ("model", *names))), 24)
    return name + sum(GAP + max(len(headings[k]), *(len(row[k]) for row in rows)) for k in kept)
