"""Gates: conditions on a run's estimates that fail a build, such as `masculine_rate > 0.6` or `delta(f_s[sk]).low > 0`.

A condition without a field fails the build only if the whole interval meets the condition, so chance alone rarely
causes a failure; `.value` tests only the point estimate. The intervals and p-values of one call are simultaneous: for
differences, they are the ones that `compare` reports; for a run's own estimates, they are Bonferroni-corrected. If
there is no effect, a build therefore fails at most 5 % of the time, regardless of the number of languages.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from genderscope.comparison.conditions import COVERAGE, LEAST_COVERAGE, Condition, chosen, parse
from genderscope.comparison.run_comparison import Comparison
from genderscope.core.errors import UserError
from genderscope.judgement import LEVEL, NOT_BEYOND_LIMIT, Difference, distance, explain_failures, label
from genderscope.measures import judge_estimate
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.quantiles import student_quantile

__all__ = ["Gate", "check", "parse"]

Ends = tuple[float | None, float | None]

#: operator -> its negation
OPPOSITE = {">": "≤", ">=": "<", "<": "≥", "<=": ">"}
#: fields that are tested even if the estimate is not meaningful
COUNTS = frozenset({"n", "unread", COVERAGE})


@dataclass(frozen=True)
class Reading:
    """One number tested by a gate, with its description for messages."""

    name: str
    number: float | None
    coverage: float
    said: str
    #: whether the condition could be met by chance alone
    chance: bool = False
    #: why the number is not meaningful; None if it is
    not_meaningful: str | None = None
    #: a change beyond the limit that a difference's interval includes; None if there is none
    not_ruled_out: str | None = None


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

    @property
    def required(self) -> str:
        """The requirement for the gate to pass: stereotype_rate ≤ 0.3 for the condition stereotype_rate > 0.3."""
        return re.sub("[<>]=?", lambda operator: OPPOSITE[operator[0]], self.condition, count=1)

    @property
    def passed(self) -> bool:
        """Whether nothing failed and everything could be judged."""
        return not self.failures and not self.unjudged


def check(
    conditions: Sequence[Condition],
    result: Result,
    comparison: Comparison | None = None,
    least_coverage: float = LEAST_COVERAGE,
    allow_unjudged: bool = False,
) -> list[Gate]:
    """Test conditions on a result; conditions on differences need a comparison whose last run is that result.

    With `allow_unjudged`, values that are not meaningful are tested like any other.
    """
    estimates = result.as_estimates()
    own = [c for c in conditions if not c.compares and not c.of_run]
    looked_at = {label_of(e) for c in own if c.doubts for e in chosen(c, estimates)}
    differences = _differences(conditions, comparison)
    found = []
    for condition in conditions:
        if condition.compares:
            assert comparison is not None
            readings, together = list(_compared(condition, differences, comparison)), len(comparison.differences)
        elif condition.of_run:
            readings, together = [Reading(COVERAGE, result.coverage, 1.0, f"coverage = {result.coverage:.4g}")], 1
        else:
            together = len(looked_at) if condition.doubts else 1
            readings = [_judged(condition, e, together, result) for e in chosen(condition, estimates)]
        if allow_unjudged:
            readings = [replace(reading, not_meaningful=None) for reading in readings]
        found.append(_gate(condition, readings, least_coverage, together if condition.doubts else 1))
    return found


def _gate(condition: Condition, readings: Sequence[Reading], least_coverage: float, together: int) -> Gate:
    failures, unjudged = [], []
    for reading in readings:
        if reading.not_meaningful is not None and condition.field not in COUNTS:
            unjudged.append(reading.not_meaningful)
        elif reading.number is None:
            failures.append(f"{reading.name} has no {condition.field or 'value'}")
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


def _told(condition: Condition, reading: Reading) -> str:
    """Describe a tested number, noting if it meets the condition but not significantly."""
    beyond = reading.chance and reading.number is not None and condition.holds(reading.number)
    return f"{reading.said}, {NOT_BEYOND_LIMIT}" if beyond else reading.said


def _judged(condition: Condition, e: Estimate, together: int, result: Result) -> Reading:
    failures = judge_estimate(result, e).failures
    return replace(_estimate(condition, e, together), not_meaningful=explain_failures(label_of(e), failures))


def _estimate(condition: Condition, e: Estimate, together: int) -> Reading:
    if condition.function == "distance" and condition.field == "p":
        raise UserError(f"The condition '{condition.text}' asks for the '.p' of a distance; use '.low' instead.")
    _refuse_no_neutral(condition, e)
    coverage = e.n / (e.n + e.unread) if e.n + e.unread else 0.0
    low, high = _wider(e, together)
    p = None if e.p is None else min(1.0, together * e.p)
    counts: dict[str, float | None] = {"n": e.n, "unread": e.unread, COVERAGE: coverage}
    fields = counts | {"value": e.value, "low": low, "high": high, "p": p}
    if condition.function == "distance":
        far = [None if v is None else distance(replace(e, value=v)) for v in (e.value, low, high)]
        fields |= _distances(*far)
    reading = _reading(condition, label_of(e), fields, f", n = {e.n:,}")
    return replace(reading, chance=condition.field is None and not _supported(condition, fields))


def _refuse_no_neutral(condition: Condition, e: Estimate) -> None:
    if condition.function in {"distance", "worse"} and e.neutral is None:
        raise UserError(f"The condition '{condition.text}' tests a distance, but {e.name} has no neutral point.")


def _reading(condition: Condition, name: str, fields: Mapping[str, float | None], more: str) -> Reading:
    """Return the tested number; `more` follows it in messages."""
    name, number = condition.called(name), fields[condition.field or "value"]
    said = f"{name} = {_with_interval(number, (fields['low'], fields['high']), condition)}{more}"
    # A gate on the coverage itself does not fail because of low coverage.
    return Reading(name, number, 1.0 if condition.field == COVERAGE else fields[COVERAGE] or 0.0, said)


def _supported(condition: Condition, fields: Mapping[str, float | None]) -> bool:
    """Return whether the whole interval meets a condition; True if there is no interval."""
    return all(end is None or condition.holds(end) for end in (fields["low"], fields["high"]))


def _wider(e: Estimate, together: int) -> Ends:
    """Return an estimate's Bonferroni-corrected interval; ratios are widened on the log scale."""
    if e.value is None or e.low is None or e.high is None or together <= 1:
        return e.low, e.high
    wider = _widening(e, together)
    if e.neutral == 1 and min(e.low, e.value) > 0:
        low, high = (e.value * (end / e.value) ** wider for end in (e.low, e.high))
        return low, high
    low, high = (e.value + wider * (end - e.value) for end in (e.low, e.high))
    return (max(0.0, low), min(1.0, high)) if e.neutral == 0.5 else (low, high)


