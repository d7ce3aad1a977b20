"""Gates: conditions on a run's estimates that fail a build, such as `masculine_rate > 0.6` or `delta(f_s[sk]).low > 0`.

A condition without a field fails the build only if the whole interval meets the condition, so chance alone rarely
causes a failure; `.value` tests only the point estimate. The intervals and p-values of one call are simultaneous: those
of differences as `compare` reports them, those of a run's own estimates by Bonferroni's correction. Values, `delta(x)`,
`worse(x)` and `worse` are families of tests; if a build has several, in one call or for several runs of an audit, each
is also corrected for their number. If there is no effect, a build therefore fails at most 5 % of the time, regardless
of the number of conditions, languages, measures and models.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from genderscope.comparison.conditions import COVERAGE, LEAST_COVERAGE, WORSE, Condition, chosen, parse
from genderscope.comparison.gate_readings import (
    GateNumber,
    compared_readings,
    label_of,
    last_differences,
    own_readings,
)
from genderscope.comparison.run_comparison import Comparison
from genderscope.core.exit_codes import ExitCode, decisive
from genderscope.judgement import BENCHMARK, NOT_BEYOND_LIMIT, AnswerKind, corrected_for, describe_answer, on_items
from genderscope.measures import measure_type
from genderscope.runs import Result

__all__ = ["Gate", "check", "parse"]

#: operator -> its negation
OPPOSITE = {">": "≤", ">=": "<", "<": "≥", "<=": ">"}
#: fields that are tested even if the estimate is not meaningful
COUNTS = frozenset({"n", "unread", COVERAGE})


@dataclass(frozen=True)
class Gate:
    """Outcome of one condition, which passed, failed or could not be judged.

    A value that is not meaningful neither passes nor fails; `unjudged` gives the reasons, unless the user allows such
    values. `looks_at` names all tested estimates; `together` is the number of estimates in the multiplicity
    correction of the intervals.
    """

    condition: str
    failures: tuple[str, ...]
    readings: tuple[str, ...]
    looks_at: tuple[str, ...] = ()
    together: int = 1
    unjudged: tuple[str, ...] = ()
    #: changes beyond the limit that the intervals of differences include, even if the gate passed
    not_ruled_out: tuple[str, ...] = ()
    #: failures of the infrastructure, such as a server that serves another model
    infrastructure: tuple[str, ...] = ()
    #: what a ready-made condition protects against; empty for the user's own conditions
    protects_against: str = ""
    #: number of families of tests in the build, for which the intervals are corrected as well
    families: int = 1

    @property
    def required(self) -> str:
        """The requirement for the gate to pass: stereotype_rate ≤ 0.3 for the condition stereotype_rate > 0.3."""
        if self.condition.strip() == WORSE:
            return f"not {WORSE}"
        return re.sub("[<>]=?", lambda operator: OPPOSITE[operator[0]], self.condition, count=1)

    @property
    def passed(self) -> bool:
        """Whether nothing failed and everything could be judged."""
        return self.exit_code == ExitCode.PASSED

    @property
    def exit_code(self) -> ExitCode:
        """The exit code of a command that checks only this gate."""
        reasons = {
            ExitCode.INFRASTRUCTURE: self.infrastructure,
            ExitCode.LIMIT_EXCEEDED: self.failures,
            ExitCode.NOT_JUDGED: self.unjudged,
        }
        return decisive(code for code, given in reasons.items() if given)


def count_families(conditions: Sequence[Condition]) -> int:
    """Return how many families of tests there are: values, differences, distances from neutral, and `worse`."""
    tested = [c for c in conditions if c.uses_interval and (c.asks_answer or not c.of_run)]
    return len({(c.function if c.compares else None, c.asks_answer) for c in tested})


def check(
    conditions: Sequence[Condition],
    result: Result,
    comparison: Comparison | None = None,
    least_coverage: float = LEAST_COVERAGE,
    allow_unjudged: bool = False,
    over: str = BENCHMARK,
    families: int | None = None,
) -> list[Gate]:
    """Test conditions on a result; conditions on differences need a comparison whose last run is that result.

    Args:
        conditions: The conditions.
        result: The run that is tested.
        comparison: The comparison that has the differences.
        least_coverage: The smallest share of a value's questions that must have been answered.
        allow_unjudged: Whether values that are not meaningful are tested like any other.
        over: What intervals and p-values generalise over: `benchmark` for what the verdict on a model does, such as
            other stereotypes and templates, or `items` for other sentences with the same ones.
        families: The number of families of tests in the whole build; None if these conditions are all of it.
    """
    families = families or max(1, count_families(conditions))
    every = result.as_estimates()
    main = measure_type(result.measure).main_estimates(every)
    others = [] if comparison is None else [e for run in comparison.runs.values() for e in run.as_estimates()]
    own = [c for c in conditions if not c.compares and not c.of_run]
    tested = {c.text: chosen(c, main if c.keys is None else every, others) for c in own}
    looked_at = {label_of(e) for c in own if c.uses_interval for e in tested[c.text]}
    differences = last_differences(conditions, comparison, families)
    gates = []
    for condition in conditions:
        if condition.asks_answer:
            assert comparison is not None
            gates.append(_answer_gate(condition, comparison, allow_unjudged, over, families))
            continue
        if condition.compares:
            assert comparison is not None
            readings, together = (
                list(compared_readings(condition, differences, comparison, over)),
                len(comparison.differences),
            )
        elif condition.of_run:
            readings, together = [GateNumber(COVERAGE, result.coverage, 1.0, f"coverage = {result.coverage:.4g}")], 1
        else:
            together = max(1, len(looked_at)) if condition.uses_interval else 1
            number = families * together if condition.uses_interval else 1
            readings = own_readings(condition, tested[condition.text], number, result, others, over)
        if allow_unjudged:
            readings = [replace(reading, not_meaningful=None) for reading in readings]
        if not condition.uses_interval or condition.of_run:
            gates.append(_gate(condition, readings, least_coverage))
        else:
            gates.append(replace(_gate(condition, readings, least_coverage, together), families=families))
    return gates


def _answer_gate(condition: Condition, comparison: Comparison, allow_unjudged: bool, over: str, families: int) -> Gate:
    """Return the gate that fails if the first run is better than the last by any criterion, in any language."""
    last = list(comparison.pairs)[-1]
    failures: list[str] = []
    unjudged: list[str] = []
    said: list[str] = []
    answers = comparison.answers[last] if over == BENCHMARK else map(on_items, comparison.answers[last])
    for answer in (corrected_for(one, families) for one in answers):
        sentence = describe_answer(answer)[0].rstrip(".")
        if answer.kind is AnswerKind.CANNOT_JUDGE:
            (said if allow_unjudged else unjudged).append(sentence)
        elif any(finding.better == comparison.first for finding in answer.findings):
            failures.append(sentence)
        else:
            said.append(sentence)
    return Gate(condition.text, tuple(failures), tuple(said), unjudged=tuple(unjudged), families=families)


def _gate(condition: Condition, readings: Sequence[GateNumber], least_coverage: float, together: int = 1) -> Gate:
    failures, unjudged = [], []
    for reading in readings:
        if reading.not_meaningful is not None and condition.field not in COUNTS:
            unjudged.append(reading.not_meaningful)
        elif reading.is_needless:
            continue
        elif reading.number is None:
            unjudged.append(reading.missing or f"{reading.name} has no {condition.field or 'value'}")
        elif reading.coverage < least_coverage:
            failures.append(
                f"{reading.said} is based on {reading.coverage:.0%} of its questions, less than the "
                f"{least_coverage:.0%} required by --min-coverage"
            )
        elif condition.holds(reading.number) and not reading.chance:
            failures.append(reading.said)
    said = tuple(_told(condition, reading) for reading in readings)
    names = tuple(reading.name for reading in readings)
    missed = tuple(reading.not_ruled_out for reading in readings if reading.not_ruled_out is not None)
    return Gate(condition.text, tuple(failures), said, names, together, tuple(unjudged), missed)


def _told(condition: Condition, reading: GateNumber) -> str:
    """Describe a tested number, noting if it meets the condition but not significantly."""
    beyond = reading.chance and reading.number is not None and condition.holds(reading.number)
    return f"{reading.said}, {NOT_BEYOND_LIMIT}" if beyond else reading.said
