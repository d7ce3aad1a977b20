"""`compare`: comparison of each run of a measure with the first run, on the questions that both answered."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from genderscope.comparison.comparability import cautions, comparable_runs
from genderscope.comparison.difference import adjusted_together, differences
from genderscope.comparison.row_pairing import Paired, pair, uncovered_stereotypes
from genderscope.core.errors import UserError
from genderscope.judgement import (
    Answer,
    AnswerKind,
    Difference,
    Finding,
    NarrowTest,
    answer_json,
    combine_answers,
    conclude_answer,
    describe_answer,
    describe_difference,
    explain_failures,
    format_value,
    label,
    leading,
    words_for,
)
from genderscope.measures import AnyMeasure, judge_estimate, measure_type, options_of
from genderscope.runs import Result, reading
from genderscope.statistics.estimate import Estimate
from genderscope.util.lazy_imports import HigherLayer

if TYPE_CHECKING:
    import pandas as pd


class ComparisonDisplay(Protocol):
    """How comparisons are shown."""

    def html(self, shown: "Comparison", /) -> str:
        """Render a comparison as HTML for a notebook."""


DISPLAY: HigherLayer[ComparisonDisplay] = HigherLayer("display")


@dataclass(frozen=True)
class Comparison:
    """Result of a comparison. `runs` is keyed by label (A, B, C …), `pairs` by the label of the later run."""

    measure: str
    runs: dict[str, Result]
    pairs: dict[str, Paired]
    differences: tuple[Difference, ...]
    cautions: tuple[str, ...]
    #: label of a later run -> which of the two is better, for each language
    answers: dict[str, list[Answer]] = field(default_factory=dict)

    @property
    def by_criteria(self) -> bool:
        """Whether the runs are compared by the measure's criteria rather than by their distance from neutral."""
        return measure_type(self.measure).compares_by_criteria(options_of(self.runs[self.first]))

    @property
    def first(self) -> str:
        """The label of the baseline run."""
        return next(iter(self.runs))

    def of(self, run: str) -> list[Difference]:
        """Return the differences between a later run and the first."""
        return [d for d in self.differences if d.second == run]

    def lead(self, run: str) -> Difference | None:
        """Return the difference in the leading estimate, or None."""
        lead_estimate = leading([d.of_second for d in self.of(run)], measure_type(self.measure).headline)
        return next((d for d in self.of(run) if d.of_second is lead_estimate), None)

    def leads(self, run: str) -> list[Difference]:
        """Return the differences in the leading estimate and in those to be interpreted with it."""
        kind, of_run = measure_type(self.measure), self.of(run)
        estimates = [leading([d.of_second for d in of_run], [name]) for name in kind.leading_estimate_names()]
        return [d for e in estimates if e is not None for d in of_run if d.of_second is e or _in_another_language(d, e)]

    def answer(self, run: str) -> Answer:
        """Return which of the first run and a later one is better, in one answer for all languages."""
        return combine_answers(self.answers[run])

    def by_language(self, run: str) -> dict[str, list[Difference]]:
        """Return the leading differences by language; "" stands for all of them together."""
        pooled = measure_type(self.measure).pooled
        leads = {_in_any_language(d.of_second) for d in self.leads(run)}
        groups: dict[str, list[Difference]] = {}
        for d in self.of(run):
            if _in_any_language(d.of_second) in leads or d.of_second.name in pooled:
                groups.setdefault(str(d.of_second.language or ""), []).append(d)
        for same in groups.values():
            replaced = {d.of_second.name.removesuffix("_pooled") for d in same if d.of_second.name in pooled}
            same[:] = [d for d in same if d.value is not None or d.of_second.name not in replaced]
        return groups

    @property
    def summary(self) -> str:
        """Which run is better, for each later run."""
        return " ".join(describe_answer(self.answer(run))[0] for run in self.pairs)

    @property
    def table(self) -> "pd.DataFrame":
        """The differences as one tidy DataFrame."""
        import pandas as pd

        return pd.json_normalize([d.to_json() | {"verdict": describe_difference(d)} for d in self.differences], sep="_")

    def to_json(self, **more: Any) -> str:
        """Return the comparison as JSON, with the additional fields in `more`."""
        shares = {run: dict(zip((self.first, run), paired.shares, strict=True)) for run, paired in self.pairs.items()}
        content = {
            "measure": self.measure,
            "summary": self.summary,
            # With several later runs, the last one is compared with the first.
            "answer": answer_json(self.answer(list(self.pairs)[-1])),
            "answers": [answer_json(answer) for run in self.pairs for answer in self.answers[run]],
            "runs": [
                {
                    "label": name,
                    "model": run.config["model"]["name"],
                    "folder": None if run.folder is None else str(run.folder),
                    "signature": run.signature,
                }
                for name, run in self.runs.items()
            ],
            "pairs": [
                {
                    "first": self.first,
                    "second": run,
                    "shared": len(self.pairs[run].first),
                    "dropped": {
                        name: {"unanswered": s.unanswered, "not_answered_by_the_other": s.unmatched}
                        for name, s in counts.items()
                    },
                }
                for run, counts in shares.items()
            ],
            "cautions": list(self.cautions),
            "differences": [d.to_json() | {"verdict": describe_difference(d)} for d in self.differences],
        }
        return json.dumps(content | more, ensure_ascii=False, indent=1)

    def _repr_html_(self) -> str | None:
        return DISPLAY().html(self)


