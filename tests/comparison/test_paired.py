"""The statistics of a comparison: exact tests, and intervals that cover the truth."""

import math

import numpy as np
import pytest
from scipy import stats

from genderscope.comparison import MCNEMAR, Difference
from genderscope.judgement import describe_difference, summarise_difference
from genderscope.measures import STEREOTYPICAL
from genderscope.statistics.bootstrap import interval, resampled_means
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.paired import Resampled, contrast, joint_distance, sign_test, two_sided_p


def drawn(values, neutral=0.0, seed=0, resamples=2000):
    """The mean of values as an estimate with its replicates."""
    replicates = resampled_means(np.asarray(values)[:, None], np.random.default_rng(seed), resamples)[:, 0]
    estimate = Estimate(
        name="f_s", value=float(np.mean(values)), n=len(values), unread=0, neutral=neutral, method="test"
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


def test_p_is_below_five_per_cent_where_the_interval_excludes_zero():
    generator = np.random.default_rng(1)
    for k in range(60):
        found = drawn(generator.normal(generator.uniform(-0.6, 0.6), 1, 30), seed=k)
        low, high = interval(found.replicates, found.sizes)
        p = two_sided_p(found.value, found.replicates, found.sizes)
        if abs(p - 0.05) > 0.003:  # at the edge one replicate more or less decides
            assert (p < 0.05) == (low > 0 or high < 0)


def test_p_agrees_with_the_paired_t_test_on_normal_data():
    generator = np.random.default_rng(2)
    for k in range(8):
        a = generator.normal(0, 1, 80)
        b = a + generator.normal(0.1 * k, 0.8, 80)
        found = contrast(drawn(a, seed=k), drawn(b, seed=k)).contrast
        expected = stats.ttest_rel(b, a).pvalue
        assert found.p == pytest.approx(expected, rel=0.5, abs=0.03)


def test_the_paired_interval_covers_the_truth_as_often_as_it_says():
    generator = np.random.default_rng(4)
    covered, widths, unpaired = 0, 0.0, 0.0
    runs = 300
    for k in range(runs):
        hard = generator.normal(0, 1, 40)  # what is hard for both systems
        a, b = (hard + generator.normal(shift, 0.5, 40) for shift in (0.0, 0.3))
        first, second = (drawn(x, seed=k, resamples=500) for x in (a, b))
        found = contrast(first, second).contrast
        covered += found.low <= 0.3 <= found.high
        widths += found.high - found.low
        apart = drawn(b, seed=k + 10_000, resamples=500).replicates - first.replicates
        low, high = interval(apart, [40, 40])
        unpaired += high - low
    assert 0.91 <= covered / runs <= 0.985
    assert widths < 0.7 * unpaired, "pairing must take out what both systems share"


def test_whoever_is_nearer_to_neutral_is_told_by_difference_and_sum():
    generator = np.random.default_rng(5)
    noise = generator.normal(0, 0.05, 200)
    near, far, against = drawn(noise + 0.1), drawn(noise + 0.5), drawn(noise - 0.5)
    assert contrast(near, far).contrast.low > 0
    assert joint_distance(near, far).contrast.low > 0  # both positive: far is further away
    assert joint_distance(near, against).contrast.high < 0
    assert not abs(joint_distance(far, against).contrast.value) > 0.02  # as far on either side


def difference(one, other, p=0.001, p_nearer=0.001, neutral=0.0, ratio=False, spread=0.02):
    first, second = (
        Estimate(name="f_s", value=v, low=v - spread, high=v + spread, n=100, unread=0, neutral=neutral, method="test")
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
        (0.20, 0.12, {}, "B is less stereotypical than A: Δf_s = −0.080 [−0.110, −0.050], p = 0.001."),
        (0.12, 0.20, {}, "B is more stereotypical than A: Δf_s = +0.080"),
        (-0.20, -0.12, {}, "B is less anti-stereotypical than A: Δf_s = +0.080"),
        (-0.12, -0.20, {}, "B is more anti-stereotypical than A: Δf_s = −0.080"),
        (
            0.40,
            -0.10,
            {},
            "B is less stereotypical than A, but on the other side of the neutral point: Δf_s = −0.500",
        ),
        (0.40, -0.01, {}, "B is less stereotypical than A: Δf_s = −0.410"),
        (0.10, -0.40, {}, "B is more anti-stereotypical than A, but on the other side of the neutral point"),
        (
            -0.05,
            0.04,
            {"p_nearer": 0.6},
            "B is more stereotypical than A, but they lie on opposite sides of the neutral point and neither is "
            "significantly nearer to neutral: Δf_s = +0.090",
        ),
        (
            0.04,
            -0.05,
            {"p_nearer": 0.6, "spread": 0.06},
            "B is more anti-stereotypical than A, but neither is significantly nearer to neutral",
        ),
        (0.10, 0.11, {"p": 0.4}, "No significant difference between A and B: Δf_s = +0.010"),
        (1.30, 1.10, {"neutral": 1.0, "ratio": True}, "B is less stereotypical than A: f_s of B / A = 0.846 ["),
        (0.80, 0.90, {"neutral": 1.0, "ratio": True}, "B is less anti-stereotypical than A: f_s of B / A = 1.125"),
        # on the log scale 0.5 is as far as 2, so 0.6 is further away than 1.5
        (0.60, 1.50, {"neutral": 1.0, "ratio": True}, "B is less anti-stereotypical than A, but on the other side"),
    ],
)
def test_verdicts_are_true_on_both_sides_of_the_neutral_point(one, other, more, said):
    assert describe_difference(difference(one, other, **more)).startswith(said)


def test_too_few_questions_are_said_to_be_too_few():
    d = difference(0.1, 0.2, p=None, p_nearer=None)
    assert "A and B share too few questions for a difference in f_s" in describe_difference(d)


def test_zero_has_no_sign():
    assert "Δf_s = 0.000 [−0.030, +0.030]" in summarise_difference(difference(0.1, 0.1))
