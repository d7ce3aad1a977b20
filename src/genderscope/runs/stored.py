"""Reads a finished run, or says in one sentence what is damaged and which command rebuilds it.

`result.json` is written last and holds the checksums of all files written before it and of itself: a damaged byte can
cost a file, which is rebuilt from the journal, but never change a number.
"""

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache, partial
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from genderscope.errors import UserError
from genderscope.runs.files import MISSING, json_bytes, what_is_there
from genderscope.runs.result import Counts, Result
from genderscope.statistics.estimate import Estimate, nested_keys

if TYPE_CHECKING:
    import pandas as pd
    from pydantic import TypeAdapter

CONFIG, ROWS, RESULT, REPORT, JOURNAL = "run.json", "rows.parquet", "result.json", "report.html", "journal.sqlite"
CHECKSUMS, COUNTS, COLUMNS, UNDRAWN = "checksums", "counts", "columns", "undrawn"

#: Required and optional entries of run.json, then those of result.json, with their types.
_NEEDED: dict[str, type] = {"command": str, "configuration": dict, "model": dict}
_OPTIONAL: dict[str, type] = {"signature": str, "data": dict, "citation": str, "versions": dict, "settings": dict}
_RESULT: dict[str, type] = {"measure": str, "signature": str, "summary": str, "cautions": list, "estimates": list}


class DamagedRunError(UserError):
    """A file of a run is missing, damaged or altered."""

    def __init__(self, path: Path, reason: str, remedy: str) -> None:
        super().__init__(f"'{path}' is damaged ({reason}); {remedy}")
        self.path = path
        self.reason = reason


def run_folder(path: Path | str) -> Path:
    """Return the folder of a run, given the folder or a file in it such as its report."""
    given = Path(path)
    return given.parent if os.path.isfile(given) and os.path.exists(given.parent / CONFIG) else given  # noqa: PTH110, PTH113 - these never raise


def read_config(folder: Path) -> dict[str, Any]:
    """Read the run.json of a folder."""
    path = folder / CONFIG
    if what_is_there(path) == MISSING:
        raise UserError(f"There is no run in '{folder}' (no run.json); give the folder that 'genderscope run' printed.")
    remedy = (
        "run the command that made the run again, with "
        f"--out '{folder}': it rewrites the file and takes {_answers(folder)}."
    )
    config = _object(path, remedy)
    reason = _wrong_type(config, _NEEDED, _NEEDED | _OPTIONAL)
    for part in ("model", "data"):
        if reason is None and part in config and not isinstance(config[part].get("name"), str):
            reason = f"its {part} has no name"
    if reason is not None:
        raise DamagedRunError(path, reason, remedy)
    return config


def require_runs(*runs: Path | str) -> None:
    """Refuse what holds no finished run, or a damaged one, before anything is imported to read its rows with."""
    for run in runs:
        load_run(run)


def require_folders(*folders: Path) -> None:
    """Refuse a folder that is not there, likewise."""
    for folder in folders:
        if not folder.is_dir():
            raise UserError(f"There is no folder '{folder}'; give the one that holds the runs.")


def load_run(path: Path | str) -> Result:
    """Load the result of a finished run.

    Args:
        path: The run's folder, or a file in it.
    """
    folder = run_folder(path)
    config = read_config(folder)
    if what_is_there(folder / RESULT) == MISSING:
        raise UserError(
            f"The run in '{folder}' is not finished; resume it with the command that started it: {config['command']}"
        )
    remedy = f"the command that made the run rebuilds it from {_answers(folder)}: {config['command']}"
    content = _content(folder / RESULT, config, remedy)
    sums = content.get(CHECKSUMS, {})
    rows = partial(_rows, folder / ROWS, sums.get(ROWS), remedy)
    if ROWS in sums:
        _check_rows(folder / ROWS, sums[ROWS], remedy)
    else:  # only reading them tells that they can be read
        rows = partial(itemgetter(0), [rows()])
    told = content if RESULT in sums and ROWS in sums else {}  # of rows that may have been altered, the rows tell
    return Result.stored(
        _estimates(folder / RESULT, content["estimates"], remedy),
        rows,
        Counts(**told[COUNTS]) if COUNTS in told else None,
        told.get(COLUMNS),
        measure=content["measure"],
        signature=content["signature"],
        summary=content["summary"],
        cautions=tuple(content["cautions"]),
        config=config,
        folder=folder,
        reused=True,
    )