def compare(*runs: str | Path | Result, allow_versions: bool = False, names: Sequence[str] = ()) -> Comparison:
    """Compare finished runs of one measure with the first of them.

    Only questions that both runs answered count. Intervals and p-values come from Student's t on paired differences and
    are corrected for all differences simultaneously (min-p).

    Args:
        runs: Folders or Results; the first is the baseline.
        allow_versions: Allow runs made with different versions of Genderscope.
        names: Unique names for the runs, in the same order; default: A, B, C …
    """
    with reading(*runs):
        return compared(comparable_runs(runs, allow_versions, names))


def compared(results: dict[str, Result], comparisons: int = 1) -> Comparison:
    """Compare results that are known to be comparable.

    `comparisons` is the number of such comparisons whose answers stand together, and for which they are corrected.
    """
    first, *later = results
    kind, options = measure_type(results[first].measure), options_of(results[first])
    if not kind.row_key:
        raise UserError(f"Runs of '{kind.id}' cannot be compared: the measure does not define how its rows are paired.")
    pairs = {name: pair(results[first], results[name], options) for name in later}
    unadjusted = [
        d
        for name in later
        if len(pairs[name].first)
        for d in _without_repeated_means(list(differences(kind, pairs[name], options, (first, name))))
    ]
    said = [caution for name in later for caution in cautions(results[first], results[name], (first, name))]
    said += [caution for name in later for caution in uncovered_stereotypes(results[first], pairs[name], (first, name))]
    meaningful = [replace(d, not_meaningful=_why_not_meaningful(d, results)) for d in adjusted_together(unadjusted)]
    comparison = Comparison(kind.id, results, pairs, tuple(meaningful), tuple(said))
    for name in later:
        comparison.answers[name] = _answers(comparison, name, options, comparisons * len(later))
    same = [name for name in later if _identical(unadjusted, name) and _alike(comparison.answers[name])]
    cautioned = [f"{first} and {name} have the same outcome on every shared question." for name in same]
    return replace(comparison, cautions=(*said, *cautioned))


def _alike(answers: Sequence[Answer]) -> bool:
    """Return whether two runs have the same value by every criterion."""
    return all(f.values[0] == f.values[1] for answer in answers for f in answer.findings)


def _answers(comparison: Comparison, name: str, options: Any, pairs: int) -> list[Answer]:
    """Return which of two runs is better, by the measure's criteria or, if it has none, by distance from neutral.

    Answers by criteria are corrected for the number of pairs here; differences have been already.
    """
    kind, names = measure_type(comparison.measure), (comparison.first, name)
    if kind.compares_by_criteria(options):
        from genderscope.comparison.criteria_comparison import answers_by_criteria

        return answers_by_criteria((comparison.runs[names[0]], comparison.runs[name]), names, options, pairs)
    by_language = comparison.by_language(name)
    if len(by_language) > 1:  # the mean across languages repeats them
        by_language.pop("", None)
    return answers_by_distance(kind, by_language, names)


def _why_not_meaningful(d: Difference, results: dict[str, Result]) -> str | None:
    """Return the first failed validity condition of either run; None if both values are meaningful."""
    for name, shared in ((d.first, d.of_first), (d.second, d.of_second)):
        own = next((e for e in results[name].as_estimates() if label(e) == label(shared)), shared)
        if (why := explain_failures(f"the value of {name}", judge_estimate(results[name], own).failures)) is not None:
            return why
    return None


def _in_any_language(estimate: Estimate) -> tuple[object, ...]:
    """Return what identifies an estimate apart from its language."""
    return estimate.name, *((key, value) for key, value in estimate.keys.items() if key != "language")


def _in_another_language(d: Difference, lead: Estimate) -> bool:
    """Return whether a difference is that of a leading estimate, in another language; a mean across them has none."""
    return lead.language is not None and _in_any_language(d.of_second) == _in_any_language(lead)


def _without_repeated_means(unadjusted: Sequence[Difference]) -> list[Difference]:
    """Drop means across languages that rest on a single language, because they repeat its values."""
    valued = [d.of_second for d in unadjusted if d.value is not None and d.of_second.language is not None]
    languages: dict[tuple[object, ...], int] = Counter(_in_any_language(e) for e in valued)
    means = [_in_any_language(d.of_second) for d in unadjusted if d.of_second.language is None]
    repeated = {mean for mean in means if languages.get(mean) == 1}
    return [d for d in unadjusted if d.of_second.language is not None or _in_any_language(d.of_second) not in repeated]


def _identical(unadjusted: Sequence[Difference], name: str) -> bool:
    of_run = [d for d in unadjusted if d.second == name]
    return bool(of_run) and all(d.sign.above == d.sign.below == 0 for d in of_run)


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
    test = d.for_model
    if d.further is not None and test.further_low is not None and test.further_high is not None:
        low, high = -test.further_high, -test.further_low
        numbers = {"gain": -d.further, "low": low, "high": high, "p": test.p_nearer_adjusted}
    if numbers and d.wide is not None and d.further_low is not None and d.further_high is not None:
        items = NarrowTest(-d.further_high, -d.further_low, d.p_nearer_adjusted)
        numbers |= {"over": d.wide.units, "items": items}
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
