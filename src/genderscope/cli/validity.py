"""`genderscope validity`: do two measures agree across models?"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.options import usable_runs
from genderscope.cli.output import console
from genderscope.core.errors import UserError


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