def result_bytes(result: Result, folder: Path, undrawn: str | None = None) -> bytes:
    """Write result.json, with the checksums of the other files of its folder and of itself.

    `undrawn` is why the report lacks figures.
    """
    known = {COUNTS: result.counts._asdict(), COLUMNS: result.columns}  # to show and to rank takes no more of the rows
    content: dict[str, Any] = json.loads(json_bytes(result.as_stored())) | known
    content |= {UNDRAWN: undrawn} if undrawn else {}
    written = [name for name in (CONFIG, ROWS, REPORT) if name != REPORT or what_is_there(folder / name) is None]
    sums = {name: _sha256((folder / name).read_bytes()) for name in written}
    return json_bytes({**content, CHECKSUMS: {**sums, RESULT: _sha256(json_bytes(content))}})


def as_written(folder: Path, name: str) -> bool | None:
    """Return whether a file of a finished run is unaltered; None if that cannot be known."""
    if what_is_there(folder / name) is not None:
        return False
    try:
        wanted = json.loads((folder / RESULT).read_bytes())[CHECKSUMS][name]
        return bool(_sha256((folder / name).read_bytes()) == wanted)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def signature_of(folder: Path) -> str | None:
    """Return the signature of the result in a folder, if it can be read."""
    return _entry(folder, "signature")


def undrawn_in(folder: Path) -> str | None:
    """Return why the report of a finished run lacks figures; None if it has all of them."""
    return _entry(folder, UNDRAWN)


def _entry(folder: Path, name: str) -> str | None:
    try:
        return str(json.loads((folder / RESULT).read_bytes())[name])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


@contextmanager
def reading(*runs: Path | str | Result) -> Iterator[None]:
    """Within: if processing finished runs fails and one was altered by hand, raise an error that names it.

    If all runs are unaltered, the failure is a bug of this program and is not hidden.
    """
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        folders = [run.folder if isinstance(run, Result) else run_folder(run) for run in runs]
        changed = [f for f in folders if f is not None and not (as_written(f, CONFIG) and as_written(f, ROWS))]
        if not changed:
            raise
        told = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise UserError(
            f"The run in '{changed[0]}' was altered after it was made and can no longer be used ({told}); "
            "restore its run.json and rows.parquet, or make the run again in a new folder."
        ) from error


def _object(path: Path, remedy: str) -> dict[str, Any]:
    """Read a file that holds a JSON object."""
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


def _wrong_type(content: Mapping[str, Any], needed: Mapping[str, type], typed: Mapping[str, type]) -> str | None:
    for key, kind in typed.items():
        if key not in content and key in needed:
            return f"it lacks '{key}'"
        if key in content and not isinstance(content[key], kind):
            return f"its '{key}' is not {_KINDS[kind]}"
    return None


_KINDS: dict[type, str] = {str: "text", dict: "an object", list: "a list"}


def _content(path: Path, config: Mapping[str, Any], remedy: str) -> dict[str, Any]:
    """Read result.json and check it against its own checksum and against run.json."""
    content = _object(path, remedy)
    sums = content.get(CHECKSUMS, {})
    reason = _wrong_type(content, _RESULT, _RESULT)
    if reason is None and not (isinstance(sums, dict) and all(isinstance(text, str) for text in content["cautions"])):
        reason = "its parts have wrong types"
    if reason is None and not _are_counts(content.get(COUNTS, {"rows": 0, "read": 0})):
        reason = "its counts are not possible"
    if reason is None and not _are_texts(content.get(COLUMNS, [])):
        reason = "its columns are not a list of names"
    if reason is None and RESULT in sums:
        reason = None if _is_unaltered(path.read_bytes(), content) else "its checksum does not match"
    if reason is None and config.get("signature", content["signature"]) != content["signature"]:
        reason = "it is the result of a different run than run.json describes"
    if reason is not None:
        raise DamagedRunError(path, reason, remedy)
    return content


