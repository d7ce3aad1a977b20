"""Concurrent requests, with results in order of arrival.

This uses threads rather than an event loop, because `evaluate` is also called in notebooks, where a loop is already
running. They are daemon threads, so that Ctrl-C need not wait for a hanging server.
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

#: Seconds to wait for pending responses after a failure: they may have cost money.
GRACE = 5.0
#: Maximum number of unconsumed results per concurrent job, to bound memory use.
WAITING = 2
#: Seconds between a waiting thread's checks of whether it should stop.
LOOK = 0.2


def as_they_come(jobs: Sequence[J], work: Callable[[J], R], limit: int) -> Iterator[tuple[J, R]]:
    """Yield each job with its result, running at most `limit` jobs at a time.

    After the first failure, no new jobs start. Pending results are yielded before the failure is raised, for at most
    `GRACE` seconds unless a spending limit was reached.
    """
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
                # When a spending limit is reached, pending requests are already paid for, so they are ended only by
                # their own timeouts.
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
    except BaseException as error:  # any exception is passed to the consuming thread
        found.put(error)
    finally:
        found.put(None)
