"""Retries: how often and for how long, if a server or a service does not answer."""

import math
import random
import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from email.utils import parsedate_to_datetime
from typing import TypeVar

from genderscope.errors import UserError

T = TypeVar("T")

#: set in the worker threads: tells a waiting thread that its answer is no longer needed
STOPPED: ContextVar[threading.Event | None] = ContextVar("STOPPED", default=None)
#: The longest single pause, whatever the server asks for.
LONGEST = 600.0
#: a Retry-After of more characters is no number and no date
LONGEST_HEADER = 100


class TransientError(Exception):
    """A failure that may be temporary; `after` is the number of seconds the server asked us to wait.

    `refused` says that the server answered with an error, so that nothing is billed.
    """

    def __init__(self, reason: str, after: float | None = None, refused: bool = False) -> None:
        super().__init__(reason)
        self.after, self.refused = after, refused


class NoAnswerError(UserError):
    """The failure was not temporary."""


class StoppedError(Exception):
    """The run was stopped while this request was waiting."""


def pause(seconds: float) -> None:
    """Sleep, but wake up at once if the run is stopped."""
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
        """Return what `attempt` returns; if it keeps failing, end the run with a sentence on how to resume."""
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
            if after is None or after < own:  # "Retry-After: 0" does not make retries a hail of requests
                self._sleep(own)
        asked = f" and asks to wait {after:,.0f} s" if after is not None and after > LONGEST else ""
        attempts = "1 attempt" if tried == 0 else f"{tried + 1} attempts"
        raise NoAnswerError(
            f"{who} does not answer ({reason}; {attempts}){asked}; "
            "all answers so far are kept: run the same command again to resume."
        )


def retry_after(value: str | None) -> float | None:
    """Parse a Retry-After header: seconds or a date; None if it is neither, 0 for the past."""
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
