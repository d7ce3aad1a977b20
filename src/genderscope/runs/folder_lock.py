"""File locks for exclusive access, released whenever the holding process ends, even if it is killed."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from genderscope.core.errors import UserError
from genderscope.runs.atomic_files import set_aside
from genderscope.util.file_locks import locked, remove_locked


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
