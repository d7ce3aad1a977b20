"""One process at a time: a lock that is released when its holder ends, however it ends."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from genderscope.errors import UserError
from genderscope.locks import locked, remove_locked
from genderscope.runs.files import set_aside


def take_lock(path: Path, busy: str) -> int:
    """Hold the lock of a file until it is closed; `busy` is the error message if another process holds it."""
    if path.is_dir():
        set_aside(path)
    try:
        return locked(path, wait=False)
    except BlockingIOError:
        raise UserError(busy) from None


@contextmanager
def output_locked(out: Path) -> Iterator[None]:
    """Keep a second process from writing the same file; the lock file lies beside it and is removed at the end."""
    path = out.with_name(f".{out.name}.lock")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        lock = take_lock(path, f"Another process is writing '{out}'; wait for it or choose another file with --out.")
    except OSError as error:
        raise UserError(f"'{out}' cannot be written: {error.strerror}.") from None
    try:
        yield
    finally:
        remove_locked(path, lock)
