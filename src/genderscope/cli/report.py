"""`genderscope report`: finished runs as one HTML page."""

from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.options import RunFolders, usable_runs
from genderscope.cli.output import print_path


def report_command(
    runs: RunFolders,
    out: Annotated[Path, typer.Option("--out", "-o", help="HTML file to write.")] = Path("report.html"),
) -> None:
    """Write one self-contained HTML page about one or more runs."""
    results = usable_runs(runs, any_measure=True)
    from genderscope.report import report as write_report

    print_path(write_report(results, out))
