"""Sentences about which of two systems is better."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from genderscope.core.languages import language_name
from genderscope.judgement.answers import Answer, AnswerKind, Finding

#: logarithm of the largest factor that is written out
MOST_LOG = 20.0


def answer_json(answer: Answer) -> dict[str, Any]:
    """Return an answer as a JSON-serialisable dictionary."""
    return {
        "kind": str(answer.kind),
        "runs": list(answer.runs),
        "better": answer.better,
        "language": answer.language,
        "sentences": describe_answer(answer),
        "reason": answer.reason,
        "criteria": [finding.to_json() for finding in answer.findings],
        "languages": [answer_json(part) for part in answer.parts],
    }


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
    also = _generalisation([f for findings in ahead.values() for f in findings])
    if answer.kind is AnswerKind.BETTER and answer.better is not None:
        return [f"{answer.better} is better{also}: it {listed([_ahead(f) for f in ahead[answer.better]])}.", *rest]
    if answer.kind is AnswerKind.TRADE_OFF:
        one, other = (f"{run} {listed([_ahead(f) for f in ahead[run]])}" for run in answer.runs)
        return [f"A trade-off{also}: {one}, but {other}.", *rest]
    compared = [f for f in answer.findings if f.left_out is None]
    pair = f"{answer.runs[0]} and {answer.runs[1]}"
    slight = [f for f in compared if f.is_significant and not f.is_alike]
    if slight:
        leads = [f"{f.ahead_run} is slightly ahead in {f.words} ({describe_values(f)})" for f in slight]
        return [f"The difference may be too small to matter: {listed(leads)}.", *rest]
    if all(f.is_alike for f in compared):
        return [f"No difference that matters: {pair} are alike in {listed([f.words for f in compared])}.", *rest]
    n = max((f.n for f in answer.findings), default=0)
    widest = max((f for f in compared if f.most is not None), key=_relative, default=None)
    possible = "" if widest is None else f" The largest that remains possible: {_most(widest)} in {widest.words}."
    none = f"No difference between {pair} that these {n:,} {answer.noun} could show."
    return [f"{_only_on_items(answer, n) or none}{possible}", *rest]


def _generalisation(findings: Sequence[Finding]) -> str:
    """Return what findings generalise to; "in part" if not all of them do so to the same."""
    over = dict.fromkeys(finding.over for finding in findings)
    units = [f"other {words}" for words in over if words is not None]
    if not units:
        return ""
    return f", {'' if len(over) == 1 else 'in part '}also for {listed(units)}"


def _only_on_items(answer: Answer, n: int) -> str | None:
    """Return the sentence about differences that are significant on these items only, or None if there are none."""
    findings = [f for f in answer.findings if f.is_better_on_items_only]
    if not findings:
        return None
    leads = listed([f"{f.ahead_run} {_ahead(f)}" for f in findings])
    over = listed(list(dict.fromkeys(f"other {f.over}" for f in findings)))
    verb = "the difference is" if len(findings) == 1 else "the differences are"
    return f"On these {n:,} {answer.noun} {leads}; for {over} {verb} not significant."


def _relative(finding: Finding) -> float:
    """Return the largest possible difference as a multiple of the threshold."""
    return (finding.most or 0.0) / (finding.threshold or 1.0)


def _combined(answer: Answer) -> list[str]:
    by_kind: dict[str, list[str]] = {}
    for part in answer.parts:
        key = part.better or str(part.kind)
        by_kind.setdefault(key, []).append(language_name(part.language) if part.language else "all")
    places = {key: listed(names) for key, names in by_kind.items()}
    said = [f"{run} is better in {places[run]}{_scope_of(run, answer)}" for run in answer.runs if run in places]
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
        also = _generalisation([f for part in answer.parts for f in part.findings if f.better is not None])
        return [f"{answer.better} is better in all {len(answer.parts)} languages{also}."]
    if answer.kind is AnswerKind.NO_DIFFERENCE and len(by_kind) == 1:
        return [f"No difference between {answer.runs[0]} and {answer.runs[1]} could be shown in any language."]
    if answer.kind is AnswerKind.CANNOT_JUDGE:
        return [
            f"Cannot be judged in any language. {answer.reason}" if len(by_kind) == 1 else f"Cannot be judged: {text}."
        ]
    return [f"{text[:1].upper() if text.startswith(('there', 'no ')) else text[:1]}{text[1:]}."]


def _scope_of(run: str, answer: Answer) -> str:
    """Return what the statement generalises to that a run is better in some languages."""
    return _generalisation([f for part in answer.parts if part.better == run for f in part.findings if f.better == run])


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
    decided = answer.kind is not AnswerKind.NO_DIFFERENCE
    alike = [f.words for f in others if f.is_alike]
    if alike and decided:
        sentences.append(f"The difference is too small to matter in: {listed(alike)}.")
    slight = [
        f"{f.ahead_run} in {f.words} ({describe_values(f)})" for f in others if f.is_significant and not f.is_alike
    ]
    if slight and decided:
        sentences.append(f"Slightly ahead: {listed(slight)}.")
    uncertain = [
        f"{f.words} ({describe_values(f)}{_possible(f)})" for f in others if f.is_open and not f.is_significant
    ]
    if uncertain and decided:
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
