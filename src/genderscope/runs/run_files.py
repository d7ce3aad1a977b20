"""A run's files: names, checksums, types and damage.

`result.json` is written last and contains the checksums of all files written before it, and its own. A damaged file is
rebuilt from the journal; corruption can never change a number.
"""

import hashlib
import json
import os
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from genderscope.core.errors import UserError
from genderscope.runs.atomic_files import MISSING, json_bytes, what_is_there, write_whole
from genderscope.runs.result import Result

CONFIG, ROWS, RESULT, REPORT, JOURNAL = "run.json", "rows.parquet", "result.json", "report.html", "journal.sqlite"
CONTROLS = "controls.parquet"
CHECKSUMS, COUNTS, COLUMNS, UNDRAWN = "checksums", "counts", "columns", "undrawn"

#: required and optional entries of run.json, with their types
_NEEDED: dict[str, type] = {"command": str, "configuration": dict, "model": dict}
_OPTIONAL: dict[str, type] = {"signature": str, "data": dict, "citation": str, "versions": dict, "settings": dict}


#: how to repair a run, or a function that finds out, since counting the journal's answers takes time
Remedy = str | Callable[[], str]


class DamagedRunError(UserError):
    """One of a run's files is missing, damaged or altered."""

    def __init__(self, path: Path, reason: str, remedy: Remedy) -> None:
        advice = remedy if isinstance(remedy, str) else remedy()
        super().__init__(f"'{path}' is damaged ({reason}); {advice}")
        self.path = path
        self.reason = reason


def run_folder(path: Path | str) -> Path:
    """Return a run's folder, given the folder or a file in it such as the report."""
    given = Path(path)
    return given.parent if os.path.isfile(given) and os.path.exists(given.parent / CONFIG) else given  # noqa: PTH110, PTH113 - these never raise


def read_config(folder: Path) -> dict[str, Any]:
    """Read and validate the run.json in a folder."""
    path = folder / CONFIG
    if what_is_there(path) == MISSING:
        raise UserError(f"There is no run in '{folder}' (no run.json); give the folder that 'genderscope run' printed.")
    try:
        return _checked_config(path)
    except DamagedRunError as damage:  # counting the answers that are left takes long if there are many
        remedy = f"repeat the command that made the run, with --out '{folder}', to rebuild it from"
        raise DamagedRunError(path, damage.reason, f"{remedy} {answers_left(folder)}.") from None


def _checked_config(path: Path) -> dict[str, Any]:
    config = read_object(path, "")
    reason = wrong_type(config, _NEEDED, _NEEDED | _OPTIONAL)
    for part in ("model", "data"):
        if reason is None and part in config and not isinstance(config[part].get("name"), str):
            reason = f"its {part} has no name"
    if reason is not None:
        raise DamagedRunError(path, reason, "")
    return config


def recorded(path: Path) -> dict[str, Any]:
    """Return the content of run.json; empty if it is missing or damaged."""
    try:
        return read_config(path)
    except UserError:
        return {}


def record(path: Path, **entries: Any) -> None:
    """Add entries to the run.json of a run that this process has open."""
    write_whole(path / CONFIG, json_bytes({**read_config(path), **entries}))


def result_bytes(result: Result, folder: Path, undrawn: str | None = None) -> bytes:
    """Return the content of result.json with checksums; `undrawn` is the reason why the report lacks figures."""
    # Everything about the rows that is displayed.
    row_summary = {COUNTS: result.counts._asdict(), COLUMNS: result.columns}
    content: dict[str, Any] = json.loads(json_bytes(result.as_stored())) | row_summary
    content |= {UNDRAWN: undrawn} if undrawn else {}
    there = [name for name in (CONTROLS, REPORT) if what_is_there(folder / name) is None]
    written = [CONFIG, ROWS, *(name for name in there if name != CONTROLS or result.controls is not None)]
    sums = {name: sha256((folder / name).read_bytes()) for name in written}
    return json_bytes({**content, CHECKSUMS: {**sums, RESULT: sha256(json_bytes(content))}})


def as_written(folder: Path, name: str) -> bool | None:
    """Return whether this file of a finished run is unaltered; None if its checksum is missing or unreadable."""
    if what_is_there(folder / name) is not None:
        return False
    try:
        wanted = json.loads((folder / RESULT).read_bytes())[CHECKSUMS][name]
        return bool(sha256((folder / name).read_bytes()) == wanted)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def result_entry(folder: Path, name: str) -> str | None:
    """Return an entry of the result.json in a folder; None if it cannot be read."""
    try:
        return str(json.loads((folder / RESULT).read_bytes())[name])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def read_object(path: Path, remedy: Remedy) -> dict[str, Any]:
    """Read a JSON object from a file."""
    if reason := what_is_there(path):
        raise DamagedRunError(path, reason, remedy)
    try:
        content = json.loads(path.read_bytes())
    except OSError as error:
        raise UserError(f"'{path}' cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError):
        reason = "it is empty" if path.stat().st_size == 0 else "it is not JSON"
        raise DamagedRunError(path, reason, remedy) from None
    if not isinstance(content, dict):
        raise DamagedRunError(path, "it is not a JSON object", remedy)
    return content


def wrong_type(content: Mapping[str, Any], needed: Mapping[str, type], typed: Mapping[str, type]) -> str | None:
    """Describe the first entry that is missing or has the wrong type; None if there is none."""
    for key, kind in typed.items():
        if key not in content and key in needed:
            return f"it lacks '{key}'"
        if key in content and not isinstance(content[key], kind):
            return f"its '{key}' is not {_KINDS[kind]}"
    return None


_KINDS: dict[type, str] = {str: "text", dict: "an object", list: "a list"}


def answers_left(folder: Path) -> str:
    """Describe which answers the journal still contains, for a sentence on what can be rebuilt."""
    path = folder / JOURNAL
    if not path.is_file():
        return "new answers (the journal is missing)"
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro&immutable=1", uri=True)) as journal:
            count = journal.execute("SELECT count(*) FROM answers").fetchone()[0]
    except sqlite3.Error:
        return "the damaged journal's intact answers and new ones"
    return f"the {count:,} answers in the journal"


def sha256(content: bytes) -> str:
    """Return the SHA-256 checksum of a file's content."""
    return hashlib.sha256(content).hexdigest()
