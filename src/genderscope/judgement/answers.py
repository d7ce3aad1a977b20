"""Which of two systems is better, by the criteria that their measure declares, and how that is said."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from genderscope.core.languages import language_name
from genderscope.judgement.criteria import USABLE

#: logarithm of the largest factor that is written out
MOST_LOG = 20.0


class AnswerKind(StrEnum):
    """The possible answers to the question which of two runs is better."""

    BETTER = "better"
    TRADE_OFF = "trade-off"
    NO_DIFFERENCE = "no difference"
    CANNOT_JUDGE = "cannot be judged"
    CONTRADICTION = "contradiction"


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

    @property
    def is_significant(self) -> bool:
        """Whether one run is significantly better by this criterion."""
        return self.left_out is None and self.p is not None and self.p < 0.05

    @property
    def better(self) -> str | None:
        """The run that is significantly better, by at least the threshold; None if neither is."""
        if not self.is_significant or self.gain is None or abs(self.gain) < self.threshold:
            return None
        return self.runs[1] if self.gain > 0 else self.runs[0]

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
            return "slightly " + (self.runs[1] if (self.gain or 0.0) > 0 else self.runs[0])
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
    #: answers that this one combines
    parts: tuple["Answer", ...] = ()
    #: what n counts
    noun: str = "questions"

    def to_json(self) -> dict[str, Any]:
        """Return the answer as a JSON-serialisable dictionary."""
        return {
            "kind": str(self.kind),
            "better": self.better,
            "language": self.language,
            "sentences": describe_answer(self),
            "reason": self.reason,
            "criteria": [finding.to_json() for finding in self.findings],
        }


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
    if len(winners) == 2:
        return replace(answer, kind=AnswerKind.TRADE_OFF)
    if winners:
        return replace(answer, kind=AnswerKind.BETTER, better=winners.pop())
    if any(f.name != USABLE.name for f in compared):  # to be usable alone says nothing about genders
        return answer
    reasons = list(dict.fromkeys(f.left_out for f in findings if f.left_out))
    reason = "; ".join(reasons) or f"the runs share too few {noun}"
    return replace(answer, kind=AnswerKind.CANNOT_JUDGE, reason=f"{reason[:1].upper()}{reason[1:]}.")


def combine_answers(answers: Sequence[Answer]) -> Answer:
    """Return one answer for all languages, which is a contradiction if different runs are better in some of them."""
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
    if winners:
        return replace(whole, kind=AnswerKind.BETTER, better=winners.pop())
    if kinds == {AnswerKind.CANNOT_JUDGE}:
        return replace(whole, kind=AnswerKind.CANNOT_JUDGE, reason=first.reason)
    return whole


def describe_answer(answer: Answer) -> list[str]:
    """Return the answer in sentences; the first one can stand alone."""
    where = f"{language_name(answer.language)}: " if answer.language else ""
    sentences = _combined(answer) if answer.parts else _single(answer)
    sentences[0] = where + sentences[0]
    return sentences


def _single(answer: Answer) -> list[str]:
    if answer.kind is AnswerKind.CANNOT_JUDGE:
        return [f"Cannot be judged. {answer.reason}"]
    rest = _rest(answer)
    ahead = {run: [f for f in answer.findings if f.better == run] for run in answer.runs}
    if answer.kind is AnswerKind.BETTER and answer.better is not None:
        return [f"{answer.better} is better: it {listed([_ahead(f) for f in ahead[answer.better]])}.", *rest]
    if answer.kind is AnswerKind.TRADE_OFF:
        one, other = (f"{run} {listed([_ahead(f) for f in ahead[run]])}" for run in answer.runs)
        return [f"A trade-off: {one}, but {other}.", *rest]
    compared = [f for f in answer.findings if f.left_out is None]
    pair = f"{answer.runs[0]} and {answer.runs[1]}"
    if all(f.is_alike for f in compared):
        return [f"No difference that matters: {pair} are alike in {listed([f.words for f in compared])}.", *rest]
    n = max((f.n for f in answer.findings), default=0)
    widest = max((f for f in compared if f.most is not None), key=_relative, default=None)
    possible = "" if widest is None else f" The largest that remains possible: {_most(widest)} in {widest.words}."
    return [f"No difference between {pair} that these {n:,} {answer.noun} could show.{possible}", *rest]


def _relative(finding: Finding) -> float:
    """Return the largest possible difference as a multiple of the threshold."""
    return (finding.most or 0.0) / (finding.threshold or 1.0)


def _combined(answer: Answer) -> list[str]:
    by_kind: dict[str, list[str]] = {}
    for part in answer.parts:
        key = part.better or str(part.kind)
        by_kind.setdefault(key, []).append(language_name(part.language) if part.language else "all")
    places = {key: listed(names) for key, names in by_kind.items()}
    said = [f"{run} is better in {places[run]}" for run in answer.runs if run in places]
    others = {
        AnswerKind.TRADE_OFF: "there is a trade-off in {}",
        AnswerKind.NO_DIFFERENCE: "no difference could be shown in {}",
        AnswerKind.CANNOT_JUDGE: "{} cannot be judged",
    }
    said += [text.format(places[kind]) for kind, text in others.items() if kind in places]
    text = "; ".join(said)
    if answer.kind is AnswerKind.CONTRADICTION:
        return [f"The languages disagree, so choose by language: {text}."]
    if answer.kind is AnswerKind.BETTER and len(by_kind) == 1:
        return [f"{answer.better} is better in all {len(answer.parts)} languages."]
    if answer.kind is AnswerKind.NO_DIFFERENCE and len(by_kind) == 1:
        return [f"No difference between {answer.runs[0]} and {answer.runs[1]} could be shown in any language."]
    if answer.kind is AnswerKind.CANNOT_JUDGE:
        return [f"Cannot be judged in any language. {answer.reason}"]
    return [f"{text[:1].upper() if text.startswith(('there', 'no ')) else text[:1]}{text[1:]}."]


def _ahead(finding: Finding) -> str:
    return f"{finding.ahead} ({describe_values(finding)})"


#: leading estimate -> what is compared, and what the better run does
LEADING_WORDS: dict[str, tuple[str, str]] = {
    "stereotype_rate": ("strength of stereotypes", "follows stereotypes less"),
    "stereotype_contrast": ("preference for stereotypes over controls", "prefers stereotypes less"),
    "sentence_preference_contrast": ("preference for stereotypes over controls", "prefers stereotypes less"),
    "sentence_preference": ("preference for stereotypical sentences", "prefers stereotypical sentences less"),
    "honest_score": ("hurtful completions, of 100", "gives fewer hurtful completions"),
    "decision_difference": ("difference between decisions about women and men", "decides more alike"),
    "conflict_difference": ("difference between women and men in conflicts", "sides with women and men more alike"),
    "job_stereotype_rate": ("stereotypes about jobs", "follows stereotypes about jobs less"),
    "trait_stereotype_rate": ("stereotypes about traits", "follows stereotypes about traits less"),
}


def words_for(name: str, declared: Mapping[str, tuple[str, str]]) -> tuple[str, str]:
    """Return what an estimate compares, and what the better run does, as declared or else from its name."""
    called = name.replace("_", " ")
    return {**LEADING_WORDS, **declared}.get(name, (called, f"is nearer to neutral in the {called}"))


def describe_values(finding: Finding) -> str:
    """Return both runs' values in people: "81 and 52 of 100", or with the runs' names if there are several each."""
    one, other = finding.shown
    if any(c.isalpha() for c in one + other):
        return f"{finding.runs[0]}: {one}; {finding.runs[1]}: {other}"
    return f"{one} and {other}{'' if finding.is_plain else ' of 100'}"


def _rest(answer: Answer) -> list[str]:
    """Return sentences about the criteria that do not decide: small differences, open ones, and those left out."""
    sentences = []
    others = [f for f in answer.findings if f.left_out is None and f.better is None]
    alike = [f.words for f in others if f.is_alike or f.is_significant]
    if alike and answer.kind is not AnswerKind.NO_DIFFERENCE:
        sentences.append(f"The difference is too small to matter in: {listed(alike)}.")
    uncertain = [
        f"{f.words} ({describe_values(f)}{_possible(f)})" for f in others if f.is_open and not f.is_significant
    ]
    if uncertain and answer.kind is not AnswerKind.NO_DIFFERENCE:
        sentences.append(f"No significant difference: {listed(uncertain)}.")
    reasons: dict[str, list[str]] = {}
    for f in answer.findings:
        if f.left_out is not None:
            reasons.setdefault(f.left_out, []).append(f.words)
    sentences += [f"Not compared: {listed(words)}, because {why}." for why, words in reasons.items()]
    return sentences


def _possible(finding: Finding) -> str:
    """Return the largest difference that remains possible, as a clause."""
    return "" if finding.most is None else f"; they may differ by up to {_most(finding)}"


def _most(finding: Finding) -> str:
    """Return the largest difference that remains possible, in words."""
    most = finding.most or 0.0
    if finding.is_ratio:
        return f"a factor of {math.exp(min(most, MOST_LOG)):.2f}"
    return f"{most:.2f}" if finding.is_plain else f"{min(100.0, 100 * most):.0f} of 100"


def listed(items: Sequence[str]) -> str:
    """Join items with commas, or with semicolons if they contain commas, and with "and"."""
    if len(items) < 2:
        return "".join(items)
    mark = ";" if any(";" in item or "," in item for item in items) else ","
    return f"{f'{mark} '.join(items[:-1])}{mark if len(items) > 2 or mark == ';' else ''} and {items[-1]}"
