"""Weighted sums of shares: a run's interval and the influences for comparisons use the same strata and units."""

from typing import Any

import numpy as np
import pytest

from genderscope.statistics.stratified_shares import TOO_FEW, StratifiedShare, share_of_columns


def declared(values, weights, **more):
    tables = {i: np.array(numbers, dtype=float)[:, None] for i, numbers in values.items()}
    shares = {i: share for i, table in tables.items() if (share := share_of_columns(table)) is not None}
    value = sum(weight * shares[i].value for i, weight in weights.items() if i in shares)
    n = sum(int(np.isfinite(table).sum()) for table in tables.values())
    given: dict[str, Any] = {
        "neutral": 0.0,
        "n": n,
        "unread": 0,
        "units": n,
        "noun": "samples",
        "nothing": "nothing was read",
    }
    return StratifiedShare(name="gap", value=value, weights=weights, values=tables, shares=shares, **given | more)


DRAWN = np.random.default_rng(0).random((2, 200)) < np.array([[0.7], [0.4]])
GAP = {1: 1.0, 2: -1.0}


def test_the_interval_is_as_wide_as_the_influences_say():
    rate = declared(dict(enumerate(DRAWN, 1)), GAP)
    error = rate.resampled(rate.estimate, rate.value).influence.error
    assert error is not None
    assert rate.error.variance == pytest.approx(error.variance, rel=0.03)
    assert rate.estimate.high - rate.estimate.low == pytest.approx(2 * error.half_width(), rel=0.03)


def test_a_sentence_that_recurs_is_one_unit_in_both():
    twice = {i: np.concatenate([numbers, numbers]) for i, numbers in enumerate(DRAWN, 1)}
    codes = {i: np.tile(np.arange(200) + 200 * i, 2) for i in twice}
    once, rate = declared(dict(enumerate(DRAWN, 1)), GAP), declared(twice, GAP, sentences=codes)
    errors = [one.resampled(one.estimate, one.value).influence.error for one in (once, rate)]
    assert rate.error.variance == pytest.approx(once.error.variance, rel=0.03)
    assert errors[1].variance == pytest.approx(errors[0].variance, rel=1e-9)
    assert errors[1].freedom == pytest.approx(errors[0].freedom, rel=1e-9)


def test_without_units_or_without_a_share_there_is_no_interval():
    few = declared({1: [1, 0], 2: [1]}, GAP).estimate
    assert (few.value, few.low, few.remark) == (-0.5, None, TOO_FEW.format("samples"))
    unread = declared({1: [1, 0, 1, 1], 2: [np.nan] * 4}, GAP).estimate
    assert (unread.value, unread.remark) == (None, "nothing was read")
