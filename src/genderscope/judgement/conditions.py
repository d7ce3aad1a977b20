"""Validity conditions, without which a value is not meaningful.

A measure declares its conditions, each with its limit and its reason. A condition that fails silences a finding and the
absence of one alike.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from genderscope.statistics.estimate import Estimate

#: takes all estimates of a result and the one that is judged; returns the number to compare with the limit, if known
Reader = Callable[[Sequence[Estimate], Estimate], float | None]


@dataclass(frozen=True)
class ValidityCondition:
    """A number that must be at least (or at most) its limit."""

    name: str
    limit: float
    #: what follows if it fails, as the end of a sentence
    reason: str
    read: Reader
    at_least: bool = True
    #: the names of the estimates that it applies to; empty: all
    applies_to: frozenset[str] = frozenset()

    def failure(self, estimates: Sequence[Estimate], judged: Estimate) -> "FailedCondition | None":
        """Return how the condition fails for an estimate; None if it is met or cannot be checked."""
        if self.applies_to and judged.name not in self.applies_to:
            return None
        value = self.read(estimates, judged)
        if value is None or (value >= self.limit if self.at_least else value <= self.limit):
            return None
        return FailedCondition(self.name, value, self.limit, self.at_least, self.reason)


@dataclass(frozen=True)
class FailedCondition:
    """A condition that fails, with its number."""

    name: str
    value: float
    limit: float
    at_least: bool
    reason: str

    def __str__(self) -> str:
        bound = "below" if self.at_least else "above"
        return f"{self.name} is {self.value:.2g}, {bound} the limit of {self.limit:g}: {self.reason}"


#: below this share of read samples the unread ones outnumber the read ones
COVERAGE = ValidityCondition(
    "the share of samples that could be read", 0.5, "the unread ones may differ", lambda _, e: read_share(e)
)


def estimate_like(judged: Estimate, estimates: Sequence[Estimate], name: str) -> Estimate | None:
    """Return the estimate of another name with the same language, subset and template as the judged one."""
    wanted = {key: judged.keys.get(key) for key in ("language", "subset", "template")}
    for e in estimates:
        if e.name == name and all(e.keys.get(key) == value for key, value in wanted.items()) and e.stereotype is None:
            return e
    return None


def read_share(judged: Estimate) -> float | None:
    """Return the share of the samples behind an estimate that could be read."""
    asked = judged.n + judged.unread
    return judged.n / asked if asked else None
