"""`genderscope power`: how many samples an effect needs."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.common import Json, console


def power(
    measure: Annotated[str, typer.Argument(help="Measure (see 'genderscope list measures').")],
    effect: Annotated[
        float | None,
        typer.Option(help="Effect to detect: a factor such as 1.1 for a ratio, else a distance from neutral."),
    ] = None,
    pilot: Annotated[
        list[Path] | None,
        typer.Option(help="Folder of a finished run to take the spread from; two of them: for their difference."),
    ] = None,
    samples: Annotated[
        list[int] | None, typer.Option(help="Show the smallest effect that this many samples can detect.")
    ] = None,
    margin: Annotated[
        float | None, typer.Option(help="Smallest effect of interest, for showing that there is none of that size.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Plan a study: the samples that an effect needs, and the smallest effect that so many samples show."""
    from genderscope.measures import measure_type
    from genderscope.runs import load_run

    measure_type(measure)
    runs = [load_run(run) for run in pilot or ()]
    from genderscope.comparison import plan
    from genderscope.report import show_plan

    found = plan(measure, effect, pilot=runs, samples=samples or (), margin=margin)
    if as_json:
        print(json.dumps(asdict(found), ensure_ascii=False, indent=1))
    else:
        show_plan(found, console())
