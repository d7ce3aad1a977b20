"""Intervals that cover: methods beside those of statsmodels and scipy, no jumps at the edges, no promise of too few."""

import math
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from genderscope.measures.gest import Rates
from genderscope.measures.wordfill.scores import Scores
from genderscope.statistics import clustered_means, student_intervals
from genderscope.statistics.cluster_variance import codes, one_way, shared_errors, two_way
from genderscope.statistics.logistic import logistic, two_way_errors
from genderscope.statistics.long_tailed import mean_interval, median_interval
from genderscope.statistics.proportions import (
    Share,
    agresti_coull,
    combined,
    difference,
    effective,
    interval,
    p_value,
    plain_interval,
    spread,
)
from genderscope.statistics.ranks import rank_intervals
from genderscope.statistics.reliability import agreement
from genderscope.statistics.student_intervals import Error
from genderscope.statistics.wide_intervals import Columns, wide_scope
from tests.support.word_rows import rows as word_rows


def clustered(seed=0, first=8, second=6, each=3):
    """Values with effects of two crossed kinds of clusters."""
    generator = np.random.default_rng(seed)
    a, b = (x.ravel() for x in np.meshgrid(np.arange(first), np.arange(second)))
    a, b = np.repeat(a, each), np.repeat(b, each)
    noise = generator.normal(size=len(a))
    return generator.normal(size=first)[a] + generator.normal(size=second)[b] + noise, a, b


def test_an_interval_whose_ratio_cannot_be_written_is_none():
    assert student_intervals.interval(0.0, Error(100.0, 1)) == pytest.approx((-127.06, 127.06), abs=0.01)
    assert student_intervals.interval(0.0, Error(1000.0, 1)) is None


def test_a_difference_of_strata_is_welchs_t_test():
    generator = np.random.default_rng(1)
    x, y = generator.normal(0, 1, 5), generator.normal(0.4, 2, 9)
    error = student_intervals.error_of_strata([(1.0, x[:, None]), (-1.0, y[:, None])])
    ends = stats.ttest_ind(x, y, equal_var=False).confidence_interval()
    assert student_intervals.interval(x.mean() - y.mean(), error) == pytest.approx((ends.low, ends.high))


def test_a_mean_over_incomplete_columns_moves_as_its_jackknife_says():
    values = np.random.default_rng(2).normal(size=(40, 3))
    values[::7, 1] = np.nan
    whole = np.nanmean(values, axis=0).mean()
    left_out = [np.nanmean(np.delete(values, k, axis=0), axis=0).mean() - whole for k in range(40)]
    assert -np.array(left_out) * 39 / 40 == pytest.approx(student_intervals.influences(values), rel=0.1, abs=1e-4)


def test_clustered_errors_are_those_of_statsmodels():
    api = pytest.importorskip("statsmodels.api")
    values, a, b = clustered()
    moved = (values - values.mean()) / len(values)
    model = api.OLS(values, np.ones(len(values)))
    one = model.fit(cov_type="cluster", cov_kwds={"groups": a})
    assert one_way(moved, np.ones(len(a)), codes(a)).variance == pytest.approx(one.bse[0] ** 2)
    both = model.fit(cov_type="cluster", cov_kwds={"groups": np.column_stack([a, b])})
    # statsmodels corrects all three parts for the smaller number of clusters, here each part has its own
    own = [one_way(moved, np.ones(len(a)), codes(k)).variance for k in (a, b, 100 * a + b)]
    assert two_way(moved, np.ones(len(a)), codes(a), codes(b)).variance == pytest.approx(own[0] + own[1] - own[2])
    assert two_way(moved, np.ones(len(a)), codes(a), codes(b)).variance == pytest.approx(both.bse[0] ** 2, rel=0.1)


