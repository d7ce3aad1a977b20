"""Requests to servers and services: retries, spending limits with confirmation, and concurrency.

Concurrent requests use threads rather than an event loop, because `evaluate` is also called in notebooks, where a loop
is already running. They are daemon threads, so that Ctrl-C need not wait for a hanging server.
"""

import math
import os
import queue
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Generic, TypeVar

from genderscope.core.errors import InfrastructureError, UserError

T = TypeVar("T")

#: event that signals to a worker thread that its result is no longer needed; None in other threads
STOPPED: ContextVar[threading.Event | None] = ContextVar("STOPPED", default=None)
#: If the server asks for a longer pause than this many seconds, the request fails.
LONGEST = 600.0
#: maximum length of a Retry-After header; a longer one is neither a number nor a date
LONGEST_HEADER = 100


class TransientError(Exception):
    """A possibly temporary failure, with the wait requested by the server, if any; refused requests are not billed."""

    def __init__(self, reason: str, after: float | None = None, refused: bool = False) -> None:
        super().__init__(reason)
        self.after, self.refused = after, refused


class NoAnswerError(InfrastructureError):
    """Every attempt failed, or the server asked for too long a wait."""


class StoppedError(Exception):
    """The run was stopped while this request was waiting."""


def first_pause() -> float:
    """Return the number of seconds before the first retry: GENDERSCOPE_BACKOFF if set, else 1."""
    text = os.environ.get("GENDERSCOPE_BACKOFF", "1")
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise UserError(f"GENDERSCOPE_BACKOFF is '{text}'; set it to the first retry's delay in seconds, such as 1.")
    return seconds


def pause(seconds: float) -> None:
    """Sleep, but raise at once if the run is stopped."""
    stopped = STOPPED.get()
    if stopped is None:
        time.sleep(seconds)
    elif stopped.wait(seconds):
        raise StoppedError


