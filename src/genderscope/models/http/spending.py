"""Spending limits: requests are counted and costs reserved before anything is sent, so that no limit is exceeded."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from genderscope.errors import UserError
from genderscope.models.http.retry import STOPPED, StoppedError

#: seconds after which a request that waits for others to be paid looks whether the run was stopped
_LOOK = 0.2
#: sums of prices such as 0.1 are not exact
_ROUNDING = 1e-9
RESUME = "all answers so far are kept: run the same command with a higher limit to resume."


class Limits(Protocol):
    """What the user allows; None is no limit."""

    @property
    def max_requests(self) -> int | None:
        """The most requests, retries included."""

    @property
    def max_cost(self) -> float | None:
        """The most that may be spent."""


class LimitReachedError(UserError):
    """One more request would exceed a limit that the user set."""


@dataclass
class Bill:
    """The cost of one request: the most it can cost, until its answer says how much it was."""

    cost: float


class Spending:
    """Counts requests and costs. Threads share it; another process has its own."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.requests = 0
        self.cost = 0.0
        self._reserved = 0.0
        self._open = 0

    def count_request(self, limits: Limits) -> None:
        """Count a request that is about to be sent; refuse it if it is one too many."""
        with self._changed:
            if limits.max_requests is not None and self.requests >= limits.max_requests:
                raise LimitReachedError(
                    f"The limit of {limits.max_requests:,} requests (--max-requests) is reached; {RESUME}"
                )
            self.requests += 1

    @contextmanager
    def reserved(self, limits: Limits, most: float) -> Iterator[Bill]:
        """Set aside the most that a request can cost; at the end its bill counts.

        While requests in flight might use up the rest of the budget, this waits for their bills.
        """
        bill = Bill(most)
        with self._changed:
            while limits.max_cost is not None and self.cost + self._reserved + most > limits.max_cost * (1 + _ROUNDING):
                if not self._open:
                    raise LimitReachedError(
                        f"The limit of {limits.max_cost:,g} (--max-cost) is reached: {self.cost:,.4g} is spent, and "
                        f"the next request may cost {most:,.4g}; {RESUME}"
                    )
                self._changed.wait(_LOOK)
                if (stopped := STOPPED.get()) is not None and stopped.is_set():
                    raise StoppedError
            self._reserved += most
            self._open += 1
        try:
            yield bill
        except LimitReachedError:  # it was not sent
            bill.cost = 0.0
            raise
        finally:
            with self._changed:
                self._open -= 1
                self._reserved = self._reserved - most if self._open else 0.0
                self.cost += bill.cost
                self._changed.notify_all()

    def __eq__(self, other: object) -> bool:
        """Two sets of options are equal whatever was spent with them."""
        return isinstance(other, Spending)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        """Begin at zero in another process, where no lock of this one can be."""
        return Spending, ()
