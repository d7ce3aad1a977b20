"""Every share, rate and probability, with all of its intervals, lies between 0 and 1, whatever the measure."""

import re

import pytest

from genderscope.measures import MEASURES
from genderscope.statistics.student_intervals import bounded_interval
from tests.measure_examples import MeasureExample, example_of
from tests.report.examples import result

#: names of shares and probabilities, whether or not they have a neutral point
BOUNDED = re.compile(r"share|accuracy|probability|yield|coverage|consistency|^mass")


def is_bounded(e):
    return e.neutral == 0.5 or (e.neutral is None and BOUNDED.search(e.name) is not None)


def test_every_measure_has_examples():
    assert all(isinstance(example_of(measure), MeasureExample) for measure in MEASURES)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("n", [8, 64])
def test_shares_and_probabilities_stay_between_0_and_1(measure, n):
    for e in result(measure, n=n).as_estimates():
        pairs = [(e.low, e.high), (e.wide_low, e.wide_high), (e.unread_low, e.unread_high)]
        for low, high in pairs:
            if low is not None and high is not None and e.value is not None:
                assert low <= e.value + 1e-12, e
                assert e.value <= high + 1e-12, e
                assert not is_bounded(e) or (low >= 0 and high <= 1), e
        assert not is_bounded(e) or e.value is None or 0 <= e.value <= 1, e


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-1.0, 1.0), (0.0, 100.0)])
@pytest.mark.parametrize("place", [0.001, 0.3, 0.999])
def test_an_interval_on_the_logit_scale_stays_within_its_bounds(bounds, place):
    low, high = bounds
    width = high - low
    value = low + place * width
    narrow, wide = (bounded_interval(value, half * width, bounds) for half in (1e-6, 10.0))
    assert low <= wide[0] < narrow[0] < value < narrow[1] < wide[1] <= high
    assert narrow == pytest.approx((value - 1e-6 * width, value + 1e-6 * width), abs=1e-8 * width)
    assert bounded_interval(high, 0.1, bounds) == (high, high)
