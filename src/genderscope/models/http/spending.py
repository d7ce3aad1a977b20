"""Spending limits and confirmation: requests are counted and costs reserved before sending."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from genderscope.core.errors import InfrastructureError, UserError
from genderscope.models.http.retry import STOPPED, StoppedError

#: seconds between checks for a stopped run while waiting for other requests' bills
_LOOK = 0.2
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
                self._changed.wait(_LOOK)
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
