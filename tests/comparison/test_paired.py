"""The statistics of a comparison: exact tests, and intervals that cover the truth."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from genderscope.comparison import MCNEMAR, parse
from genderscope.comparison.difference import in_family, p_nearer
from genderscope.comparison.gate_readings import own_readings
from genderscope.comparison.row_pairing import shared_by_all
from genderscope.judgement import Difference, describe_difference, summarise_difference
from genderscope.measures import STEREOTYPICAL, options_of
from genderscope.statistics.bootstrap import resampled_means
from genderscope.statistics.cluster_variance import Crossing, clustered
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.paired_comparison import Resampled, contrast, joint_distance, sign_test
from genderscope.statistics.pairwise_errors import pairwise_errors
from genderscope.statistics.simultaneous import Family
from genderscope.statistics.strata import Stratum, stratified
from genderscope.statistics.student_intervals import error_of_strata
from tests.report.examples import result as example


def drawn(values, neutral=0.0, seed=0, resamples=2000):
    """The mean of values as an estimate with its replicates."""
    replicates = resampled_means(np.asarray(values)[:, None], np.random.default_rng(seed), resamples)[:, 0]
    estimate = Estimate(
        name="stereotype_rate", value=float(np.mean(values)), n=len(values), unread=0, neutral=neutral, method="test"
    )
    return Resampled(estimate, float(np.mean(values)), replicates, [len(values)])


@pytest.mark.parametrize(("above", "below"), [(0, 0), (3, 0), (12, 4), (40, 41), (0, 9), (100, 60)])
def test_the_exact_mcnemar_test_is_the_binomial_one(above, below):
    first = np.array([0] * above + [1] * below + [1, 1, 0, 0], dtype=float)
    second = np.array([1] * above + [0] * below + [1, 1, 0, 0], dtype=float)
    found = sign_test(first, second)
    assert (found.above, found.below, found.equal) == (above, below, 4)
    if above + below == 0:
        assert (found.p, found.share) == (1, None)
        return
    # from the definition: twice the smaller tail of a fair coin
    n, k = above + below, min(above, below)
    tail = sum(math.comb(n, j) for j in range(k + 1)) / 2**n
    assert found.p == pytest.approx(min(1, 2 * tail))
    assert found.p == pytest.approx(stats.binomtest(above, n, 0.5).pvalue)
    assert found.low <= found.share <= found.high


def strata(values, sizes):
    """The mean over strata of values, each with equal weight."""
    parts = np.split(np.asarray(values, dtype=float), np.cumsum(sizes)[:-1])
    moved = stratified([Stratum(k, 1 / len(parts), part[:, None]) for k, part in enumerate(parts)])
    value = float(np.mean([part.mean() for part in parts]))
    estimate = Estimate(name="stereotype_rate", value=value, n=len(values), unread=0, neutral=0.0, method="test")
    return Resampled(estimate, value, given_influence=moved)


def test_p_is_below_five_per_cent_exactly_where_the_interval_excludes_zero():
    generator = np.random.default_rng(1)
    for _ in range(60):
        first, second = (strata(generator.normal(x, 1, 30), [4, 26]) for x in (0, generator.uniform(-0.6, 0.6)))
        found = contrast(first, second)
        low, high = found.interval()
        assert (found.p < 0.05) == (low > 0 or high < 0)


def test_one_stratum_is_the_paired_t_test():
    generator = np.random.default_rng(2)
    for k in range(8):
        a = generator.normal(0, 1, 20)
        b = a + generator.normal(0.1 * k, 0.8, 20)
        expected = stats.ttest_rel(b, a)
        found = contrast(strata(a, [20]), strata(b, [20]))
        assert found.p == pytest.approx(expected.pvalue)
        assert found.interval() == pytest.approx(tuple(expected.confidence_interval()))
        by_replicates = contrast(drawn(a, seed=k), drawn(b, seed=k))
        assert by_replicates.p == pytest.approx(expected.pvalue, rel=0.3, abs=0.02)


def test_two_strata_are_the_test_of_welch():
    generator = np.random.default_rng(3)
    a, b = generator.normal(0, 1, (2, 204))
    d = b - a
    expected = stats.ttest_ind(d[:4], -d[4:], equal_var=False)
    assert contrast(strata(a, [4, 200]), strata(b, [4, 200])).p == pytest.approx(expected.pvalue)


def test_strata_of_one_row_are_given_the_variance_of_the_others():
    generator = np.random.default_rng(5)
    values = generator.normal(size=24)
    for sizes in ([1, 23], [1, 1, 1, 21], [1] * 24):
        parts = np.split(values, np.cumsum(sizes)[:-1])
        expected = error_of_strata([(1 / len(parts), part[:, None]) for part in parts])
        error = strata(values, sizes).influence.error
        assert (error.variance, error.freedom) == pytest.approx((expected.variance, expected.freedom))


def test_shares_that_never_differ_still_have_an_interval():
    moved = stratified([Stratum(1, 1.0, np.ones((20, 1)))], reach=1.0)
    same = Resampled(Estimate(name="f", value=1, n=20, unread=0, neutral=0.5, method=""), 1.0, given_influence=moved)
    low, high = contrast(same, same).interval()
    exact = 1 - 0.025 ** (1 / 20)  # no more than that can differ if none of 20 does
    assert -low == pytest.approx(high)
    assert 0.5 < high / exact < 1.5


def test_the_errors_of_all_pairs_are_those_of_each():
    generator = np.random.default_rng(6)
    sizes = [1, 1, 5, 20]
    runs = [strata(generator.normal(size=27), sizes).influence for _ in range(3)]
    rows, columns = (generator.integers(0, 4, 40).astype(str) for _ in range(2))
    loads, sides = np.full(40, 0.1), np.repeat([0, 1], 20)
    crossings = [Crossing(generator.normal(size=40), loads, sides, rows, columns, imagined=0.1) for _ in range(3)]
    uneven = [clustered(generator.normal(size=40), loads, rows, 1.0) for _ in range(3)]
    every: list[list[Any]] = [runs, crossings, uneven]
    for influences in every:
        for sign in (1.0, -1.0):
            found = pairwise_errors(influences, sign)
            for i, j in ((0, 1), (2, 0)):
                error = influences[i].plus(influences[j], sign).error
                assert (found.variance[i, j], found.freedom[i, j]) == pytest.approx((error.variance, error.freedom))


def test_pairing_takes_out_what_both_systems_share():
    generator = np.random.default_rng(4)
    hard = generator.normal(0, 1, 40)
    first, second = (strata(hard + generator.normal(0, 0.5, 40), [10, 30]) for _ in range(2))
    apart = first.influence.error.variance + second.influence.error.variance
    assert contrast(first, second).error.variance < 0.5 * apart


def test_whoever_is_nearer_to_neutral_is_told_by_difference_and_sum():
    generator = np.random.default_rng(5)
    noise = generator.normal(0, 0.05, 200)
    near, far, against = drawn(noise + 0.1), drawn(noise + 0.5), drawn(noise - 0.5)
    assert contrast(near, far).interval()[0] > 0
    assert joint_distance(near, far).interval()[0] > 0  # both positive: far is further away
    assert joint_distance(near, against).interval()[1] < 0
    assert not abs(joint_distance(far, against).value) > 0.02  # as far on either side


def difference(one, other, p=0.001, p_nearer=0.001, neutral=0.0, ratio=False, spread=0.02):
    first, second = (
        Estimate(
            name="stereotype_rate",
            value=v,
            low=v - spread,
            high=v + spread,
            n=100,
            unread=0,
            neutral=neutral,
            method="test",
        )
        for v in (one, other)
    )
    value = other / one if ratio else other - one
    test = sign_test(np.zeros(1), np.zeros(1))
    return Difference(
        "A", "B", first, second, STEREOTYPICAL, value, value - 0.03, value + 0.03, 1.0 if ratio else 0.0,
        p, MCNEMAR, p_nearer, test, MCNEMAR, 100, p, p_nearer,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other", "more", "said"),
    [
        (0.20, 0.12, {}, "B is less stereotypical than A: Δstereotype_rate = −0.080 [−0.110, −0.050], p = 0.001."),
        (0.12, 0.20, {}, "B is more stereotypical than A: Δstereotype_rate = +0.080"),
        (-0.20, -0.12, {}, "B is less anti-stereotypical than A: Δstereotype_rate = +0.080"),
        (-0.12, -0.20, {}, "B is more anti-stereotypical than A: Δstereotype_rate = −0.080"),
        (
            0.40,
            -0.10,
            {},
            "B is less stereotypical than A, but on the other side of the neutral point: Δstereotype_rate = −0.500",
        ),
        (0.40, -0.01, {}, "B is less stereotypical than A: Δstereotype_rate = −0.410"),
        (0.10, -0.40, {}, "B is more anti-stereotypical than A, but on the other side of the neutral point"),
        (
            -0.05,
            0.04,
            {"p_nearer": 0.6},
            "B is more stereotypical than A, but they lie on opposite sides of the neutral point and neither is "
            "significantly nearer to neutral: Δstereotype_rate = +0.090",
        ),
        (
            0.04,
            -0.05,
            {"p_nearer": 0.6, "spread": 0.06},
            "B is more anti-stereotypical than A, but neither is significantly nearer to neutral",
        ),
        (0.10, 0.11, {"p": 0.4}, "No significant difference between A and B: Δstereotype_rate = +0.010"),
        (
            1.30,
            1.10,
            {"neutral": 1.0, "ratio": True},
            "B is less stereotypical than A: stereotype_rate of B / A = 0.846 [",
        ),
        (
            0.80,
            0.90,
            {"neutral": 1.0, "ratio": True},
            "B is less anti-stereotypical than A: stereotype_rate of B / A = 1.125",
        ),
        # on the log scale 0.5 is as far as 2, so 0.6 is further away than 1.5
        (0.60, 1.50, {"neutral": 1.0, "ratio": True}, "B is less anti-stereotypical than A, but on the other side"),
    ],
)
def test_verdicts_are_true_on_both_sides_of_the_neutral_point(one, other, more, said):
    assert describe_difference(difference(one, other, **more)).startswith(said)


def test_too_few_questions_are_said_to_be_too_few():
    d = difference(0.1, 0.2, p=None, p_nearer=None)
    assert "A and B share too few questions to estimate a difference in stereotype_rate" in describe_difference(d)


def test_zero_has_no_sign():
    assert "Δstereotype_rate = 0.000 [−0.030, +0.030]" in summarise_difference(difference(0.1, 0.1))


def test_a_run_is_nearer_to_neutral_only_if_both_tests_say_so():
    first, second = drawn([0.4, 0.5, 0.7, 0.6, 0.3]), drawn([0.1, 0.3, 0.2, 0.6, 0.2])
    apart, joint = contrast(first, second), joint_distance(first, second)
    assert apart.p > joint.p
    assert p_nearer(apart, joint) == p_nearer(joint, apart) == apart.p
    assert p_nearer(contrast(first, first), joint) == 1, "equally far"
    assert p_nearer(None, joint) is None


def test_several_families_are_corrected_for_their_number():
    apart = contrast(drawn([0.4, 0.5, 0.7, 0.6, 0.3]), drawn([0.1, 0.3, 0.2, 0.6, 0.2]))
    ends, p = in_family(apart, Family())
    assert p == apart.p
    wider, corrected = in_family(apart, Family(), families=3)
    assert corrected == pytest.approx(3 * p)
    assert wider[0] < ends[0] < ends[1] < wider[1]
    assert in_family(apart, Family(), families=10**6)[1] == 1


def test_runs_are_ranked_on_what_they_share_if_that_is_half_of_the_rows_or_more():
    whole = example("gest", n=64)
    many, few = (replace(whole, rows=whole.rows[whole.rows["sample"] < last]) for last in (20, 8))
    options = options_of(whole)
    kept, rows = shared_by_all([whole, many, few], options)
    assert kept == [0, 1]
    assert [sorted(set(side["sample"])) for side in rows] == [list(range(20))] * 2
    assert shared_by_all([whole, few], options) == ([], [])


@pytest.mark.parametrize(("p", "corrected"), [(0.01, 0.03), (0.6, 1)])
def test_a_gate_on_p_is_corrected_for_what_is_tested_with_it(p, corrected):
    run = example("gest")
    tested = replace(run.as_estimates()[0], name="stereotype_rate", p=p)
    for together, expected in ((1, p), (3, corrected)):
        (reading,) = own_readings(parse("stereotype_rate.p < 0.05"), [tested], together, run, [])
        assert reading.number == pytest.approx(expected)
