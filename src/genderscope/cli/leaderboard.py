"""`genderscope leaderboard`: all runs of a folder, ranked where they are comparable."""

from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.common import console, tell_skipped
from genderscope.cli.show import write
from genderscope.terminal_safe import in_line


def leaderboard(
    folder: Annotated[Path, typer.Argument(help="Folder that holds runs, at any depth.", metavar="DIR")],
    out: Annotated[Path, typer.Option("--out", "-o", help="HTML file to write.")] = Path("leaderboard.html"),
    csv: Annotated[Path | None, typer.Option(help="Also write every number to this CSV file.")] = None,
) -> None:
    """Rank the runs of a folder by their distance from the neutral point, a table a measure and language."""
    from genderscope.runs import require_folders, require_place

    require_folders(folder)
    if csv is not None:
        require_place(csv)
    from genderscope.report import leaderboard as ranked
    from genderscope.report import show_rankings

    board = ranked(folder, out)
    show_rankings(board.rankings, console())
    tell_skipped(board.found.skipped)
    print(in_line(str(out)))
    if csv is not None:
        write(board.to_csv(), csv)
