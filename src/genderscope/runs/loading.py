"""Loads finished runs, or raises an error that names the damage and the command that repairs it."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from genderscope.core.errors import UserError
from genderscope.judgement import with_symbols
from genderscope.runs.atomic_files import MISSING, json_bytes, what_is_there
from genderscope.runs.result import JUDGING, Counts, Result
from genderscope.runs.run_files import (
    CHECKSUMS,
    COLUMNS,
    CONFIG,
    CONTROLS,
    COUNTS,
    RESULT,
    ROWS,
    DamagedRunError,
    Remedy,
    answers_left,
    as_written,
    read_config,
    read_object,
    run_folder,
    sha256,
    wrong_type,
)
from genderscope.statistics.estimate import Estimate, nested_keys

if TYPE_CHECKING:
    import pandas as pd
    from pydantic import TypeAdapter


#: entries of result.json, with their types
_RESULT: dict[str, type] = {"measure": str, "signature": str, "summary": str, "cautions": list, "estimates": list}


#: a run as the Python functions take it
Run = str | Path | Result


def listed_runs(runs: Run | Iterable[Run]) -> list[Run]:
    """Return one run or several as a list."""
    return [runs] if isinstance(runs, Run) else list(runs)


def loaded(runs: Iterable[Run]) -> list[Result]:
    """Load the runs that are given as folders; return Results unchanged."""
    return [run if isinstance(run, Result) else load_run(run) for run in runs]


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

    def remedy() -> str:
        return f"rebuild it from {answers_left(folder)} with: {config['command']}"

    content = _content(folder / RESULT, config, remedy)
    sums = content.get(CHECKSUMS, {})
    rows = partial(_rows, folder / ROWS, sums.get(ROWS), remedy)
    if ROWS in sums:
        _check_rows(folder / ROWS, sums[ROWS], remedy)
    else:  # without a checksum, only parsing shows whether they are intact
        rows = partial(itemgetter(0), [rows()])
    controls: Callable[[], pd.DataFrame | None] = partial(itemgetter(0), [None])
    if CONTROLS in sums:
        _check_rows(folder / CONTROLS, sums[CONTROLS], remedy)
        controls = partial(_rows, folder / CONTROLS, sums[CONTROLS], remedy)
    told = content if RESULT in sums and ROWS in sums else {}  # without checksums, count the rows again
    estimates = _estimates(folder / RESULT, content["estimates"], remedy, is_verified=RESULT in sums)
    return Result.stored(
        with_symbols(JUDGING().symbols_of(content["measure"]), estimates),
        rows,
        Counts(**told[COUNTS]) if COUNTS in told else None,
        told.get(COLUMNS),
        controls,
        measure=content["measure"],
        signature=content["signature"],
        summary=content["summary"],
        cautions=tuple(content["cautions"]),
        config=config,
        folder=folder,
        reused=True,
    )


def read_result(folder: Path, config: Mapping[str, Any]) -> dict[str, Any]:
    """Read and check the result.json in a folder; the rows need only exist, since this is for lists of many runs."""
    remedy = f"'genderscope show {folder}' explains how to repair it."
    content = _content(folder / RESULT, config, remedy)
    if reason := what_is_there(folder / ROWS):
        raise DamagedRunError(folder / ROWS, reason, remedy)
    return content


def is_checked(content: Mapping[str, Any]) -> bool:
    """Return whether the content of a result.json has a checksum, which `read_result` has compared."""
    return RESULT in content.get(CHECKSUMS, {})


def require_runs(*runs: Path | str) -> None:
    """Raise if a run is unfinished or damaged, before importing anything that is needed only to load its rows."""
    for run in runs:
        load_run(run)


def require_folders(*folders: Path) -> None:
    """Raise if a folder is missing."""
    for folder in folders:
        if not folder.is_dir():
            raise UserError(f"There is no folder '{folder}'; give the folder that contains the runs.")


@contextmanager
def reading(*runs: Path | str | Result) -> Iterator[None]:
    """If the block fails and a run was altered by hand, raise a UserError that names the run; otherwise, re-raise."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        folders = [run.folder if isinstance(run, Result) else run_folder(run) for run in runs]
        changed = [f for f in folders if f is not None and not (as_written(f, CONFIG) and as_written(f, ROWS))]
        if not changed:
            raise
        told = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise UserError(
            f"The run in '{changed[0]}' was changed by hand and can no longer be used ({told}); "
            "restore its run.json and rows.parquet, or repeat the run in a new folder."
        ) from error


