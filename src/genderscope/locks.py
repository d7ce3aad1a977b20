"""A lock on a file that its holder's end releases, however it ends: POSIX and Windows."""

import errno
import os
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

try:
    _fcntl: Any = import_module("fcntl")
except ImportError:  # Windows
    _fcntl = None
    _msvcrt: Any = import_module("msvcrt")

#: how often Windows, which cannot wait for a lock for long, is asked again, in seconds
_AGAIN = 0.1


def locked(path: Path, wait: bool) -> int:
    """Open a file and hold its lock until it is closed.

    Without `wait` it is a BlockingIOError where another process holds the lock.
    """
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
        try:
            _lock(file, wait)
            # Who held it before may have removed the file: then another process can hold the lock of a new one.
            if path.exists() and os.path.samestat(os.fstat(file), path.stat()):
                return file
        except BaseException:
            os.close(file)
            raise
        os.close(file)


def remove_locked(path: Path, lock: int) -> None:
    """Give the lock back and remove its file."""
    if _fcntl is not None:
        path.unlink(missing_ok=True)  # first, so that nobody gets the lock of a file that is about to go
        os.close(lock)
        return
    os.close(lock)
    with suppress(OSError):  # Windows removes no file that is open, so it stays where another holds it already
        path.unlink(missing_ok=True)


def _lock(file: int, wait: bool) -> None:
    if _fcntl is not None:
        _fcntl.flock(file, _fcntl.LOCK_EX | (0 if wait else _fcntl.LOCK_NB))
        return
    while True:
        try:
            _msvcrt.locking(file, _msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EDEADLK):
                raise
            if not wait:
                raise BlockingIOError(errno.EWOULDBLOCK, "another process holds the lock") from None
            time.sleep(_AGAIN)
        else:
            return
