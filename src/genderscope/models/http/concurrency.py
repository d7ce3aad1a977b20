"""Concurrent requests, with results in order of arrival.

This uses threads rather than an event loop, because `evaluate` is also called in notebooks, where a loop is already
running. They are daemon threads, so that Ctrl-C need not wait for a hanging server.
"""

import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

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


#: Concurrent requests at the start, and at most, if the user does not set their number.
FIRST, MOST = 8, 64
#: Factor by which twice as many concurrent requests must be faster to be kept.
GAIN = 1.2


class Growth:
    """Number of concurrent jobs, doubled as long as results then arrive faster.

    A rate is measured over twice as many results as there are jobs at a time, after those that began earlier.
    """

    def __init__(self, limit: int = FIRST, most: int = MOST, timeout: float = float("inf")) -> None:
        self.limit, self.most, self._timeout = limit, most, timeout
        self._results, self._since, self._rate = 0, 0.0, 0.0
        self._settled = False

    def next_limit(self, now: float) -> int:
        """Return the number of concurrent jobs after a result that arrived at this time."""
        if self._settled:
            return self.limit
        self._results += 1
        if self._results == self.limit:
            self._since = now
        elif self._results == 3 * self.limit:
            self._step(2 * self.limit / max(now - self._since, 1e-9))
        return self.limit

    def _step(self, rate: float) -> None:
        faster = rate > GAIN * self._rate
        # If the server works through a queue, twice as many requests wait twice as long and must not time out.
        in_time = 2 * self.limit / rate < self._timeout / 2
        if faster and in_time and 2 * self.limit <= self.most:
            self.limit, self._rate, self._results = 2 * self.limit, rate, 0
            return
        if not faster:
            self.limit //= 2
        self._settled = True


def as_they_come(jobs: Sequence[J], work: Callable[[J], R], limit: int | Growth) -> Iterator[tuple[J, R]]:
    """Yield each job with its result, running at most `limit` jobs at a time.

    After the first failure, no new jobs start. Pending results are yielded before the failure is raised, for at most
    `GRACE` seconds unless a spending limit was reached.
    """
    growth = None if isinstance(limit, int) else limit
    crew = _Crew(jobs, work)
    crew.resize(min(limit if isinstance(limit, int) else limit.limit, len(jobs)))
    failure: BaseException | None = None
    deadline: float | None = None
    try:
        while crew.running:
            try:
                each = crew.found.get(timeout=None if deadline is None else max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                break
            if each is None:
                crew.running -= 1
            elif not isinstance(each, BaseException):
                yield each
                crew.room.release()
                if growth is not None and failure is None:
                    crew.resize(growth.next_limit(time.monotonic()))
            elif failure is None:
                # When a spending limit is reached, pending requests are already paid for, so they are ended only by
                # their own timeouts.
                failure = each
                deadline = None if isinstance(each, LimitReachedError) else time.monotonic() + GRACE
                crew.stopped.set()
    finally:
        crew.stopped.set()
    if failure is not None:
        raise failure


class _Crew(Generic[J, R]):
    """Worker threads that take jobs from one queue and put results into another."""

    def __init__(self, jobs: Sequence[J], work: Callable[[J], R]) -> None:
        self._work = work
        self._todo: queue.SimpleQueue[J] = queue.SimpleQueue()
        for job in jobs:
            self._todo.put(job)
        self.found: queue.SimpleQueue[tuple[J, R] | BaseException | None] = queue.SimpleQueue()
        self.stopped = threading.Event()
        #: permits to produce a result, which bound the number of unconsumed ones
        self.room = threading.Semaphore(0)
        self._size = 0
        #: one entry per thread that should end although there are jobs left
        self._leaving: queue.SimpleQueue[None] = queue.SimpleQueue()
        #: threads that have not reported their end
        self.running = 0

    def resize(self, size: int) -> None:
        """Start or end threads, so that `size` of them take jobs."""
        if size > self._size and self._todo.empty() and self._size:
            return
        for _ in range(size - self._size):
            threading.Thread(target=self._run, daemon=True).start()
            self.running += 1
            self.room.release(WAITING)
        for _ in range(self._size - size):
            self._leaving.put(None)
        self._size = size

    def _run(self) -> None:
        STOPPED.set(self.stopped)
        try:
            while not self.stopped.is_set() and self._stays():
                job = self._todo.get_nowait()
                while not self.room.acquire(timeout=LOOK):
                    if self.stopped.is_set():
                        return
                self.found.put((job, self._work(job)))
        except queue.Empty:
            pass
        except BaseException as error:  # any exception is passed to the consuming thread
            self.found.put(error)
        finally:
            self.found.put(None)

    def _stays(self) -> bool:
        try:
            self._leaving.get_nowait()
        except queue.Empty:
            return True
        return False
