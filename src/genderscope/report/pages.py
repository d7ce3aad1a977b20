"""The Python functions `genderscope.report` and `genderscope.leaderboard`, which write pages for many runs."""

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from genderscope.comparison import Found, Ranking, find_runs, rankings
from genderscope.core.errors import UserError
from genderscope.report.html.report_page import write_reports
from genderscope.report.scorecard.cell_text import describe_left_out, no_runs_error
from genderscope.report.scorecard.ranking_tables import page, table_csv
from genderscope.runs import Result, load_run, reading, require_place, write_whole

if TYPE_CHECKING:
    import pandas as pd

Run = str | Path | Result


def report(runs: Run | Iterable[Run], out: str | Path = "report.html") -> Path:
    """Write a self-contained page for one or more finished runs and return its path.

    Args:
        runs: One or more run folders or Results.
        out: HTML file to write.
    """
    given = _listed(runs)
    if not given:
        raise UserError("There are no runs to report; give folders of finished runs or Result objects.")
    results = [run if isinstance(run, Result) else load_run(run) for run in given]
    target = Path(out)
    require_place(target)
    with reading(*given):
        write_whole(target, lambda aside: write_reports(results, aside))
    return target


@dataclass(frozen=True)
class Leaderboard:
    """Rankings of comparable runs, and the excluded folders with the reason for each."""

    found: Found
    rankings: tuple[Ranking, ...]

    @property
    def left_out(self) -> list[str]:
        """The excluded folders, with the reason for each."""
        return describe_left_out(self.found.others)

    @property
    def table(self) -> "pd.DataFrame":
        """All rankings as one tidy DataFrame."""
        import pandas as pd

        return pd.read_csv(io.StringIO(self.to_csv()))

    def to_html(self, folder: str | Path | None = None) -> str:
        """Return the page as HTML; if the page's `folder` is given, it links to the runs' reports."""
        return page(self.found, self.rankings, None if folder is None else Path(folder).absolute())

    def to_csv(self) -> str:
        """Return the rankings as CSV, one row per estimate."""
        return table_csv(self.rankings)

    def save(self, out: str | Path) -> Path:
        """Write the page to a file and return its path."""
        target = Path(out)
        with reading(*self.found.runs.values()):
            write_whole(target, self.to_html(target.absolute().parent).encode(errors="backslashreplace"))
        return target


def leaderboard(runs: Run | Iterable[Run], out: str | Path | None = None) -> Leaderboard:
    """Rank runs by their distance from the neutral point, with one table per measure and language.

    Args:
        runs: A folder that is searched recursively for runs, or several run folders or Results.
        out: HTML file to write.
    """
    found = _found(runs)
    if not found.runs:
        raise no_runs_error([runs] if isinstance(runs, str | Path) else [], found)
    if out is not None:
        require_place(Path(out))
    with reading(*found.runs.values()):
        board = Leaderboard(found, tuple(rankings(found.runs)))
    if out is not None:
        board.save(out)
    return board


def _found(runs: Run | Iterable[Run]) -> Found:
    if isinstance(runs, str | Path):
        return find_runs(Path(runs))
    named: dict[str, Result] = {}
    for run in _listed(runs):
        result = run if isinstance(run, Result) else load_run(run)
        name = _name(result)
        while name in named:
            name += "+"
        named[name] = result
    return Found(named, {})


def _name(result: Result) -> str:
    return str(result.config["model"]["name"]) if result.folder is None else result.folder.as_posix()


def _listed(runs: Run | Iterable[Run]) -> Sequence[Run]:
    return [runs] if isinstance(runs, Run) else list(runs)
