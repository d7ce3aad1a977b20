"""The word-filling paper's Tables 7-12, compared with runs of the same models."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from genderscope.core.errors import UserError
from genderscope.published.paper_tables import numbers_of, published_table, write_table
from genderscope.report import interval, plain_table
from genderscope.runs import Result, load_run
from genderscope.statistics.estimate import Estimate

TABLE = "wordfill_tables7-12.csv"
#: pattern of a statistic in the tables -> name or symbol of our estimate, its group and its category
STATISTICS = {
    r"(ss|cs|csk)_(mean|plus) (Original|Control)": (r"\1_\2", r"\3", ""),
    r"(ss|cs|csk|f-ss|f-cs|cs-csk) rho": ("score_correlation", "", r"\1"),
    r"(.+) agreement": ("agreement", "", r"\1"),
    r"False (Positive|Negative) Rate": (r"false_\1_rate", "", ""),
    r"(.+)": (r"\1", "", ""),
}


@dataclass(frozen=True)
class StatisticCell:
    """A published number and our estimate."""

    model: str
    dataset: str
    statistic: str
    published: float
    plus_minus: float | None
    ours: Estimate


def compare(folders: Sequence[Path]) -> list[StatisticCell]:
    """Return the published cells for which the runs provide an estimate."""
    return [cell for folder in folders for cell in _cells(load_run(folder))]


def _cells(result: Result) -> list[StatisticCell]:
    dataset = str(result.config["data"]["name"])
    name = str(result.config["model"]["name"]).removeprefix("hf:")
    published = [row for row in published_table(TABLE) if row["dataset"] == dataset]
    if not published:
        covered = sorted({row["dataset"] for row in published_table(TABLE)})
        raise UserError(f"The paper has no numbers for the data '{dataset}'; it has {', '.join(covered)}.")
    model_rows = [row for row in published if name in {row["model"], row["model"].rpartition("/")[2]}]
    if not model_rows:
        covered = sorted({row["model"] for row in published})
        raise UserError(f"The paper has no numbers for '{name}' on {dataset}; it has {', '.join(covered)}.")
    if not result.config["configuration"]["as_published"]:
        raise UserError(
            f"The run in '{result.folder}' uses natural logarithms, but the paper uses log10; repeat the run with "
            "--as-published."
        )
    estimates = result.as_estimates()
    cells = []
    for row in model_rows:
        ours = _ours(row["statistic"], estimates)
        if ours is not None and ours.value is not None:
            spread = float(row["plus_minus"]) if row["plus_minus"] else None
            cells.append(StatisticCell(row["model"], dataset, row["statistic"], float(row["value"]), spread, ours))
    return cells


def _ours(statistic: str, estimates: Sequence[Estimate]) -> Estimate | None:
    """Return the estimate that corresponds to a row of the paper's tables."""
    matches = ((re.fullmatch(pattern, statistic), parts) for pattern, parts in STATISTICS.items())
    name, *keys = next([match.expand(part).lower() for part in parts] for match, parts in matches if match)
    return next((e for e in estimates if e.is_called(name) and [e.group or "", e.category or ""] == keys), None)


def wordfill(console: Console, runs: Sequence[Path], target: Path | None) -> None:
    """Print the published numbers and ours, one row per cell; write them to `target` if given."""
    if not runs:
        raise UserError(
            "The paper released no scores to recompute; give folders of runs made with --as-published: genderscope "
            "reproduce wordfill RUN…."
        )
    cells = compare(runs)
    table = plain_table(("model", "data", "number"), ("published", "±", "ours", "95 % interval", "n"))
    for cell in cells:
        spread = "–" if cell.plus_minus is None else f"{cell.plus_minus:g}"
        ours = (f"{cell.ours.value:.3f}", interval(cell.ours), f"{cell.ours.n:,}")
        table.add_row(cell.model, cell.dataset, cell.statistic, f"{cell.published:g}", spread, *ours)
    console.print(table)
    if cells:
        worst = max(cells, key=_difference)
        console.print(f"\nOf {len(cells)} cells, {worst.statistic} differs most, by {_difference(worst):.3f}.")
    header = ("model", "data", "number", "published", "plus_minus", "ours", "low", "high", "n")
    rows = [(c.model, c.dataset, c.statistic, c.published, c.plus_minus, *numbers_of(c.ours), c.ours.n) for c in cells]
    write_table(target, header, rows)


def _difference(cell: StatisticCell) -> float:
    return abs((cell.ours.value or 0.0) - cell.published)