def _are_counts(value: Any) -> bool:
    """Tell whether these can be the numbers of all rows and of those that were read."""
    if not isinstance(value, dict) or value.keys() != {"rows", "read"}:
        return False
    rows, read = value["rows"], value["read"]
    return type(rows) is int and type(read) is int and 0 <= read <= rows < 1 << 53


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_unaltered(raw: bytes, content: dict[str, Any]) -> bool:
    # The checksums come last, so what is before them need not be written again, unless another program wrote the file.
    end = b"," + json_bytes({CHECKSUMS: content[CHECKSUMS]})[1:]
    if raw.endswith(end) and _sha256(raw.removesuffix(end) + b"\n}") == content[CHECKSUMS][RESULT]:
        return True
    own = {key: value for key, value in content.items() if key != CHECKSUMS}
    return bool(_sha256(json_bytes(own)) == content[CHECKSUMS][RESULT])


def _estimates(path: Path, content: list[Any], remedy: str) -> list[Estimate]:
    from pydantic import ValidationError

    for k, each in enumerate(content):
        # These may be null, but they are always written.
        if isinstance(each, dict) and (lacking := [name for name in ("value", "low", "high") if name not in each]):
            raise DamagedRunError(path, f"its estimates are not readable at {k}.{lacking[0]}", remedy)
    try:
        # Every other entry is a key of the estimate.
        nested = [nested_keys(each) if isinstance(each, dict) else each for each in content]
        return _adapter().validate_json(json.dumps(nested), strict=True)
    except ValidationError as error:
        at = ".".join(str(part) for part in error.errors()[0]["loc"] if part != "keys")
        raise DamagedRunError(path, f"its estimates are not readable at {at}", remedy) from None
    except UserError as error:
        raise DamagedRunError(path, f"its estimates are not readable: {error}", remedy) from None


@cache
def _adapter() -> "TypeAdapter[list[Estimate]]":
    from pydantic import TypeAdapter

    return TypeAdapter(list[Estimate])


def _check_rows(path: Path, wanted: str | None, remedy: str) -> None:
    """Refuse rows that are not there or not as they were written."""
    if reason := what_is_there(path):
        raise DamagedRunError(path, reason, remedy)
    try:
        if wanted is not None and _sha256(path.read_bytes()) != wanted:
            raise DamagedRunError(path, "its checksum does not match", remedy)
    except OSError as error:
        raise UserError(f"'{path}' cannot be read: {error.strerror}.") from None


def _rows(path: Path, wanted: str | None, remedy: str) -> "pd.DataFrame":
    """Read rows.parquet; if its checksum is unknown, it must at least be a table of rows."""
    import pandas as pd

    _check_rows(path, wanted, remedy)
    try:
        rows = pd.read_parquet(path)
    except PermissionError as error:
        raise UserError(f"'{path}' cannot be read: {error.strerror}.") from None
    except Exception:  # Parquet readers raise anything for a broken file
        raise DamagedRunError(path, "it is not a readable Parquet file", remedy) from None
    if "unread" not in rows:
        raise DamagedRunError(path, "it lacks the column 'unread'", remedy)
    return rows


def _answers(folder: Path) -> str:
    """Say what the journal still holds, for a sentence about what can be rebuilt."""
    path = folder / JOURNAL
    if not path.is_file():
        return "new answers, since the journal is gone"
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro&immutable=1", uri=True)) as journal:
            count = journal.execute("SELECT count(*) FROM answers").fetchone()[0]
    except sqlite3.Error:
        return "the intact answers in the journal, which is damaged too, and asks the rest again"
    return f"the {count:,} answers in the journal, without asking for them again"


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
