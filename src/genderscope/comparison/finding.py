"""Looks for runs in a folder; pandas and scipy are left alone until a run is found."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from genderscope.comparison.comparable import demands, options_of
from genderscope.errors import UserError
from genderscope.measures import measure_type
from genderscope.runs import (
    MISSING,
    DamagedRunError,
    Result,
    load_run,
    reading,
    replaced_by,
    require_folders,
    what_is_there,
)


@dataclass(frozen=True)
class Found:
    """The contents of a folder: finished runs by their relative path, and everything else, with the reason."""

    runs: dict[str, Result]
    others: dict[str, str]


def find_runs(folder: Path) -> Found:
    """Look for runs in a folder and below; anything that is not a finished run is listed, not fatal."""
    require_folders(folder)
    runs: dict[str, Result] = {}
    others: dict[str, str] = {}
    for path in _candidates(folder):
        name = path.relative_to(folder).as_posix()
        try:
            if what_is_there(path / "run.json") == MISSING:
                others[name] = "holds no run"
            elif what_is_there(path / "result.json") == MISSING:
                others[name] = "is not finished"
            elif path != folder and (later := replaced_by(path)) is not None:
                others[name] = f"is an earlier run of {later.name}; give its folder to include it"
            else:
                with reading(path):
                    runs[name] = _known(load_run(path))
        except DamagedRunError as damage:
            others[name] = f"cannot be read ({damage.path.name} is damaged: 'genderscope show' says how to fix it)"
        except UserError as error:
            others[name] = f"cannot be read ({error})"
    return Found(runs, others)


def _candidates(folder: Path) -> Iterator[Path]:
    """Yield folders with a run, and leaf folders without one; in a fixed order."""
    for place, below, _ in os.walk(folder):
        below.sort()
        below[:] = [name for name in below if not name.startswith(".")]
        path = Path(place)
        closed = [name for name in below if not os.access(path / name, os.R_OK | os.X_OK)]
        yield from (path / name for name in closed)
        if os.path.lexists(path / "run.json"):
            below.clear()
            yield path
        elif not below and path != folder:
            yield path


def _known(result: Result) -> Result:
    """Refuse a run of an unknown measure, or one whose rows lack what a comparison needs."""
    kind = measure_type(result.measure)
    demands(result)
    options_of(result)
    if lacking := [column for column in kind.row_key if column not in result.columns]:
        raise UserError(f"its rows lack {', '.join(lacking)}")
    return result
