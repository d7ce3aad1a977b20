"""Validity conditions that must be met before an estimate can be interpreted.

Each measure declares its conditions, with a limit and a reason. If one fails, the estimate is reported as not
meaningful, whether or not it shows an effect.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from genderscope.statistics.estimate import Estimate

#: takes all estimates of a result and the judged estimate; returns the number to compare with the limit, or None
Reader = Callable[[Sequence[Estimate], Estimate], float | None]


@dataclass(frozen=True)
class ValidityCondition:
    """A lower or upper limit on a number computed from the estimates."""

    name: str
    limit: float
    #: the consequence of a failure, worded as the end of a sentence
    reason: str
    read: Reader
    at_least: bool = True
    #: names of the estimates that the condition applies to; if empty, all of them
    applies_to: frozenset[str] = frozenset()
    #: a sentence on what to do after a failure; a short verdict then gives the reason first
    next_step: str = ""
    #: words for what was found, for a value that only the limit makes understandable; None for "NAME is VALUE, below …"
    words: "Callable[[Sequence[Estimate], Estimate], str] | None" = None

    def failure(self, estimates: Sequence[Estimate], judged: Estimate) -> "FailedCondition | None":
        """Return the failure for an estimate; None if the condition is met, does not apply or cannot be checked."""
        if self.applies_to and judged.name not in self.applies_to:
            return None
        value = self.read(estimates, judged)
        if value is None or (value >= self.limit if self.at_least else value <= self.limit):
            return None
        return FailedCondition(self, value, self.words(estimates, judged) if self.words is not None else "")


@dataclass(frozen=True)
class FailedCondition:
    """A failed validity condition, the value that did not meet it, and the words for it, if the condition has any."""

    condition: ValidityCondition
    value: float
    words: str = ""

    def __str__(self) -> str:
        return f"{self.finding}: {self.condition.reason}"

    @property
    def finding(self) -> str:
        """The value and its limit, without the consequence."""
        c = self.condition
        if self.words:
            return self.words
        return f"{c.name} is {self.value:.2g}, {'below' if c.at_least else 'above'} the limit of {c.limit:g}"

    @property
    def in_short(self) -> str:
        """The failure for a reader in a hurry: the finding or, if there is a next step, the reason and what to do."""
        c = self.condition
        return f"{c.reason}. {c.next_step}" if c.next_step else f"{self.finding}."


#: below this limit, more samples are unread than read
COVERAGE = ValidityCondition(
    "the share of samples that could be read",
    0.5,
    "unread samples may differ from the others",
    lambda _, e: read_share(e),
)


def estimate_like(judged: Estimate, estimates: Sequence[Estimate], name: str) -> Estimate | None:
    """Return the overall estimate called `name` for the same language, subset and template, or None."""
    wanted = {key: judged.keys.get(key) for key in ("language", "subset", "template")}
    for e in estimates:
        if e.name == name and all(e.keys.get(key) == value for key, value in wanted.items()) and e.stereotype is None:
            return e
    return None


def read_share(judged: Estimate) -> float | None:
    """Return the proportion of samples behind an estimate that could be parsed, or None if there are none."""
    asked = judged.n + judged.unread
    return judged.n / asked if asked else None
