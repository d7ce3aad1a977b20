import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from genderscope.statistics.bootstrap import expanded_tail, interval, normal_interval, resampled_means, stratified_means
from genderscope.statistics.long_tailed import median_interval
from genderscope.statistics.proportions import margins
from genderscope.statistics.ranks import average_ranks
from genderscope.statistics.skewness import pooled_skewness


def test_the_interval_of_a_mean_covers_the_truth_as_often_as_it_says():
    generator = np.random.default_rng(7)
    hits = 0
    trials = 600
    for trial in range(trials):
        values = generator.normal(0.3, 1.0, size=(12, 1))
        low, high = interval(resampled_means(values, np.random.default_rng(trial), 1000)[:, 0], [12])
        hits += low <= 0.3 <= high
    # 95 % within what 600 trials can tell apart; the plain percentile interval covers about 91 % here
    assert 0.93 <= hits / trials <= 0.975


def test_large_samples_get_the_plain_percentile_interval():
    assert expanded_tail([100_000]) == pytest.approx(0.025, abs=1e-4)


def test_small_samples_get_wider_intervals():
    assert expanded_tail([5]) < expanded_tail([50]) < 0.025


def test_the_bootstrap_agrees_with_theory_on_a_large_sample():
    values = np.random.default_rng(1).normal(2.0, 3.0, size=(2000, 1))
    low, high = interval(resampled_means(values, np.random.default_rng(0))[:, 0], [2000])
    error = stats.sem(values[:, 0]) * 1.96
    assert low == pytest.approx(values.mean() - error, abs=0.02)
    assert high == pytest.approx(values.mean() + error, abs=0.02)


def test_the_published_method_fits_a_normal_distribution():
    replicates = np.random.default_rng(1).normal(2.0, 0.5, size=200_000)
    assert normal_interval(replicates) == pytest.approx((2 - 1.96 * 0.5, 2 + 1.96 * 0.5), abs=0.01)


def test_missing_values_are_left_out_not_counted_as_zero():
    values = np.array([[1.0, np.nan], [1.0, 3.0], [1.0, 3.0]])
    means = resampled_means(values, np.random.default_rng(0), 200)
    assert np.nanmin(means[:, 1]) == np.nanmax(means[:, 1]) == 3.0


def test_one_sample_has_no_interval():
    assert interval(np.array([1.0, 1.0]), [1]) is None


@given(st.integers(0, 5), st.integers(1, 16))
def test_a_stratum_is_resampled_alike_whatever_stands_beside_it(seed, key):
    values = np.arange(8.0)[:, None]
    alone = stratified_means({key: values}, seed, 20)[key]
    beside = stratified_means({key: values, 99: values + 1}, seed, 20)[key]
    assert np.array_equal(alone, beside)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=12))
def test_ranks_are_scipys_ties_included(values):
    assert average_ranks(values).tolist() == stats.rankdata(values).tolist()


def test_ranks_of_replicates_are_taken_for_each_of_them():
    drawn = np.random.default_rng(0).integers(0, 5, (16, 40)).astype(float)
    assert (average_ranks(drawn) == stats.rankdata(drawn, axis=0)).all()
    drawn[3, 7] = np.nan
    assert np.isnan(average_ranks(drawn)).sum() == 16


def test_the_interval_of_a_median_is_that_of_the_binomial_distribution():
    ordered = np.arange(30.0)
    low, high = median_interval(ordered)
    depths = [k for k in range(1, 16) if 1 - 2 * stats.binom.cdf(k - 1, 30, 0.5) >= 0.95]
    assert ordered[max(depths) - 1] <= low <= ordered[max(depths)]
    assert low + high == pytest.approx(29)


def test_a_weighted_sum_of_shares_is_covered_also_at_the_edge():
    rng = np.random.default_rng(5)
    for p, q in ((0.97, 0.03), (0.6, 0.4)):
        covered = 0
        for _ in range(600):
            one, other = rng.binomial(30, [p, q])
            below, above = margins([(1.0, one, 30), (-1.0, other, 30)])
            covered += (one - other) / 30 - below <= p - q <= (one - other) / 30 + above
        assert covered / 600 > 0.93
    below, above = margins([(1.0, 30, 30), (-1.0, 0, 30)])
    assert below > 0.1
    assert above == 0


def test_skewness_of_many_small_samples_shows_what_one_hides():
    generator = np.random.default_rng(0)
    sparse = [generator.normal(0, 0.5, 16) + 3 * (generator.random(16) < 0.05) for _ in range(16)]
    normal = [generator.normal(0, 0.5, 16) for _ in range(16)]
    assert pooled_skewness(sparse).distorts_mean(16)
    assert not pooled_skewness(sparse).distorts_mean(1000)
    assert not pooled_skewness(normal).distorts_mean(16)
    assert not pooled_skewness([np.zeros(2), np.ones(5)]).distorts_mean(4)
