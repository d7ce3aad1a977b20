"""Clusters of unequal size: the correction of their squared influences, and intervals that cover."""

import numpy as np
import pytest
from scipy.special import stdtrit

from genderscope.statistics.cluster_variance import WITHIN, cluster_error, clustered, correction, together
from genderscope.statistics.student_intervals import Error, why_no_interval

SIZES = np.array([2, 3, 5, 9, 15, 40, 40, 64])


def covariance(weights, variances):
    """Return the covariance of the clusters' influences on a mean, by its definition."""
    total = weights.sum()
    deviations = np.diag(weights) @ (np.eye(len(weights)) - np.ones((len(weights), 1)) * weights / total)
    return deviations @ np.diag(variances) @ deviations.T


@pytest.mark.parametrize("count", [3, 12, 4000])
def test_equal_clusters_have_one_degree_of_freedom_less_than_their_number(count):
    weights = np.full(count, 1 / count)
    assert correction(weights) == pytest.approx((count / (count - 1), count - 1))
    assert correction(weights, weights**2 / 7) == pytest.approx((count / (count - 1), count - 1))


def test_the_correction_is_the_trace_of_the_whole_matrices():
    weights = np.array([SIZES / SIZES.sum() / 2, SIZES[::-1] ** 0.5 / 40])
    squares = weights**2 / np.array([SIZES, SIZES + 1])
    own = WITHIN * weights**2 + (1 - WITHIN) * squares
    whole = sum(covariance(w, u / w**2) for w, u in zip(weights, own, strict=True))
    trace = np.trace(whole)
    assert correction(weights, squares) == pytest.approx((own.sum() / trace, trace**2 / (whole**2).sum()))


def test_two_means_over_different_clusters_have_welchs_degrees_of_freedom():
    weights = np.array([[1 / 5] * 5 + [0] * 8, [0] * 5 + [1 / 8] * 8])
    one, other = 1 / 5, 1 / 8
    assert correction(weights).freedom == pytest.approx(
        (0.8 * one + 7 / 8 * other) ** 2 / (0.16 * one**2 + 7 / 64 * other**2)
    )


def test_one_cluster_that_dominates_leaves_no_interval():
    clusters = np.repeat(np.arange(10), [500] + [20] * 9)
    values = np.random.default_rng(1).normal(size=len(clusters))
    influences, loads = (values - values.mean()) / len(values), np.full(len(values), 1 / len(values))
    assert cluster_error(influences, loads, clusters) is None
    assert clustered(influences, loads, clusters).error is None
    reason = "no interval, because one or two of the 10 templates make up most of the data and decide the result"
    assert why_no_interval(10, "templates") == reason


@pytest.mark.parametrize("within", [0.0, 0.3, 1.0])
def test_single_runs_and_differences_cover(within):
    generator = np.random.default_rng(2)
    clusters = np.repeat(np.arange(len(SIZES)), SIZES)
    loads, hits = np.full(len(clusters), 1 / len(clusters)), np.zeros(2)
    for _ in range(300):
        effects = generator.normal(size=(2, len(SIZES)))[:, clusters] * within**0.5
        values = effects + generator.normal(size=(2, len(clusters))) * (1 - within) ** 0.5
        influences = (values - values.mean(axis=1, keepdims=True)) * loads
        alone = cluster_error(influences[0], loads, clusters)
        one, other = (clustered(each, loads, clusters) for each in influences)
        apart = one.plus(other, -1.0).error
        for k, (value, error) in enumerate(((values[0].mean(), alone), (values[0].mean() - values[1].mean(), apart))):
            hits[k] += abs(value) <= stdtrit(error.freedom, 0.975) * error.variance**0.5
    assert (hits / 300 >= 0.925).all()


def test_a_kind_of_cluster_with_little_variance_does_not_narrow_the_interval_over_cells():
    cells = Error(4.0, 30.0)
    assert together(cells, [Error(1.0, 3.0)]) == cells
    assert together(cells, [Error(1.0, 3.0), Error(6.0, 5.0)]).variance == 6.0
