"""`genderscope pool`, `power`, `validity` and `reproduce`: studies of several runs, models or papers."""

from collections.abc import Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Annotated, Literal

import typer

from genderscope.cli.options import Json, MeasureName, usable_runs
from genderscope.cli.output import console, print_json
from genderscope.core.errors import UserError, require_known
from genderscope.published import REPRODUCTIONS


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
    between: Annotated[
        float | None,
        typer.Option(
            help="Standard deviation between stereotypes, templates or occupations; by default that of the pilot or of "
            "released data."
        ),
    ] = None,
    over: Annotated[
        Literal["benchmark", "items"],
        typer.Option(
            help="Plan for an interval that generalises to other stereotypes, templates or occupations, as verdicts do "
            "('benchmark'), or only to other samples of the same ones ('items')."
        ),
    ] = "benchmark",
    as_json: Json = False,
) -> None:
    """Plan a study: how many samples it takes to detect an effect, or which effect a given sample size can detect."""
    from genderscope.measures import measure_type
    from genderscope.runs import load_run

    measure_type(measure)
    runs = [load_run(run) for run in pilot or ()]
    from genderscope.comparison import plan
    from genderscope.report import show_plan

    study = plan(measure, effect, pilot=runs, samples=samples or (), margin=margin, between=between, over=over)
    if as_json:
        print_json(asdict(study))
    else:
        show_plan(study, console())


def validity_command(
    runs: Annotated[list[Path], typer.Argument(help="Folders of finished runs: two measures per model.")],
    x: Annotated[str | None, typer.Option(help="First estimate, e.g. gest:stereotype_rate.")] = None,
    y: Annotated[str | None, typer.Option(help="Second estimate, e.g. 'winobias:stereotype_rate:type 1 test'.")] = None,
    family: Annotated[
        list[str] | None,
        typer.Option(
            help="Assign a model to a family (MODEL=FAMILY), as related models are not independent; repeatable."
        ),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Save a scatter plot of the models as this .svg, .pdf or .png file.")
    ] = None,
) -> None:
    """Correlate two measures across the models that have both."""
    results = usable_runs(runs, fewest=2, any_measure=True)
    from genderscope.comparison import validity as correlate
    from genderscope.report import correlation_cells, correlation_table

    correlation = correlate(*results, x=x, y=y, families=_families(family or ()))
    out = console()
    for model, (a, b) in sorted(correlation.points.items()):
        out.print(f"{model}: {correlation.x} = {a:.4g}, {correlation.y} = {b:.4g}")
    table = correlation_table("correlation")
    for coefficient in (correlation.pearson, correlation.spearman):
        table.add_row(coefficient.kind, *correlation_cells(coefficient))
    if correlation.corrected is not None:
        table.add_row("Pearson, corrected for noise", *correlation_cells(correlation.corrected))
    out.print(table)
    if plot is not None:
        out.print(f"Plot: {correlation.plot().save(plot)}")
    for caution in correlation.cautions:
        out.print(caution)


def _families(given: Sequence[str]) -> dict[str, str]:
    families = {}
    for text in given:
        model, equals, name = text.rpartition("=")
        if not (model and equals and name):
            raise UserError(f"Option --family is '{text}'; write MODEL=FAMILY, e.g. distilgpt2=gpt.")
        families[model] = name
    return families


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
