"""Earlier runs that --fresh keeps next to the new run, named after the time of their first answer."""

import os
import re
from collections.abc import Sequence
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

from genderscope.core.errors import UserError
from genderscope.runs.atomic_files import MISSING, take_lock, what_is_there
from genderscope.runs.journal import keys_in
from genderscope.runs.result import Result
from genderscope.runs.run_files import CONFIG, JOURNAL, RESULT, DamagedRunError, recorded
from genderscope.runs.run_record import ASKED, moment_of
from genderscope.runs.run_state import is_finished, refuse_another

_NAME = re.compile(r"(?P<name>.+)\.\d{4}-\d\d-\d\dT\d{4}(-\d+)?")


def holds_answers(folder: Path, config: dict[str, Any]) -> bool:
    """Return whether a folder contains answers of this run; raise if its configuration differs."""
    if what_is_there(folder / CONFIG) != MISSING:
        try:
            refuse_another(folder, config)
        except DamagedRunError:
            return True
    return what_is_there(folder / RESULT) != MISSING or bool(keys_in(folder / JOURNAL))


def keep_earlier(folder: Path) -> Path:
    """Rename a run's folder to NAME.2026-11-14T0930, leaving its contents unchanged, and return the new path."""
    try:
        if folder.exists() and folder.samefile(Path.cwd()):
            raise UserError(f"'{folder}' is the current folder and cannot be renamed; change to another folder.")
        lock = take_lock(folder / ".lock", f"Another process is working in '{folder}'; wait for it to finish.")
        if os.name == "nt":  # Windows cannot rename a folder with an open file
            os.close(lock)
        try:
            aside = _free_name(folder)
            folder.rename(aside)
        finally:
            if os.name != "nt":
                os.close(lock)
    except OSError as error:
        raise UserError(
            f"The earlier run in '{folder}' cannot be renamed ({error.strerror}); choose another folder with --out."
        ) from None
    return aside


def _free_name(folder: Path) -> Path:
    stamp = f"{_first_answer(folder):%Y-%m-%dT%H%M}"
    numbers = ("" if k == 1 else f"-{k}" for k in count(1))
    return next(path for n in numbers if not os.path.lexists(path := folder.with_name(f"{folder.name}.{stamp}{n}")))


def _first_answer(folder: Path) -> datetime:
    """Return the time of the first answer or, if run.json lacks it, of the last modification."""
    asked = recorded(folder).get(ASKED)
    moments = [moment for text in asked if (moment := moment_of(text))] if isinstance(asked, list) else []
    if moments:
        return moments[0]
    path = next(path for name in (CONFIG, JOURNAL, RESULT) if os.path.lexists(path := folder / name))
    return datetime.fromtimestamp(path.stat().st_mtime).astimezone()


def without_earlier(results: Sequence[Result]) -> list[Result]:
    """Drop earlier runs whose successors are also given, as with runs/* in a shell."""
    given = {result.folder.resolve() for result in results if result.folder is not None}
    return [r for r in results if r.folder is None or replaced_by(r.folder.resolve()) not in given]


def replaced_by(folder: Path) -> Path | None:
    """Return the finished run with which --fresh replaced this one, if any."""
    match = _NAME.fullmatch(folder.name)
    later = None if match is None else folder.with_name(match["name"])
    return later if later is not None and is_finished(later) else None
