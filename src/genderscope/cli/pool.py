"""`genderscope pool`: runs with several seeds or prompts, pooled into one estimate."""

from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.options import Json, usable_runs
from genderscope.cli.output import console


def pool_command(
    runs: Annotated[
        list[Path], typer.Argument(help="Folders of finished runs that differ in seed, prompt or checkpoint.")
    ],
    as_json: Json = False,
) -> None:
    """Pool runs on the same data into one estimate that includes the variance between runs."""
    results = usable_runs(runs, fewest=2)
    from genderscope.comparison import pool as pool_runs
    from genderscope.report import show_pooled

    pooled = pool_runs(*results)
    if as_json:
        print(pooled.to_json())
    else:
        show_pooled(pooled, console())
