"""Concurrent requests, with results as they arrive.

Threads, not an event loop: `evaluate` is also called in notebooks, where a loop is already running. They are daemons,
so that Ctrl-C need not wait for a hanging server.
"""

import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from genderscope.models.http.retry import STOPPED
from genderscope.models.http.spending import LimitReachedError

J = TypeVar("J")
R = TypeVar("R")

#: Seconds to wait for pending answers after a failure: they may have cost money.
GRACE = 5.0
#: Results that may wait to be taken, for every concurrent job: more would only fill the memory.
WAITING = 2
#: Seconds after which a thread that waits for room looks whether it is still needed.
LOOK = 0.2


def as_they_come(jobs: Sequence[J], work: Callable[[J], R], limit: int) -> Iterator[tuple[J, R]]:
    """Yield every job with its result, at most `limit` at a time; the first failure ends it, results so far first."""
    todo: queue.SimpleQueue[J] = queue.SimpleQueue()
    for job in jobs:
        todo.put(job)
    found: queue.SimpleQueue[tuple[J, R] | BaseException | None] = queue.SimpleQueue()
    stopped = threading.Event()
    running = min(limit, len(jobs))
    room = threading.Semaphore(WAITING * limit)
    for _ in range(running):
        threading.Thread(target=_work, args=(todo, work, found, stopped, room), daemon=True).start()
    failure: BaseException | None = None
    deadline: float | None = None
    try:
        while running:
            try:
                each = found.get(timeout=None if deadline is None else max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                break
            if each is None:
                running -= 1
            elif not isinstance(each, BaseException):
                yield each
                room.release()
            elif failure is None:
                # A limit is reached while others are answered, which is paid for; they end by their own timeout.
                failure = each
                deadline = None if isinstance(each, LimitReachedError) else time.monotonic() + GRACE
                stopped.set()
    finally:
        stopped.set()
    if failure is not None:
        raise failure


def _work(
    todo: "queue.SimpleQueue[J]",
    work: Callable[[J], R],
    found: "queue.SimpleQueue[tuple[J, R] | BaseException | None]",
    stopped: threading.Event,
    room: threading.Semaphore,
) -> None:
    STOPPED.set(stopped)
    try:
        while not stopped.is_set():
            job = todo.get_nowait()
            while not room.acquire(timeout=LOOK):
                if stopped.is_set():
                    return
            found.put((job, work(job)))
    except queue.Empty:
        pass
    except BaseException as error:  # any exception is passed to the thread that waits for the results
        found.put(error)
    finally:
        found.put(None)
