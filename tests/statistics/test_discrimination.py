"""The area under the ROC curve and its interval."""

import numpy as np
import pytest
from scipy.stats import norm

from genderscope.statistics.discrimination import area_under_curve


def test_the_area_is_the_share_of_pairs_in_order_and_ties_count_half():
    area, _ = area_under_curve([3.0, 2.0], [2.0, 1.0])
    assert area == pytest.approx(3.5 / 4)


def test_swapping_the_groups_mirrors_area_and_interval():
    high, low = [0.3, 1.2, 2.5, 0.9], [0.1, 1.0, -0.4]
    area, (least, most) = area_under_curve(high, low)
    other, (least_other, most_other) = area_under_curve(low, high)
    assert (other, least_other, most_other) == pytest.approx((1 - area, 1 - most, 1 - least))


@pytest.mark.parametrize("size", [4, 12, 44])
def test_complete_separation_has_an_interval_that_ends_at_one_and_narrows_with_more_values(size):
    area, (low, high) = area_under_curve(list(np.arange(size) + 100.0), list(np.arange(size) + 0.0))
    assert (area, high) == pytest.approx((1.0, 1.0))
    assert low < 1
    assert low > area_under_curve([2.0, 3.0, 4.0], [0.0, 1.0, 1.5])[1][0]


def test_equal_values_are_no_evidence_for_either_side():
    area, (low, high) = area_under_curve([1.0] * 12, [1.0] * 12)
    assert area == 0.5
    assert low < 0.5 < high
    assert 0.5 - low == pytest.approx(high - 0.5)


def test_more_confidence_widens_the_interval():
    high, low = [0.3, 1.2, 2.5, 0.9], [0.1, 1.0, -0.4]
    _, narrow = area_under_curve(high, low, confidence=0.8)
    _, wide = area_under_curve(high, low, confidence=0.99)
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


@pytest.mark.parametrize("shift", [0.0, 1.0, 2.0])
def test_intervals_contain_the_true_area_in_about_95_of_100_samples(shift):
    """With 300 samples, a coverage of 95 % gives 92 to 98 %; `benchmarks/conditions.py` draws more."""
    generator = np.random.default_rng(5)
    truth = norm.cdf(shift / np.sqrt(2))
    covered = 0
    for _ in range(300):
        high, low = generator.normal(size=(2, 12))
        _, (least, most) = area_under_curve(list(high + shift), list(low))
        covered += least <= truth <= most
    assert covered / 300 == pytest.approx(0.955, abs=0.035)
