"""Which of two systems is better, by the criteria that their measure declares."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

from genderscope.judgement.criteria import USABLE


class AnswerKind(StrEnum):
    """The possible answers to the question which of two runs is better."""

    BETTER = "better"
    TRADE_OFF = "trade-off"
    NO_DIFFERENCE = "no difference"
    CANNOT_JUDGE = "cannot be judged"
    CONTRADICTION = "contradiction"


class NarrowTest(NamedTuple):
    """Interval and p-value of a gain on these items and others like them, with the same stereotypes and templates."""

    low: float
    high: float
    p: float | None


@dataclass(frozen=True)
class Finding:
    """Two runs compared by one criterion, on the questions that count for both."""

    #: name of the criterion, and its words
    name: str
    words: str
    #: what the better run does
    ahead: str
    #: names of the runs, and their values in words
    runs: tuple[str, str]
    values: tuple[float | None, float | None]
    shown: tuple[str, str]
    n: int
    threshold: float
    #: how much better the second run is, with a simultaneous 95 % interval; below 0 if the first is better
    gain: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    #: whether values are plain numbers, not people in 100, and whether they are ratios, whose gain is a logarithm
    is_plain: bool = False
    is_ratio: bool = False
    #: why the criterion does not take part; None if it does
    left_out: str | None = None
    #: what interval and p-value generalise over, in words, if over more than items; then also the test on items
    over: str | None = None
    items: NarrowTest | None = None

    @property
    def is_significant(self) -> bool:
        """Whether one run is significantly better by this criterion."""
        return self.left_out is None and self.p is not None and self.p < 0.05

    @property
    def on_items(self) -> "Finding":
        """The finding on these items and others like them."""
        if self.items is None:
            return self
        low, high, p = self.items
        return replace(self, low=low, high=high, p=p, over=None, items=None)

    @property
    def is_better_on_items_only(self) -> bool:
        """Whether one run is better on these items, which is not significant if it is to hold for others."""
        return self.items is not None and not self.is_significant and self.on_items.better is not None

    @property
    def better(self) -> str | None:
        """The run that is significantly better, by at least the threshold; None if neither is."""
        if not self.is_significant or self.gain is None or abs(self.gain) < self.threshold:
            return None
        return self.ahead_run

    @property
    def ahead_run(self) -> str:
        """The run that is ahead, significantly or not."""
        return self.runs[1] if (self.gain or 0.0) > 0 else self.runs[0]

    @property
    def most(self) -> float | None:
        """The largest difference that the interval leaves possible."""
        return None if self.low is None or self.high is None else max(abs(self.low), abs(self.high))

    @property
    def is_alike(self) -> bool:
        """Whether the runs differ by less than the threshold."""
        return self.left_out is None and self.most is not None and self.most < self.threshold

    @property
    def is_open(self) -> bool:
        """Whether a difference beyond the threshold is neither shown nor ruled out."""
        return self.left_out is None and self.better is None and not self.is_alike

    @property
    def state(self) -> str:
        """The finding in a few words, for a table cell."""
        if self.left_out is not None:
            return "not compared"
        if self.better is not None:
            return self.better
        if self.is_significant:
            return f"slightly {self.ahead_run}"
        if self.is_better_on_items_only and not self.is_alike:
            return f"{self.ahead_run}, on these only"
        return "alike" if self.is_alike else "no significant difference"

    def to_json(self) -> dict[str, Any]:
        """Return the finding as a JSON-serialisable dictionary."""
        first, second = self.runs
        return {
            "criterion": self.name,
            "words": self.words,
            "values": dict(zip(self.runs, self.values, strict=True)),
            "shown": dict(zip(self.runs, self.shown, strict=True)),
            "n": self.n,
            "gain_of_second": self.gain,
            "low": self.low,
            "high": self.high,
            "p": self.p,
            "threshold": self.threshold,
            "better": self.better,
            "state": self.state,
            "left_out": self.left_out,
            "over": self.over,
            "on_items": None if self.items is None else {**self.items._asdict(), "better": self.on_items.better},
            "first": first,
            "second": second,
        }


@dataclass(frozen=True)
class Answer:
    """The answer for one language, or for all of them together (`language` is None)."""

    kind: AnswerKind
    runs: tuple[str, str]
    language: str | None = None
    #: the better run
    better: str | None = None
    findings: tuple[Finding, ...] = ()
    #: why the runs cannot be judged
    reason: str | None = None
    #: the run that cannot be judged
    broken: str | None = None
    #: answers that this one combines
    parts: tuple["Answer", ...] = ()
    #: what n counts
    noun: str = "questions"


def conclude_answer(
    runs: tuple[str, str], findings: Sequence[Finding], language: str | None = None, noun: str = "questions"
) -> Answer:
    """Return the answer that follows from the findings.

    A run is better if it is better by at least one criterion and worse by none; if each is better by something, the
    answer is a trade-off.
    """
    compared = [f for f in findings if f.left_out is None and f.p is not None]
    winners = {f.better for f in compared} - {None}
    answer = Answer(AnswerKind.NO_DIFFERENCE, runs, language, findings=tuple(findings), noun=noun)
    if all(f.name == USABLE.name for f in compared):  # to be usable alone says nothing about genders
        reasons = list(dict.fromkeys(f.left_out for f in findings if f.left_out))
        reason = "; ".join(reasons) or f"the runs share too few {noun}"
        starts_with_name = reason.startswith(runs)
        return replace(
            answer,
            kind=AnswerKind.CANNOT_JUDGE,
            reason=f"{reason[:1] if starts_with_name else reason[:1].upper()}{reason[1:]}.",
        )
    if len(winners) == 2:
        return replace(answer, kind=AnswerKind.TRADE_OFF)
    return replace(answer, kind=AnswerKind.BETTER, better=winners.pop()) if winners else answer


def on_items(answer: Answer) -> Answer:
    """Return the answer for these items and others like them, with the same stereotypes and templates."""
    if answer.kind is AnswerKind.CANNOT_JUDGE or not answer.findings:
        return answer
    return conclude_answer(answer.runs, [f.on_items for f in answer.findings], answer.language, answer.noun)


def corrected_for(answer: Answer, families: int) -> Answer:
    """Return the answer corrected for several families of tests (Bonferroni)."""
    if families == 1 or answer.kind is AnswerKind.CANNOT_JUDGE or not answer.findings:
        return answer
    findings = [f if f.p is None else replace(f, p=min(1.0, families * f.p)) for f in answer.findings]
    return conclude_answer(answer.runs, findings, answer.language, answer.noun)


def combine_answers(answers: Sequence[Answer]) -> Answer:
    """Return one answer for all languages, which is a contradiction if different runs are better in some of them.

    A run that cannot be judged in one language is not better on the whole.
    """
    first = answers[0]
    if len(answers) == 1:
        return first
    kinds = {answer.kind for answer in answers}
    winners = {answer.better for answer in answers} - {None}
    whole = Answer(AnswerKind.NO_DIFFERENCE, first.runs, None, parts=tuple(answers), noun=first.noun)
    if len(winners) == 2:
        return replace(whole, kind=AnswerKind.CONTRADICTION)
    if AnswerKind.TRADE_OFF in kinds:
        return replace(whole, kind=AnswerKind.TRADE_OFF)
    if kinds == {AnswerKind.CANNOT_JUDGE} or winners & {answer.broken for answer in answers}:
        return replace(whole, kind=AnswerKind.CANNOT_JUDGE, reason=first.reason)
    return replace(whole, kind=AnswerKind.BETTER, better=winners.pop()) if winners else whole
