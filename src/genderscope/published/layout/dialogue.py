"""The WMT24 dialogue tables beside ours, on the terminal."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from genderscope.published.dialogue import Agreement, Cell, agreement, reproduce
from genderscope.runs import csv_file

#: coefficients whose sign the paper's argument rests on
TELLING = ("Character Stereo(F)", "Opposite(M)")
REGRESSIONS = ("9-11", "15-17", "27-29")


def dialogue(console: Console, _runs: Sequence[Path], target: Path | None) -> None:
    """Show each system's numbers, then how near each table comes; every cell goes to `target` if it is given."""
    cells: list[Cell] = []
    for language, system, found in reproduce():
        cells += found
        console.print(f"{language} {system}: {len(found)} cells", style="dim")
    for table in dict.fromkeys(cell.table for cell in cells if cell.table not in REGRESSIONS):
        console.print(f"\nTables {table}: published, then ours", style="bold")
        console.print(_side_by_side([cell for cell in cells if cell.table == table]))
    console.print()
    console.print(_summary(agreement(cells)))
    _signs(cells, console)
    console.print(
        "\nThe paper drew its balanced subsets at random: two byte-identical outputs differ by up to 0.058 in its "
        "tables. No weighting that was tried reproduces Tables 18-20; ours are pooled."
    )
    if target is not None:
        _write(cells, target)


def _side_by_side(cells: Sequence[Cell]) -> Table:
    names = list(dict.fromkeys(cell.name for cell in cells))
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("language", "system"):
        table.add_column(heading, no_wrap=True)
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
        table.add_column("ours", justify="right", no_wrap=True)
    for language, system in dict.fromkeys((cell.language, cell.system) for cell in cells):
        mine = {c.name: c for c in cells if (c.language, c.system) == (language, system)}
        line = [language, system]
        for name in names:
            cell = mine[name]
            line += [f"{cell.published:.3f}", "–" if cell.ours is None else f"{cell.ours:.3f}"]
        table.add_row(*line)
    return table


def _summary(found: Sequence[Agreement]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("tables", "language"):
        table.add_column(heading, no_wrap=True)
    for heading in ("systems", "mean |difference|", "correlation of Δ"):
        table.add_column(heading, justify="right", no_wrap=True)
    for each in found:
        kind = f"{each.table} (coefficients)" if each.table in REGRESSIONS else each.table
        r = "–" if each.r is None else f"{each.r:.3f}"
        table.add_row(kind, each.language, str(each.systems), f"{each.mean_difference:.4f}", r)
    return table


def _signs(cells: Sequence[Cell], console: Console) -> None:
    for name in TELLING:
        told = [cell for cell in cells if cell.name == name]
        finite = [cell for cell in told if cell.ours is not None]
        same = sum((cell.ours or 0.0) * cell.published > 0 for cell in finite)
        without = f"; {len(told) - len(finite)} separate" if len(told) > len(finite) else ""
        console.print(f"{name}: the same sign in {same} of {len(finite)} regressions{without}.")


def _write(cells: Sequence[Cell], target: Path) -> None:
    with csv_file(target) as writer:
        writer.writerow(("tables", "language", "system", "name", "published", "ours"))
        for c in cells:
            ours = "" if c.ours is None else round(c.ours, 5)
            writer.writerow((c.table, c.language, c.system, c.name, c.published, ours))
