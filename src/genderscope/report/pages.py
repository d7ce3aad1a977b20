"""Pages of many runs, from Python as from the command line."""

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from genderscope.comparison import Found, Ranking, find_runs, rankings
from genderscope.errors import UserError
from genderscope.report.html.report_page import write_reports
from genderscope.report.scorecard.ranking_tables import left_out, page, table_csv
from genderscope.runs import Result, load_run, reading, require_place, write_whole

if TYPE_CHECKING:
    import pandas as pd

Run = str | Path | Result


def report(runs: Run | Iterable[Run], out: str | Path = "report.html") -> Path:
    """Write one self-contained page for one or many finished runs, and return its path.

    Args:
        runs: Folders or Results; one of them may stand alone.
        out: HTML file to write.
    """
    given = _listed(runs)
    if not given:
        raise UserError("A report needs a run or more; give folders of finished runs, or Results.")
    results = [run if isinstance(run, Result) else load_run(run) for run in given]
    target = Path(out)
    require_place(target)
    with reading(*given):
        write_whole(target, lambda aside: write_reports(results, aside))
    return target


@dataclass(frozen=True)
class Leaderboard:
    """Runs ranked where they are comparable, and what was left out with the reason."""

    found: Found
    rankings: tuple[Ranking, ...]

    @property
    def left_out(self) -> list[str]:
        """Which folders are in no ranking, and why."""
        return left_out(self.found)

    @property
    def table(self) -> "pd.DataFrame":
        """Every number of every run in every ranking, as one tidy DataFrame."""
        import pandas as pd

        return pd.read_csv(io.StringIO(self.to_csv()))

    def to_html(self, beside: str | Path | None = None) -> str:
        """Write the page that `genderscope leaderboard` writes; in the folder `beside`, it links to runs' reports."""
        return page(self.found, self.rankings, None if beside is None else Path(beside).absolute())

    def to_csv(self) -> str:
        """Write every number, a line each."""
        return table_csv(self.rankings)

    def save(self, out: str | Path) -> Path:
        """Write the page to a file."""
        target = Path(out)
        with reading(*self.found.runs.values()):
            write_whole(target, self.to_html(target.absolute().parent).encode(errors="backslashreplace"))
        return target


def leaderboard(runs: Run | Iterable[Run], out: str | Path | None = None) -> Leaderboard:
    """Rank runs by their distance from the neutral point, a table a measure and language.

    Args:
        runs: A folder that holds runs, at any depth; or several runs, as folders or Results.
        out: HTML file to write as well.
    """
    found = _found(runs)
    if not found.runs:
        where = f" in '{runs}'" if isinstance(runs, str | Path) else ""
        why = "".join(f" ({line.rstrip('.')})" for line in left_out(found)[:1])
        raise UserError(f"There is no finished run{where}{why}, so nothing was written.")
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
