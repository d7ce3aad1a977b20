"""The numbers that gates test: a run's own estimates, or differences between two runs."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from genderscope.comparison.conditions import COVERAGE, Condition, chosen, estimate_names, unknown_estimate
from genderscope.comparison.difference import adjusted_together
from genderscope.comparison.run_comparison import Comparison
from genderscope.core.errors import UserError
from genderscope.judgement import BENCHMARK, LEVEL, Difference, distance, explain_failures, label, model_interval
from genderscope.measures import judge_estimate, measure_type
from genderscope.runs import Result
from genderscope.statistics.estimate import NOTHING_TO_RATE, Estimate
from genderscope.statistics.skewed_intervals import widening
from genderscope.statistics.student_intervals import FEWEST as FEWEST_GROUPS

Bounds = tuple[float | None, float | None]


@dataclass(frozen=True)
class GateNumber:
    """One number tested by a gate, with its description for messages."""

    name: str
    number: float | None
    coverage: float
    said: str
    #: whether the condition could be met by chance alone
    chance: bool = False
    #: why the number is not meaningful; None if it is
    not_meaningful: str | None = None
    #: why there is no number; None if there is one
    missing: str | None = None
    #: whether the number is not needed, so that the condition cannot be met
    is_needless: bool = False
    #: a change beyond the limit that a difference's interval includes; None if there is none
    not_ruled_out: str | None = None


def own_readings(
    condition: Condition,
    estimates: Sequence[Estimate],
    together: int,
    result: Result,
    others: Sequence[Estimate],
    over: str = BENCHMARK,
) -> list[GateNumber]:
    """Return the numbers of a run that a condition tests; the one without a number if the run lacks the estimate."""
    if not estimates and condition.name not in estimate_names(result.measure, others):
        raise unknown_estimate(condition, result.measure, (e.name for e in result.as_estimates()))
    scoped = [in_scope(e, over) for e in estimates]
    return [_judged(condition, e, together, result) for e in scoped] or [_missing(condition, result)]


def in_scope(e: Estimate, over: str) -> Estimate:
    """Return an estimate with the interval of a scope, and its degrees of freedom, as its only interval."""
    if over != BENCHMARK or e.wide_low is None or e.wide_high is None:
        return replace(e, wide_low=None, wide_high=None, wide_over=None)
    low, high = model_interval(e)
    # Runs of earlier versions did not store the degrees of freedom; take the fewest that a wide interval may have.
    return replace(e, low=low, high=high, freedom=e.wide_freedom or FEWEST_GROUPS - 1, skewness=None)


def _judged(condition: Condition, e: Estimate, together: int, result: Result) -> GateNumber:
    reading = _estimate(condition, e, together)
    not_meaningful = explain_failures(label_of(e), judge_estimate(result, e).failures)
    if e.is_needless and not_meaningful is None:
        return replace(reading, said=explain_needless(e), is_needless=True)
    missing = None
    if e.value is None:
        missing = explain_missing(condition, result)
    elif reading.number is None:
        why = f" ({e.remark})" if e.remark else ""
        missing = f"{label_of(e)} has no {condition.field}{why}; test another field"
    return replace(reading, not_meaningful=not_meaningful, missing=missing)


def _missing(condition: Condition, result: Result, name: str | None = None) -> GateNumber:
    why = explain_missing(condition, result, name)
    return GateNumber(condition.called(condition.name), None, 0.0, why, missing=why)


def _estimate(condition: Condition, e: Estimate, together: int) -> GateNumber:
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
    wide = f" for other {e.wide_units}" if e.wide_over is not None and condition.uses_interval else ""
    reading = _reading(condition, label_of(e), fields, f"{wide}, n = {e.n:,}")
    return replace(reading, chance=condition.field is None and not _supported(condition, fields))


def _refuse_no_neutral(condition: Condition, e: Estimate) -> None:
    if condition.function in {"distance", "worse"} and e.neutral is None:
        raise UserError(f"The condition '{condition.text}' tests a distance, but {e.name} has no neutral point.")


def _reading(condition: Condition, name: str, fields: Mapping[str, float | None], more: str) -> GateNumber:
    """Return the tested number; `more` follows it in messages."""
    name, number = condition.called(name), fields[condition.field or "value"]
    said = f"{name} = {_with_interval(number, (fields['low'], fields['high']), condition)}{more}"
    # A gate on the coverage itself does not fail because of low coverage.
    return GateNumber(name, number, 1.0 if condition.field == COVERAGE else fields[COVERAGE] or 0.0, said)


def _supported(condition: Condition, fields: Mapping[str, float | None]) -> bool:
    """Return whether the whole interval meets a condition; True if there is no interval."""
    return all(end is None or condition.holds(end) for end in (fields["low"], fields["high"]))


def _wider(e: Estimate, together: int) -> Bounds:
    """Return an estimate's Bonferroni-corrected interval; ratios are widened on the log scale."""
    if e.value is None or e.low is None or e.high is None or together <= 1:
        return e.low, e.high
    wider = widening(e.freedom or max(1, e.n - 1), e.skewness, LEVEL, LEVEL / together)
    ends = (e.low, wider.below), (e.high, wider.above)
    if e.neutral == 1 and min(e.low, e.value) > 0:
        low, high = (e.value * (end / e.value) ** factor for end, factor in ends)
        return low, high
    low, high = (e.value + factor * (end - e.value) for end, factor in ends)
    return (max(0.0, low), min(1.0, high)) if e.neutral == 0.5 else (low, high)


