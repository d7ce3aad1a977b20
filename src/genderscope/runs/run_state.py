"""State of a run folder: whether it contains this run or another, whether that run is finished, and its progress."""

import os
import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from genderscope.core.errors import UserError
from genderscope.runs.atomic_files import MISSING, what_is_there
from genderscope.runs.journal import keys_in
from genderscope.runs.journal_salvage import log_of
from genderscope.runs.loading import load_run
from genderscope.runs.run_files import CONFIG, JOURNAL, RESULT, DamagedRunError, read_config
from genderscope.runs.run_record import CHAT_OPTIONS, HASHED, chat_options_of, recorded_configuration

#: settings in a model's description that change its fingerprint
SHAPING = ("dtype", "compute", "beams", "samples", "temperature")


def refuse_another(path: Path, config: dict[str, Any]) -> None:
    """Raise if a folder contains a run with another configuration."""
    if (difference := _difference(read_config(path), config)) is not None:
        raise UserError(f"'{path}' contains a run with {difference}; choose another folder with --out.")


def _difference(kept: dict[str, Any], wanted: dict[str, Any]) -> str | None:
    """Describe the first difference between a recorded run and the requested one; None if they are the same run."""
    configuration = recorded_configuration(kept)
    for key, value in wanted["configuration"].items():
        recorded = configuration.get(key)
        if key == "fingerprint" and recorded != value:
            return _model_difference(kept["model"], wanted["model"])
        if key not in CHAT_OPTIONS and recorded != value:
            return f"{key} = {recorded!r}, not {value!r}"
    chat, wanted_chat = chat_options_of(kept), chat_options_of(wanted)
    for key in chat:  # empty for a run that did not record its settings
        if chat[key] != wanted_chat[key]:
            return _told(key, chat[key], wanted_chat[key])
    # The configuration names the user's own files; only the settings show that their content has changed.
    for setting, option in (("wordings", "prompts"), ("prompts", "prompts"), ("controls", "controls")):
        digests = [config.get("settings", {}).get(setting) for config in (kept, wanted)]
        if wanted["configuration"].get(option) is not None and None not in digests and digests[0] != digests[1]:
            return f"other {option} (the content of '{wanted['configuration'][option]}' has changed)"
    return None


def _told(key: str, kept: Any, wanted: Any) -> str:
    """Describe a chat option that differs."""
    if key not in HASHED:
        return f"{key} = {kept}, not {wanted}"
    if kept is None:
        return f"no {key} prompt"
    return f"another {key} prompt" if wanted is not None else f"a {key} prompt, not without one"


def _model_difference(kept: dict[str, Any], wanted: dict[str, Any]) -> str:
    """Describe how a model differs from the recorded one: by a setting if possible, else by its fingerprint."""
    settings = [key for key in SHAPING if key in kept and key in wanted and kept[key] != wanted[key]]
    key = settings[0] if settings else "fingerprint"
    return f"{key} = {kept.get(key)!r}, not {wanted.get(key)!r}"


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
        there = next(place for place in (path, *path.absolute().parents) if os.path.lexists(place))
        if there == path and os.access(there, os.W_OK | os.X_OK) and there.is_dir():
            return
        Path(tempfile.mkdtemp(prefix=".genderscope-", dir=there)).rmdir()
    except (OSError, ValueError) as error:
        raise folder_error(path, error) from None


def folder_error(path: Path, error: OSError | ValueError) -> UserError:
    """Return the error for a folder that cannot be created or written to."""
    reason = getattr(error, "strerror", None) or error  # ValueError: a NUL in the name
    return UserError(f"Cannot write to the run folder '{path}' ({reason}); choose another with --out.")


#: run.json entry with the number of questions
QUESTIONS = "questions"


@dataclass(frozen=True)
class RunProgress:
    """Answers so far, questions in total and the time of the last answer; None stands for an unknown number or time."""

    answers: int | None
    questions: int | None
    last: datetime | None


def progress_of(folder: Path, config: Mapping[str, Any]) -> RunProgress:
    """Count the answers in a run's journal."""
    journal = folder / JOURNAL
    total = config.get(QUESTIONS)
    questions = total if type(total) is int and total > 0 else None
    there = what_is_there(journal)
    if there is not None:
        return RunProgress(0 if there == MISSING else None, questions, None)
    answers = _count(journal)
    times = []
    for path in (journal, log_of(journal)) if answers else ():
        with suppress(FileNotFoundError):  # SQLite deletes the log when the run ends
            times.append(path.stat().st_mtime)
    return RunProgress(answers, questions, datetime.fromtimestamp(max(times)).astimezone() if times else None)


def _count(journal: Path) -> int | None:
    """Return the number of answers; None if the journal cannot be read."""
    # Without a log, no process is writing; SQLite would create a log to open the file in the usual way.
    mode = "mode=ro" if log_of(journal).exists() else "mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(f"{journal.absolute().as_uri()}?{mode}", uri=True)) as opened:
            return int(opened.execute("SELECT count(*) FROM answers").fetchone()[0])
    except sqlite3.Error:
        return None
