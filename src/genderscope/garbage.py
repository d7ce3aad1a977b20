"""Garbage collection during a run: loaded models are never garbage, but slow to scan."""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

#: new objects before they are scanned, rather than Python's few hundred; a model's passes leave no cycles behind
_NEW = 200_000
_NEVER = 1 << 30


class _Inside:
    """The number of active blocks in all threads, and the thresholds before the first."""

    lock = threading.Lock()
    count = 0
    before = gc.get_threshold()


@contextmanager
def only_new_garbage() -> Iterator[None]:
    """Within, garbage collection looks at new objects only."""
    with _Inside.lock:
        if not _Inside.count:
            new, survivors, _ = _Inside.before = gc.get_threshold()
            gc.set_threshold(_NEW if new else 0, survivors, _NEVER)  # zero: the caller wants none
        _Inside.count += 1
    try:
        yield
    finally:
        with _Inside.lock:
            _Inside.count -= 1
            if not _Inside.count:
                gc.set_threshold(*_Inside.before)
