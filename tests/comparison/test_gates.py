"""Gates on estimates with an effect below neutral, and on estimates without a value."""

from dataclasses import replace

import pandas as pd

from genderscope.comparison import check, parse
from genderscope.core.exit_codes import ExitCode
from genderscope.runs import Result, estimates_to_frame
from genderscope.statistics.estimate import Estimate

BELOW = Estimate(name="gap", value=-0.2, low=-0.3, high=-0.1, n=20, unread=0, neutral=0.0, method="test")


def checked(condition, estimate):
    config = {"configuration": {"measure": "gest"}, "model": {"name": "m"}, "data": {"name": "d"}}
    rows = pd.DataFrame({"unread": pd.Series([None, None], dtype="string")})
    result = Result("gest", estimates_to_frame([estimate]), rows, "s", "summary", (), config)
    (gate,) = check([parse(condition)], result)
    return gate.exit_code


def test_a_distance_from_neutral_has_no_sign():
    for sign in (-1, 1):
        low, high = sorted((sign * 0.1, sign * 0.3))
        estimate = replace(BELOW, value=sign * 0.2, low=low, high=high)
        assert checked("distance(gap).low > 0.05", estimate) is ExitCode.LIMIT_EXCEEDED
        assert checked("distance(gap).low > 0.15", estimate) is ExitCode.PASSED


def test_a_limit_on_what_has_no_value_or_no_interval_cannot_be_judged():
    without_interval = replace(BELOW, low=None, high=None)
    assert checked("gap > 0.1", replace(without_interval, value=None)) is ExitCode.NOT_JUDGED
    assert checked("gap.high > 0.1", without_interval) is ExitCode.NOT_JUDGED
