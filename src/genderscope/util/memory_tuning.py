"""Memory while a model is queried: only new garbage is collected, and freed memory is kept for reuse."""

import ctypes
import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

#: allocations between collections of new objects; above Python's default, as forward passes leave no reference cycles
_NEW = 200_000
_NEVER = 1 << 30


class _Inside:
    """The number of active blocks across threads, and the thresholds to restore."""

    lock = threading.Lock()
    count = 0
    before = gc.get_threshold()


@contextmanager
def only_new_garbage() -> Iterator[None]:
    """Restrict garbage collection to the younger generations inside the block."""
    with _Inside.lock:
        if not _Inside.count:
            new, survivors, _ = _Inside.before = gc.get_threshold()
            gc.set_threshold(_NEW if new else 0, survivors, _NEVER)  # 0: the caller has disabled collection
        _Inside.count += 1
    try:
        yield
    finally:
        with _Inside.lock:
            _Inside.count -= 1
            if not _Inside.count:
                gc.set_threshold(*_Inside.before)


#: glibc's mallopt parameters, and their values in bytes
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_MOST_KEPT = 512 * 2**20
_LARGEST_KEPT = 128 * 2**20


@cache
def keep_freed() -> bool:
    """Keep freed memory in the process for reuse; return whether the C library supports it.

    Otherwise, every forward pass obtains zeroed pages from the kernel and returns them, which takes a tenth of the
    pass's time on a CPU.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):  # another C library
        return False
    return bool(mallopt(_MMAP_THRESHOLD, _LARGEST_KEPT)) and bool(mallopt(_TRIM_THRESHOLD, _MOST_KEPT))
