"""Where Genderscope keeps what it can fetch or compute again: the user's cache folder; one process builds at a time."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs

from genderscope.errors import UserError


def cache_folder(*parts: str) -> Path:
    """Return a folder below the cache (GENDERSCOPE_CACHE, else the platform's), without creating it."""
    root = os.environ.get("GENDERSCOPE_CACHE") or platformdirs.user_cache_dir("genderscope", appauthor=False)
    return Path(root).joinpath(*parts)


@contextmanager
def building(target: Path) -> Iterator[None]:
    """Wait until no other process builds this part of the cache, and keep others waiting while it is built here."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        path = target.with_name(f".{target.name}.lock")
        lock = locked(path, wait=True)
    except OSError as error:
        raise UserError(
            f"The cache folder '{target.parent}' cannot be written ({error.strerror}); set GENDERSCOPE_CACHE."
        ) from None
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(lock)


def locked(path: Path, wait: bool) -> int:
    """Open a file and hold its lock until it is closed, however this process ends.

    Without `wait` it is a BlockingIOError where another process holds the lock.
    """
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            # Who held it before may have removed the file: then another process can hold the lock of a new one.
            if path.exists() and os.path.samestat(os.fstat(file), path.stat()):
                return file
        except BaseException:
            os.close(file)
            raise
        os.close(file)
