"""Data drawn from models whose truth is known, for every measure: what `benchmarks/coverage.py` counts coverage on."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, wraps

import numpy as np

from genderscope.statistics.estimate import Estimate


@dataclass(frozen=True)
class Checked:
    """An interval and the truth that it should hold; `low` None says that none was printed."""

    what: str
    truth: float
    low: float | None
    high: float | None
    #: for a test whose null hypothesis is true
    p: float | None = None


@dataclass(frozen=True)
class Situation:
    """One kind of data of one measure: `draw` makes a data set, estimates, and says what was to be found."""

    measure: str
    name: str
    draw: Callable[[np.random.Generator], Iterator[Checked]]
    #: how many replications, as a share of those asked for
    share: float = 1.0
    #: why more than 97 % is right here: few samples, or shares within 1/n of the edge
    conservative: str = ""
    tags: tuple[str, ...] = field(default=())


Draw = Callable[[np.random.Generator], Iterator[Checked]]


def lazy(make: Callable[..., Draw]) -> Callable[..., Draw]:
    """Let the truth of a situation be worked out when it is first drawn from: that may take a while."""

    @wraps(make)
    def later(*arguments: object, **options: object) -> Draw:
        made = cache(lambda: make(*arguments, **options))

        def draw(generator: np.random.Generator) -> Iterator[Checked]:
            return made()(generator)

        return draw

    return later


def checked(estimate: Estimate, truth: float, what: str | None = None) -> Checked:
    """Look at the interval of an estimate."""
    return Checked(what or estimate.symbol or estimate.name, truth, estimate.low, estimate.high)


def wide(estimate: Estimate, truth: float) -> Checked:
    """Look at the interval of an estimate that treats stereotypes and templates as samples too."""
    return Checked(
        f"{estimate.symbol or estimate.name} (wide)",
        truth,
        getattr(estimate, "wide_low", None),
        getattr(estimate, "wide_high", None),
    )


def moved(estimate: Estimate, truth: float, what: str) -> Checked:
    """Look at the interval of an estimate, moved to the ends of its range for unread answers."""
    value, low, high = (float(end or 0.0) for end in (estimate.value, estimate.low, estimate.high))
    least, most = (float(end or 0.0) for end in (estimate.unread_low, estimate.unread_high))
    return Checked(what, truth, low + least - value, high + most - value)


def expit(x: np.ndarray | float) -> np.ndarray:
    """The logistic function."""
    return 1 / (1 + np.exp(-x))
