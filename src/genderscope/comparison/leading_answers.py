"""Which of two runs is better, for measures without criteria: the one that is nearer to neutral."""

from collections.abc import Mapping, Sequence
from typing import Any

from genderscope.judgement import Answer, AnswerKind, Difference, Finding, conclude_answer, format_value, words_for
from genderscope.measures import AnyMeasure


def answers_by_distance(
    kind: type[AnyMeasure], by_language: Mapping[str, Sequence[Difference]], names: tuple[str, str]
) -> list[Answer]:
    """Return the answer for each language, or for all of them together if the estimates are not split by language."""
    if not by_language:
        reason = "No question was answered in both runs, or the measure compares none of its leading estimates."
        return [Answer(AnswerKind.CANNOT_JUDGE, names, reason=reason, noun=kind.compared_noun)]
    return [
        conclude_answer(names, [_finding(kind, d, names) for d in differences], language or None, kind.compared_noun)
        for language, differences in by_language.items()
    ]


def _finding(kind: type[AnyMeasure], d: Difference, names: tuple[str, str]) -> Finding:
    """Return a difference as a finding: the gain is how much nearer to neutral the second run is."""
    words, ahead = words_for(d.of_second.name, kind.better_words)
    scope = ", ".join(str(value) for key, value in d.of_second.keys.items() if key != "language")
    numbers: dict[str, Any] = {}
    if d.further is not None and d.further_low is not None and d.further_high is not None:
        numbers = {"gain": -d.further, "low": -d.further_high, "high": -d.further_low, "p": d.p_nearer_adjusted}
    left_out = d.not_meaningful
    if left_out is None and not numbers:
        left_out = d.of_second.remark or d.of_first.remark or "the runs share too few questions"
    return Finding(
        d.name,
        f"{words} ({scope})" if scope else words,
        ahead,
        names,
        (d.of_first.value, d.of_second.value),
        (format_value(d.of_first), format_value(d.of_second)),
        d.of_second.n,
        0.0 if d.margin is None else d.margin.distance,
        is_plain=True,
        is_ratio=d.is_ratio,
        left_out=left_out,
        **numbers,
    )
