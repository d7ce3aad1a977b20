"""`genderscope reproduce`: a paper's tables, recomputed."""

from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.options import usable_runs
from genderscope.cli.output import console
from genderscope.errors import unknown
from genderscope.published import REPRODUCTIONS


def reproduce_command(
    name: Annotated[str, typer.Argument(metavar="|".join(REPRODUCTIONS), help="Tables to recompute.")],
    runs: Annotated[
        list[Path] | None, typer.Argument(help="Your finished runs, for papers that released no scores.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option(help="Write every published and recomputed value to this CSV file.")
    ] = None,
) -> None:
    """Recompute a paper's tables from released data or from your runs."""
    if name not in REPRODUCTIONS:
        raise unknown("reproduction", name, REPRODUCTIONS)
    from genderscope.runs import reading, require_place

    results = usable_runs(runs) if runs else []
    if csv is not None:
        require_place(csv)
    module, function = REPRODUCTIONS[name].split(":")
    with reading(*results):
        getattr(import_module(module), function)(console(), [result.folder for result in results], csv)
