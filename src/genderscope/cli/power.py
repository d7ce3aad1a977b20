"""`genderscope power`: how many samples are needed to detect an effect."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.options import Json, MeasureName
from genderscope.cli.output import console, print_json


def power_command(
    measure: MeasureName,
    effect: Annotated[
        float | None,
        typer.Option(help="Effect to detect: a factor such as 1.1 for a ratio, otherwise a distance from neutral."),
    ] = None,
    pilot: Annotated[
        list[Path] | None,
        typer.Option(help="Estimate the variance from this finished run; give two to plan a comparison."),
    ] = None,
    samples: Annotated[
        list[int] | None, typer.Option(help="Show the smallest effect that this many samples can detect; repeatable.")
    ] = None,
    margin: Annotated[
        float | None, typer.Option(help="Smallest effect of interest, to plan an equivalence test.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Plan a study: how many samples it takes to detect an effect, or which effect a given sample size can detect."""
    from genderscope.measures import measure_type
    from genderscope.runs import load_run

    measure_type(measure)
    runs = [load_run(run) for run in pilot or ()]
    from genderscope.comparison import plan
    from genderscope.report import show_plan

    study = plan(measure, effect, pilot=runs, samples=samples or (), margin=margin)
    if as_json:
        print_json(asdict(study))
    else:
        show_plan(study, console())
