"""`genderscope validity`: do two measures agree over models?"""

from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.common import console, usable_runs


def validity(
    runs: Annotated[list[Path], typer.Argument(help="Folders of finished runs: two measures for each model.")],
    x: Annotated[str | None, typer.Option(help="First estimate, e.g. gest:g_s.")] = None,
    y: Annotated[str | None, typer.Option(help="Second estimate, e.g. 'winobias:g_s_hat:type 1 test'.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the models into this file: .svg, .pdf or .png.")] = None,
) -> None:
    """Correlate two measures over the models that both were run on."""
    results = usable_runs(runs, fewest=2, any_measure=True)
    from genderscope.comparison import validity as correlated
    from genderscope.report import correlation_cells, correlation_table

    found = correlated(*results, x=x, y=y)
    shown = console()
    for model, (a, b) in sorted(found.points.items()):
        shown.print(f"{model}: {found.x} = {a:.4g}, {found.y} = {b:.4g}")
    table = correlation_table("correlation")
    for each in (found.pearson, found.spearman):
        table.add_row(each.kind, *correlation_cells(each))
    shown.print(table)
    if plot is not None:
        shown.print(f"Plot: {found.plot().save(plot)}")
    for caution in found.cautions:
        shown.print(caution)
