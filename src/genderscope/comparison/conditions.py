"""Conditions on estimates, in gate syntax: `stereotype_rate > 0.1`, `delta(stereotype_rate[sk]).low > 0`.

An estimate may also be given by the paper's symbol: `worse(g_s).high > 0.05`.
"""

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from genderscope.core.errors import UserError, did_you_mean
from genderscope.samples.gest import STEREOTYPES
from genderscope.statistics.estimate import KEYS, Estimate

OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
FIELDS = ("value", "low", "high", "n", "unread", "coverage", "p")
#: as a function, how much further from neutral the last run is; on its own, whether it is worse in any respect
WORSE = "worse"
FUNCTIONS = ("delta", "distance", WORSE)
#: the share of a run's questions with a usable answer, which conditions can test although it is not an estimate
COVERAGE = "coverage"
#: The minimum coverage of an estimate. The caution about translations that show no gender uses the same threshold;
#: published yields are between 62 % and 95 %.
LEAST_COVERAGE = 0.5
SYNTAX = (
    "write a condition such as 'stereotype_rate > 0.1', 'stereotype_rate[sk].high > 0.1', "
    "'distance(stereotype_rate) > 0.2', 'delta(stereotype_rate) > 0.02' or, to compare two runs, 'worse'"
)

_CONDITION = re.compile(
    r"""\s* (?P<functions>(?:\w+\s*\(\s*)*)
    (?P<name>[^\W\d]\w*) \s* (?: \[ (?P<keys>[^\]]*) \] )?
    (?P<close>(?:\s*\))*) \s* (?: \. \s* (?P<field>\w+) )? \s*
    (?P<operator>>=|<=|>|<) \s* (?P<limit>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Condition:
    """Condition that fails a gate if it is met. `keys` select the estimate; None selects all estimates of that name.

    `function` is delta, distance, worse (delta of distance) or None; `field` is None if not given.
    """

    text: str
    function: str | None
    name: str
    keys: tuple[str, ...] | None
    field: str | None
    operator: str
    limit: float

    def holds(self, value: float) -> bool:
        """Return whether a value meets the condition and thus fails the gate."""
        return OPERATORS[self.operator](value, self.limit)

    @property
    def compares(self) -> bool:
        """Whether the condition is about the difference between two runs."""
        return self.function in {"delta", "worse"}

    @property
    def asks_answer(self) -> bool:
        """Whether the condition is that the last run is worse than the first by any criterion of its measure."""
        return self.function == WORSE and not self.name

    @property
    def uses_interval(self) -> bool:
        """Whether the condition uses an interval or a p-value, which is then corrected for multiple comparisons."""
        return self.field in {"low", "high", "p", None}

    @property
    def of_run(self) -> bool:
        """Whether the condition is about the run as a whole, not about an estimate."""
        return self.asks_answer or (self.name == COVERAGE and self.keys is None)

    def called(self, label: str) -> str:
        """Return the name of the tested quantity for one estimate."""
        inner = f"{self.function}({label})" if self.function else label
        return inner if self.field in {None, "value"} else f"{inner}.{self.field}"


def parse(text: str) -> Condition:
    """Parse a condition; raise a UserError if that fails."""
    if text.strip() == WORSE:
        return Condition(text, WORSE, "", None, None, ">", 0.0)
    match = _CONDITION.fullmatch(text)
    named = () if match is None else tuple(part.strip() for part in match["functions"].split("(")[:-1])
    if match is None or len(named) != match["close"].count(")"):
        raise UserError(f"The condition '{text}' cannot be parsed; {SYNTAX}.")
    for function in named:
        if function not in FUNCTIONS:
            raise UserError(
                f"The condition '{text}' uses the unknown function '{function}'; available: delta(), "
                "distance() and worse()."
                f"{did_you_mean(function, FUNCTIONS)}"
            )
    if len(named) > 1 and named != ("delta", "distance"):
        raise UserError(f"The condition '{text}' cannot be parsed: the only nesting allowed is delta(distance(…)).")
    field = match["field"]
    if field is not None and field not in FIELDS:
        raise UserError(
            f"The condition '{text}' uses the unknown field '.{field}'; available: "
            f"{', '.join(f'.{field_name}' for field_name in FIELDS)}.{did_you_mean(field, FIELDS)}"
        )
    function = "worse" if len(named) > 1 else next(iter(named), None)
    keys = None if match["keys"] is None else tuple(k.strip() for k in match["keys"].split(",") if k.strip())
    return Condition(text, function, match["name"], keys, field, match["operator"], float(match["limit"]))


def chosen(condition: Condition, estimates: Sequence[Estimate], others: Sequence[Estimate] = ()) -> list[Estimate]:
    """Return the estimates of its name that a condition applies to.

    The list is empty if this run has no estimate of that name, or only the `others`, those of the run that it is
    compared with, have the keys. Raise a UserError if no run has the keys.
    """
    named = [e for e in estimates if e.is_called(condition.name)]
    matching = [e for e in named if condition.keys is None or _matches(e, condition.keys)]
    elsewhere = [e for e in others if e.is_called(condition.name) and _matches(e, condition.keys or ())]
    if named and not matching and not elsewhere:
        there = list(dict.fromkeys(e.scope or _number(e) or "all" for e in named))
        wanted = ", ".join(condition.keys or ())
        names = [f"{prefix}{name}" for prefix in ("", "stereotype=") for e in named if (name := _stereotype_name(e))]
        raise UserError(
            f"The condition '{condition.text}' is about {condition.name}[{wanted}], which does not exist; available "
            f"for {condition.name}: {'; '.join(there)}.{did_you_mean(wanted, [*there, *names])}"
        )
    return matching


def _matches(e: Estimate, keys: Sequence[str]) -> bool:
    """Return whether an estimate has all these keys (`sk` or `language=sk`); `all` matches an estimate without keys."""
    if list(keys) == ["all"]:
        return e.number_of_keys == 0
    return all(_is_for(e, key) for key in keys)


def _is_for(e: Estimate, key: str) -> bool:
    name, equals, value = (part.strip() for part in key.partition("="))
    if equals and (name in KEYS or name in e.keys):
        return str(e.keys.get(name)) == value or (name == "stereotype" and value == _stereotype_name(e))
    return key in map(str, e.keys.values()) or key == _stereotype_name(e)


def _stereotype_name(e: Estimate) -> str | None:
    return None if e.stereotype is None else STEREOTYPES.get(e.stereotype)


def _number(e: Estimate) -> str:
    return "" if e.stereotype is None else f"stereotype={e.stereotype}"
