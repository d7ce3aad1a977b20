"""File locks for POSIX and Windows, released when the process exits for any reason."""

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

_AGAIN = 0.1  # seconds between attempts on Windows, which cannot block indefinitely on a lock


def locked(path: Path, wait: bool) -> int:
    """Lock a file until its descriptor is closed; without `wait`, raise BlockingIOError if it is already locked."""
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
        try:
            _lock(file, wait)
            # The previous holder may have removed the file, in which case others lock a new file of the same name.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file), path.stat()):
                    return file
        except BaseException:
            os.close(file)
            raise
        os.close(file)


def remove_locked(path: Path, lock: int) -> None:
    """Release the lock and remove its file."""
    if _fcntl is not None:
        path.unlink(missing_ok=True)  # before unlocking, so that no process locks a file about to be removed
        os.close(lock)
        return
    os.close(lock)
    with suppress(OSError):  # Windows cannot remove a file that another process has open
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
