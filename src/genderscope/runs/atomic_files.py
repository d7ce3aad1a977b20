"""Functions that write files atomically and under locks, make CSV spreadsheet-safe, and set damaged files aside."""

import csv
import io
import json
import os
import re
import secrets
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from genderscope.core.errors import UserError
from genderscope.util.file_locks import locked, remove_locked
from genderscope.util.safe_text import spreadsheet_safe

if TYPE_CHECKING:
    import pandas as pd


MISSING = "it is missing"
_SURROGATE = re.compile("[\ud800-\udfff]")


def require_place(path: Path) -> None:
    """Raise the same error as `write_whole` if a file cannot be written, before its content is computed."""
    try:
        if path.is_dir():
            path.open("wb").close()  # raises an error that names the problem
        if not path.exists() or path.is_file():
            aside = _aside(path)
            aside.touch(exist_ok=False)
            aside.unlink()
    except OSError as error:
        raise _unwritable(path, error) from None


def write_whole(path: Path, content: bytes | Callable[[Path], Any]) -> None:
    """Write a file atomically; a link's target is replaced, and a terminal or pipe is written directly."""
    try:
        if path.exists() and not path.is_file():
            _write_through(path, content)
            return
        real = path.resolve() if path.is_symlink() else path
        aside = _aside(path)
        try:
            _fill(aside, content)
            aside.replace(real)
        finally:
            aside.unlink(missing_ok=True)
    except BrokenPipeError:  # the reader has closed the pipe, which is not an error
        raise
    except OSError as error:
        raise _unwritable(path, error) from None


def _aside(path: Path) -> Path:
    """Return a temporary name next to a file or, for a symbolic link, next to its target."""
    real = path.resolve() if path.is_symlink() else path
    # A random name, since two machines or containers that share a disk may have the same process ID.
    return real.with_name(f".{real.name[:100]}.{secrets.token_hex(6)}.part")


def _unwritable(path: Path, error: OSError) -> UserError:
    reason = os.strerror(error.errno) if error.errno else " ".join(str(error).split())[:200]
    return UserError(
        f"Cannot write '{path}' ({reason}); fix this, for example by freeing disk space, and run the same "
        "command again. Existing files are intact."
    )


def _fill(target: Path, content: bytes | Callable[[Path], Any]) -> None:
    if callable(content):
        content(target)
    else:
        target.write_bytes(content)
    with target.open("rb+") as file:  # Windows does not flush files opened read-only
        os.fsync(file.fileno())  # otherwise a power failure could leave an empty file


def _write_through(path: Path, content: bytes | Callable[[Path], Any]) -> None:
    if callable(content):
        with tempfile.TemporaryDirectory() as workspace:
            content(Path(workspace, "content"))
            content = Path(workspace, "content").read_bytes()
    with path.open("wb", buffering=0) as file:
        rest = memoryview(content)
        while rest:
            rest = rest[file.write(rest) :]


@contextmanager
def csv_file(path: Path) -> Iterator[Any]:
    """Yield a CSV writer whose cells are safe in spreadsheets; the file is written once all rows are complete."""
    text = io.StringIO()
    yield _SpreadsheetWriter(csv.writer(text, lineterminator="\n"))
    write_whole(path, text.getvalue().encode(errors="backslashreplace"))


class _SpreadsheetWriter:
    """CSV writer that escapes text a spreadsheet would interpret as a formula."""

    def __init__(self, writer: Any) -> None:
        self._writer = writer

    def writerow(self, row: Iterable[Any]) -> None:
        self._writer.writerow(list(map(spreadsheet_safe, row)))


def spreadsheet_csv(frame: "pd.DataFrame") -> str:
    """Return a table as CSV, escaping text that a spreadsheet would interpret as a formula."""
    words = frame.select_dtypes(exclude="number").columns
    text: str = frame.assign(**{name: frame[name].map(spreadsheet_safe) for name in words}).to_csv(index=False)
    return text


def json_bytes(content: Any) -> bytes:
    """Serialise to JSON that is always valid UTF-8; lone surrogates stay escaped and survive a round trip."""
    text = json.dumps(content, ensure_ascii=False, indent=1)
    return _SURROGATE.sub(lambda match: f"\\u{ord(match.group()):04x}", text).encode()


def free_name(path: Path) -> Path:
    """Return the first unused name for setting aside a damaged file or folder."""
    return next(name for k in count(1) if not os.path.lexists(name := path.with_name(f"{path.name}.corrupt-{k}")))


def set_aside(path: Path) -> Path:
    """Rename a damaged file or folder and return its new path."""
    aside = free_name(path)
    try:
        path.rename(aside)
    except OSError as error:
        raise UserError(f"'{path}' is damaged and cannot be set aside ({error.strerror}); move or delete it.") from None
    return aside


def what_is_there(path: Path) -> str | None:
    """Describe what exists in place of a regular file (nothing, a folder, a pipe …); None if it is a regular file."""
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a NUL in the name
        return MISSING
    except OSError as error:
        raise UserError(f"'{path}' cannot be read: {error.strerror}.") from None
    if stat.S_ISREG(mode):
        return None
    return "it is a folder" if stat.S_ISDIR(mode) else "it is not a regular file"


def take_lock(path: Path, busy: str) -> int:
    """Lock a file until its descriptor is closed; raise with the message `busy` if another process holds the lock."""
    if path.is_dir():
        set_aside(path)
    try:
        return locked(path, wait=False)
    except BlockingIOError:
        raise UserError(busy) from None


@contextmanager
def output_locked(out: Path) -> Iterator[None]:
    """Prevent concurrent writes to the same file; the lock file is next to it and removed at the end."""
    path = out.with_name(f".{out.name}.lock")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        lock = take_lock(
            path, f"Another process is writing to '{out}'; wait for it to finish or choose another file with --out."
        )
    except OSError as error:
        raise UserError(f"Cannot write to '{out}': {error.strerror}.") from None
    try:
        yield
    finally:
        remove_locked(path, lock)
