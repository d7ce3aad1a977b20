"""The word-filling paper's Tables 7-12, compared with runs of the same models."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from genderscope.core.errors import UserError
from genderscope.published.paper_tables import published_table, write_table
from genderscope.report import interval, plain_table
from genderscope.runs import Result, load_run
from genderscope.statistics.estimate import Estimate

TABLE = "wordfill_tables7-12.csv"
_SCORE = re.compile(r"(ss|cs|csk)_(mean|plus) (Original|Control)")
_RHO = re.compile(r"(ss|cs|csk|f-ss|f-cs|cs-csk) rho")


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
        available = sorted({row["dataset"] for row in published_table(TABLE)})
        raise UserError(f"The paper has no numbers for the data '{dataset}'; it has {', '.join(available)}.")
    of_model = [row for row in published if name in {row["model"], row["model"].rpartition("/")[2]}]
    if not of_model:
        available = sorted({row["model"] for row in published})
        raise UserError(f"The paper has no numbers for '{name}' on {dataset}; it has {', '.join(available)}.")
    if not result.config["configuration"]["as_published"]:
        raise UserError(
            f"The run in '{result.folder}' uses natural logarithms, but the paper uses log10; repeat the run with "
            "--as-published."
        )
    estimates = result.as_estimates()
    cells = []
    for row in of_model:
        ours = _ours(row["statistic"], estimates)
        if ours is not None and ours.value is not None:
            spread = float(row["plus_minus"]) if row["plus_minus"] else None
            cells.append(StatisticCell(row["model"], dataset, row["statistic"], float(row["value"]), spread, ours))
    return cells


def _ours(statistic: str, estimates: Sequence[Estimate]) -> Estimate | None:
    """Return the estimate that corresponds to a row of the paper's tables."""
    name, group, category = statistic, None, None
    if score := _SCORE.fullmatch(statistic):
        name, group = f"{score[1]}_{score[2]}", score[3].lower()
    elif rho := _RHO.fullmatch(statistic):
        name, category = "score_correlation", rho[1]
    elif statistic.endswith(" agreement"):
        name, category = "agreement", statistic.removesuffix(" agreement")
    elif statistic in {"False Positive Rate", "False Negative Rate"}:
        name = "false_positive_rate" if "Positive" in statistic else "false_negative_rate"
    return next((e for e in estimates if e.is_called(name) and (e.group, e.category) == (group, category)), None)


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
        ours = f"{cell.ours.value:.3f}"
        row = (cell.model, cell.dataset, cell.statistic, f"{cell.published:g}", spread, ours)
        table.add_row(*row, interval(cell.ours), f"{cell.ours.n:,}")
    console.print(table)
    if cells:
        worst = max(cells, key=_difference)
        console.print(f"\nOf {len(cells)} cells, {worst.statistic} differs most, by {_difference(worst):.3f}.")
    header = ("model", "data", "number", "published", "plus_minus", "ours", "low", "high", "n")
    rows = [
        (c.model, c.dataset, c.statistic, c.published, c.plus_minus, c.ours.value, c.ours.low, c.ours.high, c.ours.n)
        for c in cells
    ]
    write_table(target, header, rows)


def _difference(cell: StatisticCell) -> float:
    return abs((cell.ours.value or 0.0) - cell.published)
