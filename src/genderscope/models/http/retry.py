"""Retry policy for servers and services that do not respond."""

import math
import os
import random
import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from email.utils import parsedate_to_datetime
from typing import TypeVar

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
