"""The command that writes the figures of runs as files."""

from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.common import usable_runs
from genderscope.errors import UserError, unknown
from genderscope.terminal_safe import in_line

FORMATS = ("svg", "pdf", "png")
WIDTHS = ("column", "page")


def figures(
    runs: Annotated[list[Path], typer.Argument(help="Folders of finished runs.")],
    kind: Annotated[str, typer.Option("--format", "-f", help="svg, pdf or png (300 dpi).")] = "svg",
    width: Annotated[str, typer.Option(help="column (of a two-column paper) or page.")] = "column",
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the files.")] = Path("figures"),
) -> None:
    """Write the figures of the paper of each measure, a file each: of every run, and over several runs of a measure."""
    if kind not in FORMATS:
        raise unknown("format", kind, FORMATS)
    if width not in WIDTHS:
        raise unknown("width", width, WIDTHS)
    if out.exists() and not out.is_dir():
        raise UserError(f"'{out}' cannot be written: File exists.")
    from genderscope.runs import reading, write_whole

    results = usable_runs(runs, any_measure=True)
    from genderscope.report import COLUMN, PAGE, files

    written = 0
    with reading(*results):
        for name, content in files(results, kind, COLUMN if width == "column" else PAGE):  # type: ignore[arg-type]
            try:
                out.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise UserError(f"'{out / name}' cannot be written: {error.strerror}.") from None
            write_whole(out / name, content)
            print(in_line(str(out / name)))
            written += 1
    if not written:
        raise UserError("There is nothing to draw: no value of these runs could be read.")
