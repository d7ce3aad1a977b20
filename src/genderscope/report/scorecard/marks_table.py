"""GenderBench's marks on the terminal and as CSV."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from genderscope.comparison import MarkedEstimate, collect, mark_runs
from genderscope.judgement import explain_marks
from genderscope.report.layout import PlainTable, TableColumn
from genderscope.report.scorecard.cell_text import describe_left_out, no_runs_error
from genderscope.report.scorecard.scorecard_data import csv_text
from genderscope.report.views.plain_view import interval, number
from genderscope.runs import reading
from genderscope.util.safe_text import in_line

HEADINGS = ("model", "probe", "metric", "value", "95 % interval", "mark", "interval touches")
CSV_COLUMNS = ("model", "run", "probe", "metric", "value", "low", "high", "n", "unread", "mark", "touched")


def marks_of(folders: Sequence[Path], measures: Sequence[str] = ()) -> tuple[list[MarkedEstimate], list[str]]:
    """Return the marks of all runs in `folders`, and sentences about the runs without."""
    found = collect(folders)
    runs = {path: result for path, result in found.runs.items() if not measures or result.measure in measures}
    if not runs:
        raise no_runs_error(folders, found)
    with reading(*runs.values()):
        marked, others = mark_runs(runs)
    return marked, describe_left_out({**found.others, **others})


def show_marks(marked: Sequence[MarkedEstimate], left_out: Sequence[str], console: Console) -> None:
    """Print one line per model and metric, and how much the marks say."""
    if marked:
        table = PlainTable([TableColumn(heading, right=heading in HEADINGS[3:5]) for heading in HEADINGS], ("value",))
        for each in marked:
            e = each.estimate
            cells = (
                each.model,
                each.scale.probe,
                e.name,
                number(e.value),
                interval(e),
                each.mark.letter,
                each.mark.words,
            )
            table.add_row(*(Text(in_line(cell)) for cell in cells))
        console.print(table)
        console.print(Text("\n" + explain_marks([each.mark for each in marked]), style="dim"))
    for line in left_out:
        console.print(Text(in_line(line)))


def marks_csv(marked: Sequence[MarkedEstimate]) -> str:
    """Return CSV with one row per model and metric."""
    return csv_text(CSV_COLUMNS, map(_line, marked))


def _line(each: MarkedEstimate) -> Mapping[str, Any]:
    e = each.estimate
    known = {"value": e.value, "low": e.low, "high": e.high, "n": e.n, "unread": e.unread}
    about = {"model": each.model, "run": each.run, "probe": each.scale.probe, "metric": e.name}
    return {**about, **known, "mark": each.mark.letter, "touched": each.mark.touched}
