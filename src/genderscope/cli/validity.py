"""`genderscope validity`: do two measures agree over models?"""

from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.common import console
from genderscope.terminal_safe import well_formed


def validity(
    runs: Annotated[list[Path], typer.Argument(help="Folders of finished runs: two measures for each model.")],
    x: Annotated[str | None, typer.Option(help="First estimate, e.g. gest:g_s.")] = None,
    y: Annotated[str | None, typer.Option(help="Second estimate, e.g. 'winobias:g_s_hat:type 1 test'.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the models into this SVG file.")] = None,
) -> None:
    """Correlate two measures over the models that both were run on."""
    from genderscope.comparison import validity as correlated
    from genderscope.report import correlation_cells, correlation_table

    found = correlated(*runs, x=x, y=y)
    shown = console()
    for model, (a, b) in sorted(found.points.items()):
        shown.print(f"{model}: {found.x} = {a:.4g}, {found.y} = {b:.4g}")
    table = correlation_table("correlation")
    for each in (found.pearson, found.spearman):
        table.add_row(each.kind, *correlation_cells(each))
    shown.print(table)
    if plot is not None:
        from genderscope.report import models_scatter, svg
        from genderscope.runs import write_whole

        dots = {well_formed(model): point for model, point in found.points.items()}
        write_whole(plot, svg(models_scatter(dots, well_formed(str(found.x)), well_formed(str(found.y)))).encode())
        shown.print(f"Plot: {plot}")
    for caution in found.cautions:
        shown.print(caution)
