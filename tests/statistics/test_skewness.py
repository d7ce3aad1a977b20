"""Intervals for means of skewed samples, and limits that allow for rare units."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from genderscope.judgement import Margin, Verdict, judge
from genderscope.measures.bbq.parts import bias_ambiguous
from genderscope.measures.gest.rates import Rates
from genderscope.measures.stereotype_rates import CORRECTED
from genderscope.statistics.rare_units import rare_limits
from genderscope.statistics.skewed_intervals import reach, student_equivalent, widening
from genderscope.statistics.skewness import pooled_skewness
from genderscope.statistics.student_intervals import Error, interval, p_of_mean


@pytest.mark.parametrize("skewness", [-0.8, -0.2, 0.0, 0.2, 0.8])
def test_limits_and_p_values_are_inverses(skewness):
    for t in (1.0, 2.0, 3.5):
        below, above = reach(t, skewness)
        assert student_equivalent(-below, skewness) == pytest.approx(t)
        assert student_equivalent(above, skewness) == pytest.approx(t)
    for value in (-0.5, -0.1, 0.1, 0.5):
        error = Error(0.04, 15.0, skewness)
        low, high = interval(value, error)
        assert (low > 0 or high < 0) == (p_of_mean(value, error) < 0.05)


def test_without_skewness_the_interval_is_students_to_the_last_digit():
    error = Error(0.3, 7.0)
    half = error.half_width()
    assert interval(1.1, error) == (1.1 - half, 1.1 + half)
    assert reach(2.5, 0.0) == (2.5, 2.5)
    assert widening(7.0, None, 0.05, 0.01).below == stats.t.isf(0.005, 7) / stats.t.isf(0.025, 7)


def test_corrected_limits_are_the_quantiles_of_the_t_statistic():
    generator = np.random.default_rng(0)
    n, level = 30, 0.025
    values = generator.exponential(size=(60_000, n)) - 1
    t = values.mean(axis=1) / values.std(axis=1, ddof=1) * math.sqrt(n)
    below, above = reach(stats.t.isf(level, n - 1), 2 / math.sqrt(n))
    assert (t > below).mean() == pytest.approx(level, abs=0.004)
    assert (-t > above).mean() == pytest.approx(level, abs=0.004)
    student = stats.t.isf(level, n - 1)
    assert (-t > student).mean() > 2 * level


def _rows(draw):
    """Rows of 16 stereotypes with one template."""
    parts = []
    for i in range(1, 17):
        log_ratios = draw(np.random.default_rng([7, i]))
        parts.append(pd.DataFrame({"stereotype": i, "sample": np.arange(len(log_ratios)), "log_ratio": log_ratios}))
    return pd.concat(parts, ignore_index=True).assign(template=3, unread=None)


def test_only_clearly_skewed_log_ratios_are_corrected():
    normal, skewed, long_tails = (
        Rates(_rows(draw), 0, "log").by_stereotype(None)
        for draw in (
            lambda g: g.normal(size=40),
            lambda g: g.exponential(size=40) - 1,
            lambda g: g.standard_t(3, size=40),
        )
    )
    for e in (*normal, *long_tails):
        assert e.skewness is None
        assert e.high - e.value == pytest.approx(e.value - e.low)
    for e in skewed:
        assert e.skewness > 0
        assert e.method.endswith(CORRECTED)
        assert "further towards masculine values" in e.remark
        assert e.high - e.value > e.value - e.low


def test_skewness_needs_more_than_a_few_extreme_values():
    generator = np.random.default_rng(3)
    one_outlier = [np.append(generator.normal(size=39), 40.0), *(generator.normal(size=40) for _ in range(7))]
    assert not pooled_skewness(one_outlier).is_clear
    assert pooled_skewness([generator.exponential(size=40) for _ in range(8)]).is_clear


def test_rare_limits_are_the_rule_of_three_and_clopper_pearson():
    weights = np.ones(29)
    assert rare_limits(np.zeros(29), weights) == pytest.approx((0.0, 1 - 0.05 ** (1 / 29)), abs=0.005)
    two = rare_limits(np.array([1.0] * 2 + [0.0] * 27), weights)
    assert two.high == pytest.approx(stats.beta.ppf(0.95, 3, 27), abs=0.01)
    assert two.low == pytest.approx(stats.beta.ppf(0.05, 2, 28), abs=0.01)


def _questions(biased, templates, each=40):
    """Ambiguous questions of templates, the first of which always get the biased answer, and the others never."""
    template = np.repeat(np.arange(templates), each)
    follows = (template < biased).astype(float)
    columns = {"biased": follows, "counter": 0.0, "unknown": 1 - follows}
    about = {"language": "en", "condition": "ambiguous", "truth": "unknown", "unread": 0, "refused": 0, "answers": 6}
    return pd.DataFrame({"template": template.astype(str), **columns, **about})


def test_templates_that_all_agree_show_no_effect():
    e = bias_ambiguous(_questions(0, 29)).estimate
    assert judge(e, Margin(0.05, most=1.0)).verdict is Verdict.NO_EFFECT
    assert "all templates agree" in e.remark


@pytest.mark.parametrize(("biased", "templates"), [(1, 29), (1, 45), (2, 60), (3, 100)])
def test_a_few_extreme_templates_widen_the_interval_on_their_side_and_block_no_effect(biased, templates):
    rate = bias_ambiguous(_questions(biased, templates))
    symmetric = rate.bounds_for(rate.error, rate.shares[0].units)
    e = rate.estimate
    assert "allows for further templates like them" in e.remark
    assert e.high > rate.shown(symmetric[1])
    assert e.low == pytest.approx(rate.shown(symmetric[0]))
    assert judge(e, Margin(0.05, most=1.0)).verdict is Verdict.INCONCLUSIVE
