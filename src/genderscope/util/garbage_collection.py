"""Garbage-collector thresholds during a run: a loaded model is never garbage, but it is slow to scan."""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

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
