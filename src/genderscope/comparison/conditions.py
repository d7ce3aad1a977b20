"""What a build checks, as the user writes it: checks of a whole run, and conditions on estimates in gate syntax.

Conditions such as `stereotype_rate > 0.1` or `delta(stereotype_rate[sk]).low > 0` name an estimate, also by the paper's
symbol: `worse(g_s).high > 0.05`.
"""

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from genderscope.core.errors import UserError, did_you_mean, require_known
from genderscope.measures import card_of, measure_type
from genderscope.runs import Result
from genderscope.samples.gest import STEREOTYPES
from genderscope.statistics.estimate import KEYS, Estimate

#: purposes with ready-made conditions
PURPOSES = ("release",)
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def parse_age(text: str) -> timedelta:
    """Parse an age such as 12h, 7d or 2w."""
    match = re.fullmatch(r"\s*(\d{1,5})\s*([hdw])\s*", text)
    if match is None or int(match[1]) == 0:
        raise UserError(f"The maximum age is '{text}'; write a number of hours, days or weeks, such as 12h, 7d or 2w.")
    return int(match[1]) * _UNITS[match[2]]


@dataclass(frozen=True)
class RunChecks:
    """The checks of a whole run that the user asked for."""

    purpose: str | None = None
    max_age: timedelta | None = None
    require_fresh: bool = False
    require_model: bool = False

    @classmethod
    def of(
        cls, purpose: str | None, max_age: str | None, require_fresh: bool = False, require_model: bool = False
    ) -> "RunChecks":
        """Parse and check the user's choices."""
        if purpose is not None:
            require_known("purpose", purpose, PURPOSES)
        return cls(purpose, None if max_age is None else parse_age(max_age), require_fresh, require_model)

    def overridden(self, other: "RunChecks") -> "RunChecks":
        """Return the checks with those of `other` added, whose age replaces this one."""
        return RunChecks(
            other.purpose or self.purpose,
            other.max_age or self.max_age,
            other.require_fresh or self.require_fresh,
            other.require_model or self.require_model,
        )

    def __bool__(self) -> bool:
        return self != RunChecks()


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


#: the table of estimates in a card; the first cell of each row contains one name or several
_TABLE = re.compile(r"^\| name \|.*\n((?:\|.*\n?)*)", re.MULTILINE)
_NAME = re.compile(r"`([^\W\d]\w*)`")


def estimate_names(measure: str, estimates: Iterable[Estimate] = ()) -> dict[str, str]:
    """Return the names and symbols of a measure's estimates, each with its name; `estimates` come from other runs."""
    kind = measure_type(measure)
    names = [*kind.headline, *kind.margins, *kind.pooled, *kind.symbols, *(e.name for e in estimates)]
    rows = [row for table in _TABLE.findall(_card(measure)) for row in table.splitlines()]
    names += [name for row in rows for name in _NAME.findall(row.split("|")[1])]
    return {symbol: name for name, symbol in kind.symbols.items()} | {name: name for name in names}


def _card(measure: str) -> str:
    """Return a measure's card; empty for a plugin without one."""
    try:
        return card_of(measure)
    except UserError:
        return ""


def unknown_estimate(condition: Condition, measure: str, names: Iterable[str]) -> UserError:
    """Build the error for a condition on a name that is not among the names of a measure's estimates."""
    listed = list(dict.fromkeys(names))
    among = f"the estimates {', '.join(listed)}" if listed else f"the estimates of '{measure}'"
    return UserError(
        f"The condition '{condition.text}' is about '{condition.name}', which is not among {among}."
        f"{did_you_mean(condition.name, [*listed, *estimate_names(measure)])}"
    )


def refuse_unknown(conditions: Iterable[Condition], result: Result, *others: Result) -> None:
    """Raise a UserError for a condition on what is no estimate, before any numerical library is imported.

    An estimate that the measure or one of the other runs has, but not this run, is known: its value is missing.
    """
    estimates = result.as_estimates()
    elsewhere = [e for other in others for e in other.as_estimates()]
    for condition in conditions:
        if condition.of_run:
            continue
        if condition.name not in estimate_names(result.measure, [*estimates, *elsewhere]):
            raise unknown_estimate(condition, result.measure, (e.name for e in estimates))
        if not condition.compares:
            chosen(condition, estimates, elsewhere)