def _distances(value: float | None, low: float | None, high: float | None) -> dict[str, float | None]:
    """Return absolute distances from neutral; the lower limit is 0 if the interval includes the neutral point."""
    distances: dict[str, float | None] = {"value": None if value is None else abs(value), "low": None, "high": None}
    if low is not None and high is not None:
        distances |= {"low": max(0.0, low, -high), "high": max(abs(low), abs(high))}
    return distances


def last_differences(
    conditions: Sequence[Condition], comparison: Comparison | None, families: int = 1
) -> dict[str, Difference]:
    """Return the last run's differences by name, corrected for several families of tests if there are any.

    Raises:
        UserError: A condition needs differences and there is no comparison.
    """
    wanted = [c for c in conditions if c.compares]
    if not wanted:
        return {}
    if comparison is None:
        raise UserError(
            f"The condition '{wanted[0].text}' tests a difference; use 'genderscope compare' with two runs."
        )
    together = comparison.differences if families == 1 else adjusted_together(comparison.differences, families)
    last = list(comparison.pairs)[-1]
    return {label(d.of_second): d for d in together if d.second == last}


def compared_readings(
    condition: Condition, differences: Mapping[str, Difference], comparison: Comparison, over: str = BENCHMARK
) -> Iterator[GateNumber]:
    """Yield the differences between the last run and the first that a condition tests."""
    last = list(comparison.pairs)[-1]
    coverage = comparison.pairs[last].coverage
    own, others = (comparison.runs[name].as_estimates() for name in (last, comparison.first))
    compared = chosen(condition, [d.of_second for d in differences.values()], [*own, *others])
    if not compared:
        yield _not_compared(condition, [d.of_second for d in differences.values()], comparison)
    for e in compared:
        d = differences[label(e)]
        if d.not_meaningful is None and (needless := _needless(e, own)) is not None:
            yield GateNumber(condition.called(label(e)), None, coverage, explain_needless(needless), is_needless=True)
            continue
        _refuse_no_neutral(condition, e)
        fields = _fields(condition, d, over) | {"n": e.n, COVERAGE: coverage}
        if condition.field is not None and condition.field not in fields:
            raise UserError(
                f"The condition '{condition.text}' uses '.{condition.field}', which a difference does not have."
            )
        wide = f" for other {d.wide.units}" if d.wide is not None and over == BENCHMARK else ""
        wide = wide if condition.uses_interval else ""
        reading = _reading(condition, label(e), fields, f"{wide} ({d.second} against {d.first})")
        chance = condition.field is None and _could_be_chance(condition, d, fields)
        if d.value is None:
            reading = replace(reading, missing=explain_missing(condition, comparison.runs[last], last))
        missed = _not_ruled_out(condition, d, fields)
        yield replace(reading, chance=chance, not_meaningful=d.not_meaningful, not_ruled_out=missed)


