"""Validity conditions that must be met before an estimate can be interpreted.

Each measure declares its conditions, with a limit, words for a failure and a reason. If one fails, the estimate cannot
be judged, whether or not it shows an effect.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from genderscope.judgement.verdicts import Margin
from genderscope.statistics.estimate import Estimate

#: takes all estimates of a result and the judged estimate; returns the number to compare with the limit, or None
Reader = Callable[[Sequence[Estimate], Estimate], float | None]


@dataclass(frozen=True)
class Retry:
    """Other options for the same measure, None for one to leave out, and an instruction that says what they do."""

    words: str
    options: Mapping[str, str | None]


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
    #: what a failure shows, for readers who know nothing else, or a function that returns it; `{value}` and `{limit}`
    #: are numbers, `{share}` and `{needed}` the same as percentages; if empty: "NAME is VALUE, below the limit of …"
    words: "str | Callable[[Sequence[Estimate], Estimate], str]" = ""
    #: other options of the same measure that may meet the condition, best first
    retries: tuple[Retry, ...] = ()
    #: whether the value is the end of an interval, so that more samples may meet the condition
    needs_samples: bool = False
    #: whether the limit is the threshold that the estimate is judged by; `limit` is then its default
    is_threshold: bool = False
    #: whether a failure shows that the model itself is unusable, so that other measures would fail as well
    is_about_model: bool = False

    def failure(
        self, estimates: Sequence[Estimate], judged: Estimate, margin: Margin | None = None
    ) -> "FailedCondition | None":
        """Return the failure for an estimate; None if the condition is met, does not apply or cannot be checked."""
        if self.applies_to and judged.name not in self.applies_to:
            return None
        if self.is_threshold and margin is not None and margin.size != self.limit:
            return replace(self, limit=margin.size).failure(estimates, judged)
        value = self.read(estimates, judged)
        if value is None or (value >= self.limit if self.at_least else value <= self.limit):
            return None
        return FailedCondition(self, value, self._described(value, estimates, judged))

    def _described(self, value: float, estimates: Sequence[Estimate], judged: Estimate) -> str:
        if not isinstance(self.words, str):
            return self.words(estimates, judged)
        return self.words.format(
            value=value, limit=self.limit, share=format_share(value), needed=format_share(self.limit)
        )


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


def format_share(share: float) -> str:
    """Format a proportion as a percentage with up to three digits."""
    return f"{100 * share:.3g} %"


#: below this limit, more samples are unread than read
COVERAGE = ValidityCondition(
    "the share of samples that could be read",
    0.5,
    "the samples that could not be interpreted may differ",
    lambda _, e: read_share(e),
    words="only {share} of the samples could be interpreted (at least {needed} are needed)",
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