class RetryPolicy:
    """Exponential backoff with jitter; a longer pause requested by the server applies to all threads."""

    def __init__(
        self,
        retries: int,
        first: float,
        longest: float = 60.0,
        sleep: Callable[[float], None] = pause,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.retries, self.first, self.longest = retries, first, longest
        self._sleep, self._clock = sleep, clock
        self._not_before = 0.0
        self._jitter = random.Random()

    def call(self, attempt: Callable[[], T], who: str) -> T:
        """Return the result of `attempt`; if every retry fails, raise with instructions on how to resume."""
        for tried in range(self.retries + 1):
            if (wait := self._not_before - self._clock()) > 0:
                self._sleep(wait)
            try:
                return attempt()
            except TransientError as trouble:
                reason, after = str(trouble), trouble.after
            if tried == self.retries or (after or 0) > LONGEST:
                break
            own = self._jitter.uniform(0.5, 1.0) * min(self.longest, self.first * 2.0**tried)
            if after is not None:
                self._not_before = max(self._not_before, self._clock() + after)
            if after is None or after < own:  # "Retry-After: 0" must not cause a burst of requests
                self._sleep(own)
        asked = f" and asked to wait {after:,.0f} s" if after is not None and after > LONGEST else ""
        attempts = "1 attempt" if tried == 0 else f"{tried + 1} attempts"
        raise NoAnswerError(
            f"{who} did not answer ({reason}; {attempts}){asked}; "
            "all answers so far are kept. Run the same command again to resume."
        )


def retry_after(value: str | None) -> float | None:
    """Parse a Retry-After header (seconds or a date); return None if it is invalid, 0 for a past date."""
    if value is None or len(value) > LONGEST_HEADER:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - time.time()
        except (TypeError, ValueError, OverflowError):
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


#: seconds between checks for a stopped run while waiting for other requests' bills
_LOOK_AT_BILLS = 0.2
#: relative tolerance, because sums of prices such as 0.1 are inexact
_ROUNDING = 1e-9
RESUME = "all answers so far are kept. Run the same command with a higher limit to resume."


class LimitReachedError(InfrastructureError):
    """Another request would exceed a limit set by the user."""


@dataclass
class Bill:
    """Cost of one request: its upper bound until the response reports the actual cost."""

    cost: float


class Spending:
    """Counter of requests and costs, shared by threads but not between processes."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.requests = 0
        self.cost = 0.0
        self._reserved = 0.0
        self._open = 0

    def count_request(self, limit: int | None) -> None:
        """Count a request about to be sent; raise if it exceeds the limit."""
        with self._changed:
            if limit is not None and self.requests >= limit:
                raise LimitReachedError(f"The limit of {limit:,} requests (--max-requests) has been reached; {RESUME}")
            self.requests += 1

    @contextmanager
    def reserved(self, limit: float | None, most: float) -> Iterator[Bill]:
        """Reserve a request's maximum cost, waiting for pending bills if necessary; add its actual cost on exit."""
        bill = Bill(most)
        with self._changed:
            while limit is not None and self.cost + self._reserved + most > limit * (1 + _ROUNDING):
                if not self._open:
                    raise LimitReachedError(
                        f"The limit of {limit:,g} (--max-cost) has been reached: {self.cost:,.4g} is already "
                        f"spent, and the next request may cost {most:,.4g}; {RESUME}"
                    )
                self._changed.wait(_LOOK_AT_BILLS)
                if (stopped := STOPPED.get()) is not None and stopped.is_set():
                    raise StoppedError
            self._reserved += most
            self._open += 1
        try:
            yield bill
        except LimitReachedError:  # the request was not sent
            bill.cost = 0.0
            raise
        finally:
            with self._changed:
                self._open -= 1
                self._reserved = self._reserved - most if self._open else 0.0
                self.cost += bill.cost
                self._changed.notify_all()

    def __eq__(self, other: object) -> bool:
        """Compare equal to any other instance, so that options are equal regardless of spending."""
        return isinstance(other, Spending)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        """Pickle as a fresh instance: counts start at zero and locks are not shared with another process."""
        return Spending, ()


def confirm_cost(sentence: str, yes: bool) -> None:
    """Print the request summary; without `yes`, ask for confirmation on a terminal, or raise if there is none."""
    if not yes and not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UserError(f"{sentence} Pass --yes to proceed.")
    print(sentence, file=sys.stderr)
    if yes:
        return
    print("Continue? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().casefold() not in ("y", "yes"):
        raise UserError("Nothing was sent.")


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
    threads = _Threads(jobs, work)
    threads.resize(min(limit if isinstance(limit, int) else limit.limit, len(jobs)))
    failure: BaseException | None = None
    deadline: float | None = None
    try:
        while threads.running:
            try:
                outcome = threads.outcomes.get(
                    timeout=None if deadline is None else max(0.0, deadline - time.monotonic())
                )
            except queue.Empty:
                break
            if outcome is None:
                threads.running -= 1
            elif not isinstance(outcome, BaseException):
                yield outcome
                threads.room.release()
                if growth is not None and failure is None:
                    threads.resize(growth.next_limit(time.monotonic()))
            elif failure is None:
                # When a spending limit is reached, pending requests are already paid for, so they are ended only by
                # their own timeouts.
                failure = outcome
                deadline = None if isinstance(outcome, LimitReachedError) else time.monotonic() + GRACE
                threads.stopped.set()
    finally:
        threads.stopped.set()
    if failure is not None:
        raise failure


class _Threads(Generic[J, R]):
    """Worker threads that take jobs from one queue and put results into another."""

    def __init__(self, jobs: Sequence[J], work: Callable[[J], R]) -> None:
        self._work = work
        self._todo: queue.SimpleQueue[J] = queue.SimpleQueue()
        for job in jobs:
            self._todo.put(job)
        self.outcomes: queue.SimpleQueue[tuple[J, R] | BaseException | None] = queue.SimpleQueue()
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
                self.outcomes.put((job, self._work(job)))
        except queue.Empty:
            pass
        except BaseException as error:  # any exception is passed to the consuming thread
            self.outcomes.put(error)
        finally:
            self.outcomes.put(None)

    def _stays(self) -> bool:
        try:
            self._leaving.get_nowait()
        except queue.Empty:
            return True
        return False
