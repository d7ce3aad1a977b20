"""`genderscope leaderboard`: all runs of a folder, ranked where they are comparable."""

from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.common import console
from genderscope.cli.show import write
from genderscope.errors import UserError


def leaderboard(
    folder: Annotated[Path, typer.Argument(help="Folder that holds runs, at any depth.", metavar="DIR")],
    out: Annotated[Path, typer.Option("--out", "-o", help="HTML file to write.")] = Path("leaderboard.html"),
    csv: Annotated[Path | None, typer.Option(help="Also write every number to this CSV file.")] = None,
) -> None:
    """Rank the runs of a folder by their distance from the neutral point, a table a measure and language."""
    from genderscope.comparison import find_runs, rankings
    from genderscope.report import left_out, page, show_rankings, table_csv
    from genderscope.runs import MISSING, reading, what_is_there

    found = find_runs(folder)
    if not found.runs and what_is_there(out) != MISSING:
        why = " ".join(f" ({line.rstrip('.')})" for line in left_out(found)[:1])
        raise UserError(f"There is no finished run in '{folder}'{why}, so '{out}' stays as it is.")
    with reading(*found.runs.values()):
        ranked = rankings(found.runs)
        show_rankings(found, ranked, console())
        html = page(found, ranked, out.absolute().parent)
    write(html, out)
    if csv is not None:
        write(table_csv(ranked), csv)
