"""Summaries of results: the size and verdict of each leading estimate."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from genderscope.core.languages import language_name
from genderscope.judgement.conditions import ValidityCondition
from genderscope.judgement.estimate_judgement import Judgement, judge
from genderscope.judgement.sentences import Phrase, list_verdicts, size_sentence, verdict_at, verdict_sentences
from genderscope.judgement.verdicts import Margin
from genderscope.statistics.estimate import Estimate


@dataclass(frozen=True)
class Lead:
    """An estimate reported in a summary.

    `parts` are the same estimate for each template, language or subset of the data, and `kind_of_part` is the plural
    noun for them. A `second` lead qualifies the first one; it does not count towards the run's verdict.
    """

    estimate: Estimate
    parts: Sequence[Estimate] = ()
    kind_of_part: str = ""
    #: prefix that names the language or subset
    where: str = ""
    second: bool = False


def leads_with_parts(estimates: Sequence[Estimate], name: str, key: str, kind_of_part: str) -> list[Lead]:
    """Return the estimates called `name` pooled over `key`, with the estimates for each value of `key` as parts."""
    named = [e for e in estimates if e.name == name]
    parts = [e for e in named if key in e.keys]
    return [Lead(e, parts, kind_of_part) for e in named if key not in e.keys]


def leads_by_language(rates: Sequence[Estimate], second: bool) -> list[Lead]:
    """Return the rate across languages as the lead or, if there is none, the rate of each language."""
    parts = [e for e in rates if e.language is not None] if len(rates) > 1 else []
    whole = [e for e in rates if e.language is None] or rates
    several = len(whole) > 1
    return [
        Lead(
            e,
            parts,
            "languages",
            where=f"{language_name(e.language)}: " if several and e.language else "",
            second=second,
        )
        for e in whole
    ]


class MeasureWording(Protocol):
    """What a measure class declares about judging and describing its estimates."""

    @property
    def conditions(self) -> Sequence[ValidityCondition]:
        """The validity conditions."""

    @property
    def judged_together(self) -> frozenset[str]:
        """The names of estimates whose verdicts are corrected together."""

    def leads(self, estimates: Sequence[Estimate], options: Any, /) -> list[Lead]:
        """Return the estimates to summarise."""

    def phrase(self, estimate: Estimate, options: Any, /) -> Phrase | None:
        """Return the wording of an estimate's value."""

    def margin(self, estimate: Estimate, options: Any, /) -> Margin | None:
        """Return an estimate's smallest effect of interest."""


def summarise(kind: MeasureWording, estimates: Sequence[Estimate], options: Any) -> str:
    """Return a summary of each leading estimate: first its verdict, then its size."""
    sentences: list[str] = []
    topics: list[tuple[Phrase, Judgement]] = []
    for lead in kind.leads(estimates, options):
        judgement, phrase = judge_as(kind, lead.estimate, estimates, options), kind.phrase(lead.estimate, options)
        if phrase is not None and phrase.topic:
            topics.append((phrase, judgement))
            continue
        sentences += _listed(topics)
        if lead.estimate.value is None and not judgement.failures:
            sentences.append(size_sentence(lead.estimate, phrase, lead.where))
            continue
        parts = [judge_as(kind, part, estimates, options) for part in lead.parts]
        verdict = verdict_sentences(judgement, parts, lead.kind_of_part, brief=lead.second)
        size = size_sentence(lead.estimate, phrase)
        sentences += [verdict_at(lead.where, verdict), size[:1].upper() + size[1:] if lead.where else size]
    return " ".join([*sentences, *_listed(topics)]) or "There is no estimate to report."


def _listed(topics: list[tuple[Phrase, Judgement]]) -> list[str]:
    """Return a sentence that lists the verdicts on the collected topics, if any, and clear the list."""
    sentences = [list_verdicts(topics)] if topics else []
    topics.clear()
    return sentences


def judge_as(kind: MeasureWording, e: Estimate, estimates: Sequence[Estimate], options: Any) -> Judgement:
    """Judge an estimate by its measure's threshold and conditions."""
    return judge(e, kind.margin(e, options), kind.conditions, estimates, family_size(kind, e, estimates))


def family_size(kind: MeasureWording, e: Estimate, estimates: Sequence[Estimate]) -> int:
    """Return how many verdicts are corrected together with that on an estimate: those on all data that have a value."""
    if e.name not in kind.judged_together or e.category is not None or e.group is not None:
        return 1
    family = [other for other in estimates if other.name in kind.judged_together and other.low is not None]
    return max(1, sum(other.category is None and other.group is None for other in family))


def leading(estimates: Sequence[Any], headline: Sequence[str]) -> Any:
    """Return the first available headline estimate, in the version with the fewest keys; None if there is none."""
    for name in headline:
        candidates = [e for e in estimates if e.name == name and e.group != "control"]
        if candidates:
            fewest = min(e.number_of_keys for e in candidates)
            return [e for e in candidates if e.number_of_keys == fewest][-1]
    return None
