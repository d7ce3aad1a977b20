"""Weighted sums of mean outcomes, and how much they vary."""

import numpy as np
import pytest

from genderscope.statistics.weighted_outcomes import OutcomeColumns


def columns(values, strata=None, units=None, weights=None, companions=None):
    n = len(values)
    strata = np.zeros(n, dtype=np.int64) if strata is None else np.asarray(strata)
    units = np.arange(n).astype(str) if units is None else np.asarray(units, dtype=str)
    weights = np.ones(n) if weights is None else np.asarray(weights, dtype=float)
    return OutcomeColumns({"x": np.asarray(values, dtype=float)}, units, strata, weights, companions)


def estimated(table):
    rows = {"x": np.isfinite(table.values["x"])}
    value, influence = table.influence({"x": 1.0}, rows, 1.0)
    return value, influence.error


def test_strata_are_averaged_with_their_weights():
    value, _ = estimated(columns([1, 1, 1, 0, 1], strata=[0, 0, 0, 1, 1], weights=[1, 1, 1, 3, 3]))
    assert value == pytest.approx(0.25 * 1 + 0.75 * 0.5)


def test_missing_outcomes_count_nowhere():
    assert estimated(columns([1, 0, np.nan, 1, 0]))[0] == pytest.approx(0.5)


def test_rows_alone_in_their_stratum_still_vary():
    alone, pooled = (estimated(columns([1, 0] * 8, strata)) for strata in (range(16), None))
    assert alone[0] == pooled[0]
    assert alone[1].variance >= 0.9 * pooled[1].variance


def test_rows_of_one_unit_vary_together():
    apart = estimated(columns([1, 0] * 20))[1].variance
    together = estimated(columns([1, 1, 0, 0] * 10, units=np.repeat(np.arange(20), 2)))[1].variance
    assert together == pytest.approx(2 * apart, rel=0.1)


def test_crossed_units_vary_more_than_either():
    rng = np.random.default_rng(0)
    first, second = np.divmod(np.arange(400), 20)
    outcome = (rng.normal(size=20)[first] + rng.normal(size=20)[second] > 0).astype(float)
    one = estimated(columns(outcome, units=first))[1].variance
    both = estimated(columns(outcome, units=first, companions=second.astype(str)))[1].variance
    assert both > 1.5 * one
