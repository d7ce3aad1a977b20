"""One process at a time makes a file: two would write into one journal and rename over each other."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from genderscope.errors import UserError


@contextmanager
def writing(out: Path) -> Iterator[None]:
    """Hold the file that is to be made; a second process that wants to make it is refused in a sentence."""
    path = out.with_name(f".{out.name}.lock")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        lock = _taken(path)
    except BlockingIOError:
        raise UserError(f"Another process is making '{out}'; wait for it or name another file with --out.") from None
    except OSError as error:
        raise UserError(f"'{out}' cannot be written: {error.strerror}.") from None
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(lock)


def _taken(path: Path) -> int:
    while True:
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(lock), path.stat()):
                return lock
        except FileNotFoundError:
            pass  # whoever held it before has removed the file since it was opened here: take another
        except OSError:
            os.close(lock)
            raise
        os.close(lock)
