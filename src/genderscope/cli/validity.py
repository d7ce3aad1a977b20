"""`genderscope validity`: do two measures agree over models?"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from genderscope.cli.common import console
from genderscope.errors import UserError, unknown
from genderscope.terminal_safe import well_formed

if TYPE_CHECKING:
    from genderscope.runs import Result


@dataclass(frozen=True, slots=True)
class Quantity:
    """An estimate of a measure, written MEASURE:NAME or MEASURE:NAME:SUBSET."""

    measure: str
    name: str
    subset: str | None = None

    def __str__(self) -> str:
        return ":".join(part for part in (self.measure, self.name, self.subset) if part)


def validity(
    runs: Annotated[list[Path], typer.Argument(help="Folders of finished runs, two measures of each model.")],
    x: Annotated[str | None, typer.Option(help="First estimate, e.g. gest:g_s.")] = None,
    y: Annotated[str | None, typer.Option(help="Second estimate, e.g. 'winobias:g_s_hat:type 1 test'.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the models into this SVG file.")] = None,
) -> None:
    """Correlate two measures over the models that both were put to."""
    from genderscope.report import correlation_cells, correlation_table
    from genderscope.runs import load_run, reading
    from genderscope.statistics.correlation import FEWEST_FOR_INTERVAL, correlate

    loaded = [load_run(run) for run in runs]
    with reading(*runs):
        first, second, points = paired(loaded, x, y)
    table = correlation_table("correlation")
    found = [
        correlate([a for a, _ in points.values()], [b for _, b in points.values()], kind)
        for kind in ("Pearson", "Spearman")
    ]
    for each in found:
        table.add_row(each.kind, *correlation_cells(each))
    shown = console()
    for model, (a, b) in sorted(points.items()):
        shown.print(f"{model}: {first} = {a:.4g}, {second} = {b:.4g}")
    shown.print(table)
    if plot is not None:
        from genderscope.report import models_scatter, svg
        from genderscope.runs import write_whole

        dots = {well_formed(model): point for model, point in points.items()}
        write_whole(plot, svg(models_scatter(dots, well_formed(str(first)), well_formed(str(second)))).encode())
        shown.print(f"Plot: {plot}")
    for note in differently_asked(loaded, points):
        shown.print(note)
    if found[0].r != found[0].r:
        shown.print("One of the two is the same for every model, so there is no correlation.")
    elif found[0].n < FEWEST_FOR_INTERVAL:
        shown.print(
            f"{found[0].n} models tell nothing about others: no interval and no p below {FEWEST_FOR_INTERVAL} models."
        )
    elif found[0].n < 10:
        shown.print(f"With {found[0].n} models a correlation is very uncertain: look at the intervals.")


def differently_asked(results: "list[Result]", models: Iterable[str]) -> Iterator[str]:
    """Say of each measure whose numbers are over different templates for different models."""
    from genderscope.comparison import asked_with

    chosen = [result for result in results if str(result.config["model"]["name"]) in set(models)]
    for measure in sorted({result.measure for result in chosen}):
        over = {
            str(asked_with(r)["templates"]) for r in chosen if r.measure == measure and "templates" in asked_with(r)
        }
        if len(over) > 1:
            yield f"The models' numbers of '{measure}' are over different templates: {', '.join(sorted(over))}."


def paired(
    results: "list[Result]", x: str | None, y: str | None
) -> tuple[Quantity, Quantity, dict[str, tuple[float, float]]]:
    """Return what is compared, and for each model that has both its two values."""
    by_measure: dict[str, dict[str, Result]] = {}
    for result in results:
        model = str(result.config["model"]["name"])
        known = by_measure.setdefault(result.measure, {})
        if model in known:
            raise UserError(f"There are two runs of '{result.measure}' for the model '{model}'; give one of them.")
        known[model] = result
    first, second = _quantities(by_measure, x, y)
    models = [m for m in by_measure[first.measure] if m in by_measure[second.measure]]
    points = {}
    for model in models:
        a, b = (_value(by_measure[q.measure][model], q) for q in (first, second))
        if a is not None and b is not None:
            points[model] = (a, b)
    if len(points) < 3:
        raise UserError(
            f"A correlation of {first} and {second} needs at least 3 models with both, and the runs have {len(points)}."
        )
    return first, second, points


def _quantities(by_measure: "dict[str, dict[str, Result]]", x: str | None, y: str | None) -> tuple[Quantity, Quantity]:
    from genderscope.measures import measure_type

    if x is not None and y is not None:
        return _parsed(x, by_measure), _parsed(y, by_measure)
    if x is not None or y is not None:
        raise UserError("Give both --x and --y, or neither.")
    if len(by_measure) != 2:
        raise UserError(
            f"The runs are of {', '.join(sorted(by_measure))}; give runs of exactly two measures, or name what to "
            "correlate with --x and --y."
        )
    one, other = (Quantity(name, measure_type(name).headline[0]) for name in sorted(by_measure))
    return one, other


def _parsed(text: str, by_measure: "dict[str, dict[str, Result]]") -> Quantity:
    parts = text.split(":", 2)
    if len(parts) < 2:
        raise UserError(f"'{text}' does not name an estimate; write MEASURE:NAME, e.g. gest:g_s.")
    if parts[0] not in by_measure:
        raise unknown("run of the measure", parts[0], by_measure)
    return Quantity(*parts)


def _value(result: "Result", wanted: Quantity) -> float | None:
    """Return the estimate that spans all but what the quantity names."""
    estimates = result.as_estimates()
    matching = [e for e in estimates if e.name == wanted.name and (e.scope or None) == wanted.subset]
    matching = [e for e in matching if e.stereotype is None]
    if not matching:
        names = {f"{e.name}:{e.scope}" if e.scope else e.name for e in estimates if e.stereotype is None}
        raise unknown(f"estimate of '{wanted.measure}' called", str(wanted).partition(":")[2], names)
    return matching[0].value
