"""Checks of a whole run, whatever it measures: the age of its answers, and the model that gave them."""

from datetime import datetime, timedelta

from genderscope.comparison.gates import Gate
from genderscope.runs import Result, oldest_answer, other_models, when_given
from genderscope.util import clock

MAX_AGE, REQUIRE_FRESH, REQUIRE_MODEL = "--max-age", "--require-fresh", "--require-model"
#: how old fresh answers may be if they were given to an earlier command
FRESH = timedelta(hours=24)
_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)


def age_in_words(age: timedelta) -> str:
    """Write an age in days or, if it is short or no whole number of days, in hours."""
    if age >= 2 * _DAY and age % _DAY == timedelta(0):
        return f"{age // _DAY:,} days"
    return f"{age // _HOUR:,} hour{'' if age == _HOUR else 's'}"


def check_age(result: Result, most: timedelta) -> Gate:
    """Check that all answers of a run were given within this time."""
    return _since(result, clock.now() - most, MAX_AGE, f"more than {age_in_words(most)} ago")


def check_fresh(result: Result, started: datetime | None = None) -> Gate:
    """Check that a command that began at `started` asked all questions; if None, that they were asked in 24 hours."""
    if started is None:
        return _since(result, clock.now() - FRESH, REQUIRE_FRESH, f"more than {age_in_words(FRESH)} ago")
    return _since(result, started, REQUIRE_FRESH, "before this command began")


def _since(result: Result, moment: datetime, option: str, too_old: str) -> Gate:
    given, oldest = when_given(result.config), oldest_answer(result.config)
    if oldest is None:
        why = f"{given}; measure again with --fresh"
    elif oldest < moment:
        why = f"{given}, {too_old}; measure again with --fresh"
    else:
        return Gate(option, (), (given,))
    return Gate(option, (), (given,), unjudged=(why,))


def check_model(result: Result) -> Gate:
    """Check that the server named no other model than the requested one."""
    if (others := other_models(result)) is not None:
        return Gate(REQUIRE_MODEL, (), (others,), infrastructure=(others,))
    return Gate(REQUIRE_MODEL, (), (f"no answer names a model other than '{result.config['model']['name']}'",))
