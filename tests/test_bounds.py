"""Every share, rate and probability, with all of its intervals, lies between 0 and 1, whatever the measure."""

import re

import pytest

from genderscope.measures import MEASURES
from tests.report.examples import MAKERS, result

#: names of shares and probabilities, whether or not they have a neutral point
BOUNDED = re.compile(r"share|accuracy|probability|yield|coverage|consistency|^mass")


def is_bounded(e):
    return e.neutral == 0.5 or (e.neutral is None and BOUNDED.search(e.name) is not None)


def test_every_measure_has_examples():
    assert set(MAKERS) == set(MEASURES)


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
