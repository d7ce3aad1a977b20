"""`genderscope validity`: do two measures agree over models?"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.common import console, usable_runs
from genderscope.errors import UserError


def validity(
    runs: Annotated[list[Path], typer.Argument(help="Folders of finished runs: two measures for each model.")],
    x: Annotated[str | None, typer.Option(help="First estimate, e.g. gest:g_s.")] = None,
    y: Annotated[str | None, typer.Option(help="Second estimate, e.g. 'winobias:g_s_hat:type 1 test'.")] = None,
    family: Annotated[
        list[str] | None,
        typer.Option(help="Set a model's family, as MODEL=FAMILY; models of one family are not independent."),
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the models into this file: .svg, .pdf or .png.")] = None,
) -> None:
    """Correlate two measures over the models that both were run on."""
    results = usable_runs(runs, fewest=2, any_measure=True)
    from genderscope.comparison import validity as correlated
    from genderscope.report import correlation_cells, correlation_table

    found = correlated(*results, x=x, y=y, families=_families(family or ()))
    shown = console()
    for model, (a, b) in sorted(found.points.items()):
        shown.print(f"{model}: {found.x} = {a:.4g}, {found.y} = {b:.4g}")
    table = correlation_table("correlation")
    for each in (found.pearson, found.spearman):
        table.add_row(each.kind, *correlation_cells(each))
    if found.corrected is not None:
        table.add_row("Pearson, corrected for noise", *correlation_cells(found.corrected))
    shown.print(table)
    if plot is not None:
        shown.print(f"Plot: {found.plot().save(plot)}")
    for caution in found.cautions:
        shown.print(caution)


def _families(given: Sequence[str]) -> dict[str, str]:
    families = {}
    for text in given:
        model, equals, name = text.rpartition("=")
        if not (model and equals and name):
            raise UserError(f"Option --family is '{text}'; write MODEL=FAMILY, e.g. distilgpt2=gpt.")
        families[model] = name
    return families