def _needless(e: Estimate, own: Sequence[Estimate]) -> Estimate | None:
    """Return the run's own estimate with the label of a compared one if no limit on it is needed, otherwise None."""
    return next((other for other in own if label(other) == label(e) and other.is_needless), None)


def _not_compared(condition: Condition, compared: Sequence[Estimate], comparison: Comparison) -> GateNumber:
    """Return the reading of a condition on a difference that does not exist; raise if the name is never compared."""
    last = list(comparison.pairs)[-1]
    result = comparison.runs[last]
    headline = measure_type(comparison.measure).headline
    names = [*headline, *(e.name for e in compared)]
    if estimate_names(comparison.measure, compared).get(condition.name) not in names:
        raise unknown_estimate(condition, comparison.measure, names)
    own = [e for e in result.as_estimates() if e.is_called(condition.name)]
    needless = [e for e in own if e.is_needless and not judge_estimate(result, e).failures]
    if needless:
        return GateNumber(condition.called(condition.name), None, 1.0, explain_needless(needless[0]), is_needless=True)
    lacks = last if all(e.value is None for e in own) else comparison.first
    return _missing(condition, comparison.runs[lacks], lacks)


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


def _fields(condition: Condition, d: Difference, over: str) -> dict[str, float | None]:
    test = d.tested_over(over)
    if condition.function == "worse":
        return {"value": d.further, "low": test.further_low, "high": test.further_high, "p": test.p_nearer_adjusted}
    return {"value": d.value, "low": test.low, "high": test.high, "p": test.p_adjusted}


def _could_be_chance(condition: Condition, d: Difference, fields: Mapping[str, float | None]) -> bool:
    """Return whether a difference may meet the condition by chance, that is, whether part of its interval does not.

    False if even a zero difference would meet the condition, or if there is no interval.
    """
    none = 0.0 if condition.function == "worse" else d.neutral
    return not condition.holds(none) and not _supported(condition, fields)


def label_of(e: Estimate) -> str:
    """Return an estimate's label, including its stereotype."""
    return label(e) if e.stereotype is None else f"{label(e)} (stereotype {e.stereotype})"


def _with_interval(number: float | None, bounds: Bounds, condition: Condition) -> str:
    if number is None:
        return "none"
    low, high = bounds
    if condition.field not in {None, "value"} or low is None or high is None:
        return _digits(number)
    return f"{_digits(number)} [{_digits(low)}, {_digits(high)}]"


def _digits(number: float | None) -> str:
    return "none" if number is None or math.isnan(number) else format(number + 0.0, ".4g")


def explain_missing(condition: Condition, result: Result, name: str | None = None) -> str:
    """Say why the estimate that a condition is about has no value in a run, and what to do.

    Args:
        condition: The condition, which gives the estimate's name.
        result: The run.
        name: The run's name in a comparison; None if there is only one run.
    """
    run = "this run" if name is None else name
    wanted = condition.called(condition.name)
    named = [e for e in result.as_estimates() if e.is_called(condition.name)]
    overall = min(named, key=lambda e: e.number_of_keys, default=None)
    return f"{wanted} has no value in {run}: {_why(result, overall)}{_what_to_do(result)}"


def explain_needless(e: Estimate) -> str:
    """Say why an estimate without a value needs no limit."""
    nothing = (e.remark or "").partition(";")[0].removeprefix(NOTHING_TO_RATE)
    return f"{nothing}, so there is no {e.name.replace('_', ' ')} to limit"


def _why(result: Result, overall: Estimate | None) -> str:
    counts = result.counts
    if not counts.read:
        return f"none of its {counts.rows:,} answers could be interpreted"
    if overall is None:
        return f"its {counts.read:,} answers that could be interpreted do not allow this estimate"
    failures = judge_estimate(result, overall).failures
    return explain_failures("the estimate", failures) or overall.remark or "there are too few answers"


def _what_to_do(result: Result) -> str:
    return "" if result.folder is None else f"; look at the replies with 'genderscope show {result.folder} --full'"