def test_crossed_errors_agree_with_a_mixed_model():
    """Independent check: the variance of the mean by the components that restricted maximum likelihood finds."""
    api = pytest.importorskip("statsmodels.formula.api")
    values, a, b = clustered(seed=3, first=14, second=12, each=2)
    frame = pd.DataFrame({"y": values, "a": a, "b": b, "all": 1})
    crossed = {"a": "0 + C(a)", "b": "0 + C(b)"}
    fit = api.mixedlm("y ~ 1", frame, groups="all", vc_formula=crossed, re_formula="0").fit()
    expected = float(fit.bse["Intercept"]) ** 2
    found = two_way((values - values.mean()) / len(values), np.ones(len(a)), codes(a), codes(b)).variance
    assert found == pytest.approx(expected, rel=0.15)


def test_clusters_without_effects_leave_the_error_of_a_plain_mean():
    generator = np.random.default_rng(5)
    ratios = []
    for _ in range(200):
        values, (_, a, b) = generator.normal(size=8 * 6 * 3), clustered()
        error = two_way((values - values.mean()) / len(values), np.ones(len(a)), codes(a), codes(b))
        ratios.append(error.variance / (values.var(ddof=1) / len(values)))
    assert 0.95 <= np.mean(ratios) <= 1.5


def test_sources_of_error_add_up_to_the_variance():
    values, a, b = clustered(seed=6, first=20, second=20)
    moved = (values - values.mean()) / len(values)
    _, sizes = shared_errors(moved, a.astype(str), b.astype(str))
    assert (sizes**2).sum() == pytest.approx(two_way(moved, np.ones(len(a)), codes(a), codes(b)).variance, rel=0.15)


def test_regression_errors_without_clusters_are_hc2_of_statsmodels():
    api = pytest.importorskip("statsmodels.api")
    generator = np.random.default_rng(7)
    design = np.column_stack([np.ones(60), generator.random((60, 2)) < 0.4]).astype(float)
    y = design @ [0.2, 0.5, -0.3] + generator.normal(size=60) * (1 + design[:, 1])
    fit = api.OLS(y, design).fit()
    alone = np.arange(60)
    found = two_way_errors(design, fit.resid, np.ones(60), alone, alone)
    assert [e.variance for e in found] == pytest.approx(np.diag(fit.get_robustcov_results("HC2").cov_params()))


def test_one_share_is_agresti_coull_and_two_are_agresti_caffo():
    assert interval(Share(0.3, 20)) == pytest.approx(agresti_coull(6, 20)[1:])
    low, high = combined([(1.0, Share(0.7, 20)), (-1.0, Share(0.4, 30))])
    p, q = (14 + 1) / 22, (12 + 1) / 32
    half = 1.959964 * math.sqrt(p * (1 - p) / 21.5 + q * (1 - q) / 31.5)
    assert (low, high) == pytest.approx((p - q - half, p - q + half), abs=1e-6)


@pytest.mark.parametrize("units", [16, 200])
def test_nothing_jumps_between_all_agree_and_all_but_one(units):
    widths = []
    for differing in range(4):
        value = 1 - differing / (3 * units)  # three readings a unit, the odd ones in units of their own
        moved = differing * ((1 - value) / 3 / units) ** 2 / max(1 - value, 1e-12) if differing else 0.0
        low, high = interval(effective(value, moved, 3 * units, units))
        assert low <= value <= high <= 1
        widths.append(high - low)
    steps = np.diff(widths)
    assert all(abs(step) < 0.6 * widths[0] for step in steps)


def test_the_difference_of_equal_shares_has_a_width_also_where_all_agree():
    low, high = difference(Share(1.0, 20), Share(1.0, 20), Error(0.0, 10))
    assert low < -0.05
    assert high > 0.05
    assert p_value(lambda c: difference(Share(1.0, 20), Share(1.0, 20), Error(0.0, 10), c)) == 1


def test_p_is_five_per_cent_where_the_interval_just_excludes_zero():
    error = Error(0.01, 12)

    def ends(value):
        return lambda c: (value - error.half_width(c), value + error.half_width(c))

    assert p_value(ends(error.half_width(0.95))) == pytest.approx(0.05, abs=1e-6)
    assert p_value(ends(0.15)) == pytest.approx(2 * stats.t.sf(1.5, 12), abs=1e-6)