def _widening(e: Estimate, together: int) -> float:
    """Return the factor by which an interval is widened for this number of estimates (Bonferroni)."""
    freedom = e.freedom or max(1, e.n - 1)
    return student_quantile(LEVEL / 2 / together, freedom) / student_quantile(LEVEL / 2, freedom)


def _distances(value: float | None, low: float | None, high: float | None) -> dict[str, float | None]:
    """Return absolute distances from neutral; the lower limit is 0 if the interval includes the neutral point."""
    found: dict[str, float | None] = {"value": None if value is None else abs(value), "low": None, "high": None}
    if low is not None and high is not None:
        found |= {"low": max(0.0, low, -high), "high": max(abs(low), abs(high))}
    return found


def _differences(conditions: Sequence[Condition], comparison: Comparison | None) -> dict[str, Difference]:
    """Return the last run's differences by name; raise if a condition needs them and there is no comparison."""
    wanted = [c for c in conditions if c.compares]
    if not wanted:
        return {}
    if comparison is None:
        raise UserError(
            f"The condition '{wanted[0].text}' tests a difference; use 'genderscope compare' with two runs."
        )
    return {label(d.of_second): d for d in comparison.of(list(comparison.pairs)[-1])}


def _compared(condition: Condition, differences: Mapping[str, Difference], comparison: Comparison) -> Iterator[Reading]:
    last = list(comparison.pairs)[-1]
    coverage = comparison.pairs[last].coverage
    for e in chosen(condition, [d.of_second for d in differences.values()]):
        d = differences[label(e)]
        _refuse_no_neutral(condition, e)
        fields = _fields(condition, d) | {"n": e.n, COVERAGE: coverage}
        if condition.field is not None and condition.field not in fields:
            raise UserError(
                f"The condition '{condition.text}' uses '.{condition.field}', which a difference does not have."
            )
        reading = _reading(condition, label(e), fields, f" ({d.second} against {d.first})")
        chance = condition.field is None and _could_be_chance(condition, d, fields)
        missed = _not_ruled_out(condition, d, fields)
        yield replace(reading, chance=chance, not_meaningful=d.not_meaningful, not_ruled_out=missed)


def _not_ruled_out(condition: Condition, d: Difference, fields: Mapping[str, float | None]) -> str | None:
    """Describe the largest change that meets the condition and that the difference's interval includes, if any."""
    rises = condition.operator.startswith(">")
    end = fields["high" if rises else "low"]
    if condition.field not in {None, "value", "low", "high"} or end is None or not condition.holds(end):
        return None
    name, none = label(d.of_second), 0.0 if condition.function == "worse" else d.neutral
    if end <= none if rises else end >= none:  # a condition such as delta(x) > -0.1 also covers changes for the better
        return None
    size = f"{abs(end):.2g}"
    if condition.function == "worse":
        return f"{name} is further from neutral by up to {size}{' on the log scale' if d.is_ratio else ''}"
    if d.is_ratio:
        return f"{name} is {'up to' if rises else 'only'} {size} times as high"
    return f"{name} is {'higher' if rises else 'lower'} by up to {size}"


def _fields(condition: Condition, d: Difference) -> dict[str, float | None]:
    if condition.function == "worse":
        return {"value": d.further, "low": d.further_low, "high": d.further_high, "p": d.p_nearer_adjusted}
    return {"value": d.value, "low": d.low, "high": d.high, "p": d.p_adjusted}


def _could_be_chance(condition: Condition, d: Difference, fields: Mapping[str, float | None]) -> bool:
    """Return whether a difference may meet the condition by chance, that is, whether part of its interval does not.

    False if even a zero difference would meet the condition, or if there is no interval.
    """
    none = 0.0 if condition.function == "worse" else d.neutral
    return not condition.holds(none) and not _supported(condition, fields)


def label_of(e: Estimate) -> str:
    """Return an estimate's label, including its stereotype."""
    return label(e) if e.stereotype is None else f"{label(e)} (stereotype {e.stereotype})"


def _with_interval(number: float | None, ends: Ends, condition: Condition) -> str:
    if number is None:
        return "none"
    low, high = ends
    if condition.field not in {None, "value"} or low is None or high is None:
        return _digits(number)
    return f"{_digits(number)} [{_digits(low)}, {_digits(high)}]"


def _digits(number: float | None) -> str:
    return "none" if number is None or math.isnan(number) else format(number + 0.0, ".4g")
