"""The names of the estimates that a measure can produce, whether or not a run has them."""

import re
from collections.abc import Iterable

from genderscope.comparison.conditions import Condition, chosen
from genderscope.core.errors import UserError, did_you_mean
from genderscope.measures import card_of, measure_type
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

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
