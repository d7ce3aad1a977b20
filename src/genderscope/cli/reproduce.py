"""`genderscope reproduce`: a paper's tables, recomputed."""

from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.options import usable_runs
from genderscope.cli.output import console
from genderscope.core.errors import require_known
from genderscope.published import REPRODUCTIONS


def reproduce_command(
    tables: Annotated[str, typer.Argument(metavar="NAME", help=f"Tables to recompute: {', '.join(REPRODUCTIONS)}.")],
    runs: Annotated[
        list[Path] | None, typer.Argument(help="Your finished runs, for papers that released no scores.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option(help="Write every published and recomputed value to this CSV file.")
    ] = None,
) -> None:
    """Recompute a paper's tables from released data or from your runs."""
    require_known("reproduction", tables, REPRODUCTIONS)
    from genderscope.runs import reading, require_place

    results = usable_runs(runs) if runs else []
    if csv is not None:
        require_place(csv)
    module, function = REPRODUCTIONS[tables].split(":")
    with reading(*results):
        getattr(import_module(module), function)(console(), [result.folder for result in results], csv)
