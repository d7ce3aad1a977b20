"""`genderscope figures`: the figures of runs as files."""

from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.options import RunFolders, usable_runs
from genderscope.cli.output import print_path
from genderscope.core.errors import UserError, require_known

FORMATS = ("svg", "pdf", "png")
WIDTHS = ("column", "page")


def figures_command(
    runs: RunFolders,
    kind: Annotated[
        str, typer.Option("--format", "-f", metavar="|".join(FORMATS), help="File format; png is written at 300 dpi.")
    ] = "svg",
    width: Annotated[
        str,
        typer.Option(metavar="|".join(WIDTHS), help="Fit one column of a two-column paper, or the full page width."),
    ] = "column",
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the files.")] = Path("figures"),
) -> None:
    """Write figures to files: those of each run, and those of all runs of a measure together."""
    require_known("format", kind, FORMATS)
    require_known("width", width, WIDTHS)
    if out.exists() and not out.is_dir():
        raise UserError(f"'{out}' is a file; give a folder to --out.")
    from genderscope.runs import reading, write_whole

    results = usable_runs(runs, any_measure=True)
    from genderscope.report import COLUMN, PAGE, files

    has_written = False
    with reading(*results):
        for name, content in files(results, kind, COLUMN if width == "column" else PAGE):  # type: ignore[arg-type]
            try:
                out.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise UserError(f"Cannot write '{out / name}': {error.strerror}.") from None
            write_whole(out / name, content)
            print_path(out / name)
            has_written = True
    if not has_written:
        raise UserError("Nothing to draw: these measures have no figures, or no value could be computed.")