def test_ranks_are_sure_only_of_what_lies_clearly_apart():
    error = Error(1.0, 30)
    assert rank_intervals([0.0, 0.1, 50.0], [error] * 3) == [(1, 2), (1, 2), (3, 3)]
    assert rank_intervals([0.0, 1.0], [error, None]) == [None, None]


def test_noise_that_pulls_a_correlation_down_is_taken_out():
    generator = np.random.default_rng(8)
    centres = generator.normal(size=(16, 1)) * [1.0, 1.0]
    values = centres[:, None] + generator.normal(size=(16, 10, 2)) * 1.5
    means_ = values.mean(axis=1)
    noise = np.array([np.cov(each.T) / 10 for each in values])
    found = agreement(means_, noise, 16 * 9)
    assert found.plain < found.value <= 1
    assert found.low < 1 <= found.high
    assert agreement(means_ * 0 + generator.normal(size=(16, 2)) * 0.4, noise, 144).value is None
    assert "5 groups" in agreement(means_[:4], noise[:4], 36).reason


def test_a_long_tail_widens_the_upper_side():
    values = np.exp(np.random.default_rng(9).normal(-6, 1.2, 100))
    low, high = mean_interval(values, np.random.default_rng(0))
    assert high - values.mean() > 1.3 * (values.mean() - low)
    assert mean_interval(values[:20], np.random.default_rng(0)) is None


def test_the_mean_of_probabilities_has_an_interval_between_0_and_1():
    rare = np.where(np.arange(256) < 4, 0.9, 1e-4)
    for values in (rare, 1 - rare, rare[:60]):
        low, high = mean_interval(values, np.random.default_rng(0))
        assert 0 < low < values.mean() < high < 1
    assert mean_interval(np.full(60, 1.0), np.random.default_rng(0)) is None


def test_the_median_lies_between_order_statistics_as_often_as_it_says():
    generator = np.random.default_rng(10)
    held = [
        low <= 1.0 <= high
        for low, high in (median_interval(generator.exponential(1 / math.log(2), 23)) for _ in range(800))
    ]
    assert 0.925 <= np.mean(held) <= 0.975
    assert median_interval(np.arange(5.0)) is None


def test_a_correlation_over_units_is_fishers_where_data_are_normal():
    generator = np.random.default_rng(11)
    x = generator.normal(size=400)
    y = 0.6 * x + 0.8 * generator.normal(size=400)
    value, ends, _ = clustered_means.correlation(x, y, np.arange(400).astype(str))
    assert ends == pytest.approx(tuple(stats.pearsonr(x, y).confidence_interval()), abs=0.03)
    assert value == pytest.approx(np.corrcoef(x, y)[0, 1])


def test_other_stereotypes_and_templates_widen_the_interval():
    generator = np.random.default_rng(12)
    narrow = Error(0.0004, 200)
    male, female = (generator.normal(c, 0.3, (k, 1)) + generator.normal(0, 0.2, (1, 4)) for c, k in ((0.5, 9), (0, 7)))
    templates = Columns("template")
    wide = wide_scope([male, female], narrow, "stereotype", templates)
    assert wide.over == "stereotypes+templates"
    assert wide.error.variance > 9 * narrow.variance
    assert sum(wide.shares.values()) == pytest.approx(1)
    two = wide_scope([male[:, :2], female[:, :2]], narrow, "stereotype", templates)
    assert two.over == "stereotypes"
    assert "with only 2 templates, the results cannot be generalised to other templates" in two.remark
    assert wide_scope([male[:3], female], narrow, "stereotype", templates).error is None


def test_too_few_sentences_get_a_value_and_a_reason_but_no_interval():
    frame = pd.DataFrame(
        {
            "sample": range(5),
            "stereotype": [3, 3, 12, 12, 12],
            "family": False,
            "template": 3,
            "log_ratio": [0.1, 0.4, 0.9, 1.2, 0.8],
            "mass": np.nan,
        }
    )
    g_s = Rates(frame, 0, "log").g_s(None)
    assert g_s.value == pytest.approx(2.9 / 3 - 0.25)
    assert (g_s.low, g_s.high, g_s.wide_low) == (None, None, None)
    assert "fewer than 4 samples" in g_s.remark


