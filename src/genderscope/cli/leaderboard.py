"""`genderscope leaderboard`: the runs in a folder, ranked in groups of comparable runs."""

from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.log_arguments import runs_or_logs
from genderscope.cli.output import console, print_path, warn, write_text


def leaderboard_command(
    folder: Annotated[Path, typer.Argument(help="Folder with runs or logs, searched recursively.", metavar="DIR")],
    out: Annotated[Path, typer.Option("--out", "-o", help="HTML file to write.")] = Path("leaderboard.html"),
    csv: Annotated[Path | None, typer.Option(help="Also write every number to this CSV file.")] = None,
) -> None:
    """Rank runs by their distance from neutral, in one table per measure and language."""
    from genderscope.runs import require_folders, require_place

    folder = runs_or_logs(folder)
    require_folders(folder)
    if csv is not None:
        require_place(csv)
    from genderscope.report import leaderboard as rank
    from genderscope.report import show_rankings

    board = rank(folder, out)
    show_rankings(board.rankings, console())
    warn(board.found.skipped)
    print_path(out)
    if csv is not None:
        write_text(board.to_csv(), csv)