def _content(path: Path, config: Mapping[str, Any], remedy: Remedy) -> dict[str, Any]:
    """Read result.json and check it against its own checksum and against run.json."""
    content = read_object(path, remedy)
    sums = content.get(CHECKSUMS, {})
    reason = wrong_type(content, _RESULT, _RESULT)
    if reason is None and not (isinstance(sums, dict) and all(isinstance(text, str) for text in content["cautions"])):
        reason = "its entries have the wrong types"
    if reason is None and not _are_counts(content.get(COUNTS, {"rows": 0, "read": 0})):
        reason = "its counts are impossible"
    columns = content.get(COLUMNS, [])
    if reason is None and not (isinstance(columns, list) and all(isinstance(name, str) for name in columns)):
        reason = "its columns are not a list of names"
    if reason is None and RESULT in sums:
        reason = None if _is_unaltered(path.read_bytes(), content) else "its checksum does not match"
    if reason is None and config.get("signature", content["signature"]) != content["signature"]:
        reason = "it belongs to a different run than the one described in run.json"
    if reason is not None:
        raise DamagedRunError(path, reason, remedy)
    return content


def _are_counts(value: Any) -> bool:
    """Return whether these are valid counts of all rows and of rows that could be read."""
    if not isinstance(value, dict) or value.keys() != {"rows", "read"}:
        return False
    rows, read = value["rows"], value["read"]
    return type(rows) is int and type(read) is int and 0 <= read <= rows < 1 << 53


def _is_unaltered(raw: bytes, content: dict[str, Any]) -> bool:
    # The checksums come last, so the rest need not be serialised again unless another program wrote the file.
    end = b"," + json_bytes({CHECKSUMS: content[CHECKSUMS]})[1:]
    if raw.endswith(end) and sha256(raw.removesuffix(end) + b"\n}") == content[CHECKSUMS][RESULT]:
        return True
    own = {key: value for key, value in content.items() if key != CHECKSUMS}
    return bool(sha256(json_bytes(own)) == content[CHECKSUMS][RESULT])


def _estimates(path: Path, content: list[Any], remedy: Remedy, is_verified: bool) -> list[Estimate]:
    """Return the estimates; validate their types unless the file's checksum shows that we wrote them."""
    if is_verified:
        with suppress(AttributeError, TypeError, UserError):  # explained below
            return [Estimate(**nested_keys(entry)) for entry in content]
    from pydantic import ValidationError

    for k, entry in enumerate(content):
        # These may be null but are always present.
        if isinstance(entry, dict) and (lacking := [name for name in ("value", "low", "high") if name not in entry]):
            raise DamagedRunError(path, f"its estimates are not readable at {k}.{lacking[0]}", remedy)
    try:
        # Every other entry is one of the estimate's keys.
        nested = [nested_keys(entry) if isinstance(entry, dict) else entry for entry in content]
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


def _check_rows(path: Path, wanted: str | None, remedy: Remedy) -> None:
    """Raise if the rows are missing or altered."""
    if reason := what_is_there(path):
        raise DamagedRunError(path, reason, remedy)
    try:
        if wanted is not None and sha256(path.read_bytes()) != wanted:
            raise DamagedRunError(path, "its checksum does not match", remedy)
    except OSError as error:
        raise UserError(f"'{path}' cannot be read: {error.strerror}.") from None


def _rows(path: Path, wanted: str | None, remedy: Remedy) -> "pd.DataFrame":
    """Load rows.parquet; without a checksum, only check that it is a table of rows."""
    import pandas as pd

    _check_rows(path, wanted, remedy)
    try:
        rows = pd.read_parquet(path)
    except PermissionError as error:
        raise UserError(f"'{path}' cannot be read: {error.strerror}.") from None
    except Exception:  # Parquet readers raise arbitrary exceptions for a broken file
        raise DamagedRunError(path, "it is not a readable Parquet file", remedy) from None
    if "unread" not in rows:
        raise DamagedRunError(path, "it lacks the column 'unread'", remedy)
    return rows