def test_f_and_ss_go_together_though_the_groups_are_unrelated():
    """f holds ss: of unrelated groups that vary alike, signs agree in 3 of 4 and the correlation is 0.71."""
    generator = np.random.default_rng(13)
    ss, control = generator.normal(size=(2, 4000))
    frame = word_rows(items=4000, ss=ss, ss_control=control, f=ss - control)
    found = {(e.name, e.category): e for e in Scores(frame, "x", 0, False).estimates()}
    for name, expected in (("agreement", 0.75), ("score_correlation", math.sqrt(0.5))):
        e = found[name, "f-ss"]
        assert e.neutral == pytest.approx(expected, abs=0.02)
        assert e.low <= e.neutral <= e.high


def test_a_rate_that_a_few_large_log_ratios_decide_says_that_its_interval_is_corrected():
    generator = np.random.default_rng(1)

    def rates(values: np.ndarray) -> Rates:
        sentences = [f"s{k}" for k in range(256)]
        rows = {"sample": np.arange(256), "sentence": sentences, "stereotype": np.repeat(np.arange(1, 17), 16)}
        rows |= {"family": False, "template": 1, "log_ratio": values, "mass": np.nan, "unread": None}
        return Rates(pd.DataFrame(rows), 0, "ratio")

    long_tailed = rates(generator.lognormal(size=256))
    assert "the log-ratios are skewed, so the interval extends further" in (long_tailed.q_i(3, None).remark or "")
    assert "skewed" not in (rates(generator.normal(size=256)).q_i(3, None).remark or "")


@pytest.mark.parametrize("n", [4, 5, 8, 11])
def test_shares_of_few_readings_have_exact_intervals(n):
    for successes in range(n + 1):
        exact = stats.binomtest(successes, n).proportion_ci(method="exact")
        assert plain_interval(successes, n) == pytest.approx((exact.low, exact.high), abs=1e-12)
    assert plain_interval(3, 12) == agresti_coull(3, 12)[1:]


@pytest.mark.parametrize("n", [4, 5, 8, 12, 30])
def test_intervals_of_shares_cover_near_the_edges(n):
    counts = np.arange(n + 1)
    ends = np.array([plain_interval(k, n) for k in counts])
    for share in np.linspace(0.005, 0.995, 199):
        inside = (ends[:, 0] <= share) & (share <= ends[:, 1])
        assert stats.binom.pmf(counts, n, share)[inside].sum() > (0.95 if n < 12 else 0.92)


def test_the_p_of_a_mean_is_that_of_a_t_test():
    values = np.random.default_rng(3).normal(0.4, 1, 12)
    error = Error(values.var(ddof=1) / len(values), len(values) - 1)
    for sign in (1, -1):
        p = student_intervals.p_of_mean(sign * values.mean(), error)
        assert p == pytest.approx(stats.ttest_1samp(values, 0).pvalue)
    assert student_intervals.p_of_mean(0.4, None) is None


def test_variables_that_always_occur_together_have_no_coefficients_and_the_reason_is_said():
    draw = np.random.default_rng(0)
    outcome, one, other = (pd.Series(draw.integers(0, 2, 60)) for _ in range(3))
    together = pd.DataFrame({"a": one, "b": one, "c": other})
    clusters = pd.Series(np.arange(60) % 7), pd.Series(np.arange(60) % 5)
    fit = logistic(outcome.astype(float), together, clusters)
    assert not fit.coefficients
    assert set(fit.without) == {"Intercept", "a", "b", "c"}
    assert "always occur together" in fit.without["a"]


def test_a_share_whose_sentences_mostly_recur_elsewhere_has_a_positive_variance():
    for count in (1, 2, 16):
        variances = [spread(Share(0.4, size), count) for size in (0.1, 0.5, 0.99, 1.0, 4.0)]
        assert all(0 < later < earlier for earlier, later in pairwise(variances)), count
