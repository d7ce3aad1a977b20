"""Gates: conditions on a run's estimates that fail a build, such as `f_s > 0.1` or `delta(f_s[sk]).low > 0`."""

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from genderscope.comparison.comparing import Comparison
from genderscope.comparison.difference import distance, label
from genderscope.errors import UserError, did_you_mean
from genderscope.runs.result import Result
from genderscope.statistics.estimate import KEYS, Estimate

OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
FIELDS = ("value", "low", "high", "n", "unread", "coverage", "p")
FUNCTIONS = ("delta", "distance")
#: the share of all questions of a run that was read, which is no estimate
COVERAGE = "coverage"
#: The least share of its questions that an estimate must rest on: the caution for translations that show no gender
#: begins there too, and the published yields lie between 62 % and 95 %.
LEAST_COVERAGE = 0.5
SYNTAX = "write it as in 'f_s > 0.1', 'f_s[sk].high > 0.1', 'distance(g_s) > 0.2' or 'delta(f_s) > 0.02'"

_CONDITION = re.compile(
    r"""\s*(?: (?P<function>\w+) \s* \( )? \s*
    (?P<name>[^\W\d]\w*) \s* (?: \[ (?P<keys>[^\]]*) \] )? \s*
    (?P<close>\))? \s* (?: \. \s* (?P<field>\w+) )? \s*
    (?P<operator>>=|<=|>|<) \s* (?P<limit>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Condition:
    """What must not hold. `keys` are what the estimate is for; where they are None, all estimates of the name count."""

    text: str
    function: str | None
    name: str
    keys: tuple[str, ...] | None
    field: str
    operator: str
    limit: float

    def holds(self, value: float) -> bool:
        """Tell whether a value meets the condition, which is what fails the gate."""
        return OPERATORS[self.operator](value, self.limit)


@dataclass(frozen=True)
class Reading:
    """One number that a gate looks at, with what its message says of it."""

    name: str
    number: float | None
    coverage: float
    said: str


@dataclass(frozen=True)
class Gate:
    """The outcome of one condition: it failed for the given reasons, or passed with none."""

    condition: str
    failures: tuple[str, ...]
    readings: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return not self.failures


def parse(text: str) -> Condition:
    """Read a condition; what cannot be read is told in one sentence."""
    found = _CONDITION.fullmatch(text)
    if found is None or bool(found["function"]) != bool(found["close"]):
        raise UserError(f"The condition '{text}' cannot be read; {SYNTAX}.")
    function, field = found["function"], found["field"] or "value"
    if function is not None and function not in FUNCTIONS:
        raise UserError(
            f"The condition '{text}' has the function '{function}'; there are delta() and distance()."
            f"{did_you_mean(function, FUNCTIONS)}"
        )
    if field not in FIELDS:
        raise UserError(
            f"The condition '{text}' asks for '.{field}'; there is {', '.join(f'.{each}' for each in FIELDS)}."
            f"{did_you_mean(field, FIELDS)}"
        )
    if function == "distance" and field != "value":
        raise UserError(f"The condition '{text}' asks for '.{field}' of a distance, which has a value only.")
    keys = None if found["keys"] is None else tuple(k.strip() for k in found["keys"].split(",") if k.strip())
    return Condition(text, function, found["name"], keys, field, found["operator"], float(found["limit"]))


def check(
    conditions: Sequence[Condition],
    result: Result,
    comparison: Comparison | None = None,
    least_coverage: float = LEAST_COVERAGE,
) -> list[Gate]:
    """Hold conditions against a result, and those on differences against a comparison whose last run it is."""
    return [_gate(condition, _readings(condition, result, comparison), least_coverage) for condition in conditions]


def _gate(condition: Condition, readings: Sequence[Reading], least_coverage: float) -> Gate:
    failures = []
    for reading in readings:
        if reading.number is None:
            failures.append(f"{reading.name} has no {condition.field}")
        elif reading.coverage < least_coverage:
            failures.append(
                f"{reading.said} rests on {reading.coverage:.0%} of its questions, less than the {least_coverage:.0%} "
                "that --min-coverage asks for"
            )
        elif condition.holds(reading.number):
            failures.append(reading.said)
    return Gate(condition.text, tuple(failures), tuple(reading.said for reading in readings))


def _readings(condition: Condition, result: Result, comparison: Comparison | None) -> list[Reading]:
    if condition.function == "delta":
        if comparison is None:
            raise UserError(
                f"The condition '{condition.text}' is about a difference; give two runs to 'genderscope compare'."
            )
        return list(_differences(condition, comparison))
    if condition.name == COVERAGE and condition.keys is None:
        return [Reading(COVERAGE, result.coverage, 1.0, f"coverage = {result.coverage:.4g}")]
    chosen = _chosen(condition, result.as_estimates())
    return [_estimate(condition, e) for e in chosen]


def _estimate(condition: Condition, e: Estimate) -> Reading:
    coverage = e.n / (e.n + e.unread) if e.n + e.unread else 0.0
    if condition.function == "distance":
        far = distance(e)
        if e.neutral is None:
            raise UserError(f"The condition '{condition.text}': {e.name} has no neutral point to be distant from.")
        name, number = f"distance({label(e)})", None if far is None else abs(far)
    else:
        values: Mapping[str, float | None] = {COVERAGE: coverage}
        name = label(e) if condition.field == "value" else f"{label(e)}.{condition.field}"
        number = values.get(condition.field, getattr(e, condition.field, None))
    if e.stereotype is not None:
        name = f"{name} (stereotype {e.stereotype})"
    # A gate on the coverage itself is not stopped by low coverage.
    return Reading(name, number, 1.0 if condition.field == COVERAGE else coverage, f"{name} = {_told(number, e)}")


def _differences(condition: Condition, comparison: Comparison) -> Iterable[Reading]:
    last = list(comparison.pairs)[-1]
    found = {label(d.of_second): d for d in comparison.of(last)}
    for e in _chosen(condition, [d.of_second for d in found.values()]):
        d = found[label(e)]
        fields = {"value": d.value, "low": d.low, "high": d.high, "p": d.p_holm, "n": e.n}
        coverage = comparison.pairs[last].coverage
        fields[COVERAGE] = coverage
        if condition.field not in fields:
            raise UserError(f"The condition '{condition.text}': a difference has no '.{condition.field}'.")
        name = f"delta({label(e)})" + ("" if condition.field == "value" else f".{condition.field}")
        number = fields[condition.field]
        said = f"{name} = {'none' if number is None else format(number, '.4g')} ({d.second} against {d.first})"
        yield Reading(name, number, 1.0 if condition.field == COVERAGE else coverage, said)


def _chosen(condition: Condition, estimates: Sequence[Estimate]) -> list[Estimate]:
    """Return the estimates a condition is about; none is a mistake in the condition."""
    named = [e for e in estimates if e.name == condition.name]
    if not named:
        names = list(dict.fromkeys(e.name for e in estimates))
        raise UserError(
            f"The condition '{condition.text}' is about '{condition.name}', which is not among the estimates "
            f"{', '.join(names)}.{did_you_mean(condition.name, names)}"
        )
    found = [e for e in named if condition.keys is None or _matches(e, condition.keys)]
    if not found:
        there = list(dict.fromkeys(e.scope or _number(e) or "all" for e in named))
        wanted = ", ".join(condition.keys or ())
        raise UserError(
            f"The condition '{condition.text}': there is no {condition.name}[{wanted}]; it is there for "
            f"{'; '.join(there)}.{did_you_mean(wanted, there)}"
        )
    return found


def _matches(e: Estimate, keys: Sequence[str]) -> bool:
    """Tell whether an estimate is for all these keys, `sk` or `language=sk`; `all` is one that nothing narrows."""
    if list(keys) == ["all"]:
        return e.spans == 0
    for key in keys:
        name, equals, value = key.partition("=")
        if equals and name.strip() in KEYS:
            if str(getattr(e, name.strip())) != value.strip():
                return False
        elif key not in {str(getattr(e, each)) for each in KEYS if getattr(e, each) is not None}:
            return False
    return True


def _number(e: Estimate) -> str:
    return "" if e.stereotype is None else f"stereotype={e.stereotype}"


def _told(number: float | None, e: Estimate) -> str:
    if number is None:
        return "none"
    within = f" [{e.low:.4g}, {e.high:.4g}]" if number == e.value and e.low is not None and e.high is not None else ""
    return f"{number:.4g}{within}, n = {e.n:,}"
