"""What holds for sixteen stereotypes at once: ranks, and p-values corrected for all of them."""

import numpy as np
import pytest
from benchmarks.simulated.gest import frame

from genderscope.measures.gest import PublishedRates, Rates
from genderscope.runs.result import estimates_from_frame, estimates_to_frame
from genderscope.statistics.ranks import pair_level, rank_intervals
from genderscope.statistics.simultaneous import DEVIATES, Family, deviates, holm
from genderscope.statistics.student_intervals import Error


def test_holms_correction():
    assert holm([0.01, None, 0.04, 0.03]) == pytest.approx([0.03, None, 0.06, 0.06])
    assert holm([None]) == [None]
    assert holm([0.9, 0.8]) == [1.0, 1.0]


def test_contrasts_are_corrected_for_what_varies_independently():
    drawn = deviates(4, DEVIATES).astype(np.float64)
    alike, apart = Family(), Family()
    alike.add(np.repeat(drawn[:1], 4, axis=0))
    apart.add(drawn)
    assert alike.adjusted(0.02) == pytest.approx(0.02, abs=0.002)
    assert apart.adjusted(0.02) == pytest.approx(1 - 0.98**4, abs=0.004)
    assert alike.tail == pytest.approx(0.05, abs=0.002)
    assert apart.tail == pytest.approx(1 - 0.95 ** (1 / 4), abs=0.001)


def test_more_values_need_stricter_tests_of_their_order():
    assert pair_level(2) == pytest.approx(0.1, abs=0.06)
    assert 0.1 / 120 < pair_level(16) < 0.002
    error = Error(1.0, 1000)
    two, many = [0.0, 3.2], [0.0, 3.2, *np.linspace(1, 2, 14)]
    assert rank_intervals(two, [error] * 2) == [(1, 1), (2, 2)]
    assert rank_intervals(many, [error] * 16)[0] == (1, 16)


def test_nearly_equal_values_may_all_be_first():
    generator = np.random.default_rng(6)
    missed = 0
    for _ in range(300):
        ends = rank_intervals(list(generator.normal(size=16)), [Error(1.0, 1000)] * 16)
        missed += ends[0][0] > 1
    assert missed <= 12


def test_every_stereotype_has_a_corrected_p():
    generator = np.random.default_rng(7)
    values = {i: generator.normal(1.0 if i == 9 else 0.0, 0.5, (20, 2)) for i in range(1, 17)}
    estimates = estimates_from_frame(estimates_to_frame(Rates(frame(values), 0, "log").estimates()))
    corrected = {
        e.stereotype: e.p_adjusted for e in estimates if e.name == "masculine_rate_by_stereotype" and e.template is None
    }
    assert corrected[9] < 0.001
    assert min(p for i, p in corrected.items() if i != 9) > 0.05
    assert {e.name for e in estimates if e.p_adjusted is not None} == {"masculine_rate_by_stereotype"}
    assert all(e.p_adjusted is None for e in PublishedRates(frame(values), 0, "log").estimates())
