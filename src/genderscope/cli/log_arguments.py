"""Logs of other tools as arguments of commands that take runs: they are imported first."""

from pathlib import Path

from genderscope.cli.output import warn
from genderscope.core.errors import UserError


def run_or_log(path: Path) -> Path:
    """Return the folder of a run; a log is imported into the folder that `genderscope import` would choose."""
    if not path.is_file() or (path.parent / "run.json").exists():
        return path
    from genderscope.importing import import_log, is_log

    if not is_log(path):
        return path
    folder = import_log(path).folder
    assert folder is not None
    return folder


def runs_or_logs(path: Path) -> Path:
    """Return a folder with runs; if a folder contains logs instead, they are imported into a folder in `runs/`."""
    if not path.is_dir():
        return run_or_log(path)
    if any(path.rglob("run.json")):
        return path
    from genderscope.importing import import_log, logs_in

    if not (logs := logs_in(path)):
        return path
    place = Path("runs") / f"{path.resolve().name}-imported"
    made = 0
    for log in logs:
        try:
            import_log(log, place / log.stem)
            made += 1
        except UserError as error:  # other tasks of the same evaluation
            warn(f"Skipped: {error}")
    if not made:
        raise UserError(f"No log in '{path}' can be imported; 'genderscope import LOG' says why.")
    return place
