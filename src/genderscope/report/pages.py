"""The Python function `genderscope.report`, which writes a page for one or more runs."""

from collections.abc import Iterable
from pathlib import Path

from genderscope.core.errors import UserError
from genderscope.report.html.report_page import write_reports
from genderscope.runs import Run, listed_runs, loaded, reading, require_place, write_whole


def report(runs: Run | Iterable[Run], out: str | Path = "report.html") -> Path:
    """Write a self-contained page for one or more finished runs and return its path.

    Args:
        runs: One or more run folders or Results.
        out: HTML file to write.
    """
    given = listed_runs(runs)
    if not given:
        raise UserError("There are no runs to report; give folders of finished runs or Result objects.")
    results = loaded(given)
    target = Path(out)
    require_place(target)
    with reading(*given):
        write_whole(target, lambda aside: write_reports(results, aside))
    return target
