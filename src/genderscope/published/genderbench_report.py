"""GenderBench report 1.1: intervals for 12 chat models, compared with our runs of the same models.

The models' answers were not released, so the intervals can be compared with new runs but not recomputed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from genderscope.published.paper_tables import load_runs_of, numbers_of, published_table, text_of, write_table
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

#: form and estimate of each column
COLUMNS = (("ask", "stereotype_rate"), ("write", "stereotype_rate"), ("write", "masculine_rate"))
NOTE = (
    "\nThe answers behind these intervals were not released, so the intervals can be compared with new runs but not "
    "recomputed. For GenderBench's own rules, run with --as-published --data-version 1.0."
)


@dataclass(frozen=True)
class ModelIntervals:
    """A model's published intervals, and our estimates if we have a run."""

    model: str
    published: dict[tuple[str, str], tuple[float, float]]
    ours: dict[tuple[str, str], Estimate]


def lines(runs: Sequence[Result]) -> list[ModelIntervals]:
    """Return the published models with our runs, then our runs of other models."""
    published: dict[str, dict[tuple[str, str], tuple[float, float]]] = {}
    for row in published_table("genderbench_gest.csv"):
        cells = published.setdefault(row["model"], {})
        cells[row["form"], row["metric"]] = (float(row["low"]), float(row["high"]))
    ours: dict[str, dict[tuple[str, str], Estimate]] = {}
    for run in runs:
        name = _named(str(run.config["model"]["name"]), published)
        ours.setdefault(name, {}).update(_estimates(run))
    published_models = [ModelIntervals(name, cells, ours.pop(name, {})) for name, cells in published.items()]
    return published_models + [ModelIntervals(name, {}, cells) for name, cells in ours.items()]


def _named(model: str, published: Iterable[str]) -> str:
    """Return the report's name for a model if the last path component matches, else the model's own name."""
    last = model.rpartition("#")[2].rpartition("/")[2].casefold()
    return next((name for name in published if name.casefold() == last), model)


def _estimates(run: Result) -> dict[tuple[str, str], Estimate]:
    form = str(run.config["configuration"]["form"])
    return {(form, e.name): e for e in run.as_estimates() if not e.keys and (form, e.name) in COLUMNS}


def gest_chat(console: Console, runs: Sequence[Path], target: Path | None) -> None:
    """Print the published intervals next to ours; write them to `target` if given."""
    models = lines(load_runs_of("gest-chat", runs))
    table = Table(title="GenderBench 1.1: published 95 % intervals, and ours", box=None, title_justify="left")
    table.add_column("model", no_wrap=True)
    for form, name in COLUMNS:
        table.add_column(f"{form}: {name}", justify="right", no_wrap=True)
        table.add_column("ours", justify="right", no_wrap=True)
    for line in models:
        table.add_row(line.model, *(cell for column in COLUMNS for cell in _cells(line, column)))
    console.print(table)
    console.print(NOTE)
    header = ("model", "form", "estimate", "published_low", "published_high", "ours", "low", "high")
    rows = [
        (line.model, *column, *line.published.get(column, (None, None)), *numbers_of(line.ours.get(column)))
        for line in models
        for column in COLUMNS
        if column in line.published or column in line.ours
    ]
    write_table(target, header, rows)


def _cells(line: ModelIntervals, column: tuple[str, str]) -> tuple[str, str]:
    theirs = line.published.get(column)
    return "–" if theirs is None else f"[{theirs[0]:.2f}, {theirs[1]:.2f}]", text_of(line.ours.get(column))
