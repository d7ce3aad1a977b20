"""Tables 7-12 of the word filling paper beside ours, on the terminal."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from genderscope.errors import UserError
from genderscope.published.wordfill import Cell, compare
from genderscope.report import interval
from genderscope.runs import csv_file


def wordfill(console: Console, runs: Sequence[Path], target: Path | None) -> None:
    """Show published and our numbers, a line a cell; they go to `target` too if it is given."""
    if not runs:
        raise UserError(
            "Name the folders of runs made with --as-published: genderscope reproduce wordfill RUN…; the paper "
            "released no scores, so there is nothing to recompute without a model."
        )
    cells = compare(runs)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("model", "data", "number"):
        table.add_column(heading, no_wrap=True)
    for heading in ("published", "±", "ours", "95 % interval", "n"):
        table.add_column(heading, justify="right", no_wrap=True)
    for cell in cells:
        spread = "–" if cell.plus_minus is None else f"{cell.plus_minus:g}"
        ours = f"{cell.ours.value:.3f}"
        row = (cell.model, cell.dataset, cell.statistic, f"{cell.published:g}", spread, ours)
        table.add_row(*row, interval(cell.ours), f"{cell.ours.n:,}")
    console.print(table)
    if cells:
        worst = max(cells, key=_difference)
        console.print(f"\nThe farthest of {len(cells)} cells is {worst.statistic}, by {_difference(worst):.3f}.")
    if target is not None:
        _write(cells, target)


def _difference(cell: Cell) -> float:
    return abs((cell.ours.value or 0.0) - cell.published)


def _write(cells: Sequence[Cell], target: Path) -> None:
    with csv_file(target) as writer:
        writer.writerow(("model", "data", "number", "published", "plus_minus", "ours", "low", "high", "n"))
        for c in cells:
            ours = (c.ours.value, c.ours.low, c.ours.high, c.ours.n)
            writer.writerow((c.model, c.dataset, c.statistic, c.published, c.plus_minus, *ours))
