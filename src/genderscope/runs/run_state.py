"""State of a folder before a run begins: whether it contains this run or another, and whether that run is finished."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from genderscope.core.errors import UserError
from genderscope.runs.atomic_files import MISSING, what_is_there
from genderscope.runs.journal import keys_in
from genderscope.runs.loading import load_run
from genderscope.runs.run_files import CONFIG, JOURNAL, RESULT, DamagedRunError, read_config


def refuse_another(path: Path, config: dict[str, Any]) -> None:
    """Raise if a folder contains a run with another configuration."""
    kept = read_config(path)["configuration"]
    for key, value in config["configuration"].items():
        if kept.get(key) != value:
            raise UserError(
                f"'{path}' contains a run with {key} = {kept.get(key)!r}, not {value!r}; "
                "choose another folder with --out."
            )


def state_of(path: Path, config: dict[str, Any]) -> tuple[bool, set[bytes]]:
    """Return whether this run is already finished in a folder and, if not, its journal's keys; write nothing."""
    if what_is_there(path / CONFIG) == MISSING:
        return False, set()
    with suppress(DamagedRunError):
        refuse_another(path, config)
        if what_is_there(path / RESULT) != MISSING:
            load_run(path)
            return True, set()
    return False, keys_in(path / JOURNAL)


def is_finished(path: Path) -> bool:
    """Return whether a folder appears to contain a finished run, without checking its files."""
    return MISSING not in (what_is_there(path / CONFIG), what_is_there(path / RESULT))


def require_room(path: Path) -> None:
    """Raise if a run folder cannot be created at a path or written to; leave nothing behind."""
    try:
        there = next(each for each in (path, *path.absolute().parents) if os.path.lexists(each))
        if there == path and os.access(there, os.W_OK | os.X_OK) and there.is_dir():
            return
        Path(tempfile.mkdtemp(prefix=".genderscope-", dir=there)).rmdir()
    except (OSError, ValueError) as error:
        raise folder_error(path, error) from None


def folder_error(path: Path, error: OSError | ValueError) -> UserError:
    """Return the error for a folder that cannot be created or written to."""
    reason = getattr(error, "strerror", None) or error  # ValueError: a NUL in the name
    return UserError(f"Cannot write to the run folder '{path}' ({reason}); choose another with --out.")
