"""Sentences that recur are one unit, and nothing changes where none recurs."""

import numpy as np
import pandas as pd
import pytest
from benchmarks.simulated.gest import frame

from genderscope.measures.gest.rates import Rates
from genderscope.statistics.pairwise_errors import pairwise_errors
from genderscope.statistics.proportions import Share
from genderscope.statistics.recurrence import (
    error_with_recurrence,
    recurring_sentences,
    recurring_translations,
    resized,
)
from genderscope.statistics.strata import Stratum, stratified
from genderscope.statistics.student_intervals import error_of_mean


def width(rows):
    g_s = Rates(rows, 0, "log").g_s(None)
    return g_s.high - g_s.low


def test_a_sentence_under_two_stereotypes_is_one_unit():
    generator = np.random.default_rng(4)
    values = {i: generator.normal(0, 1, (12, 2)) for i in range(1, 17)}
    values[9], values[11] = values[8], values[10]
    rows = frame(values)
    alone = width(rows)
    number = rows["sample"] % 12
    same = rows["stereotype"].isin([8, 9, 10, 11])
    assert recurring_sentences(rows) is None
    rows.loc[same, "sentence"] = (rows["stereotype"] // 2 * 100 + number).astype(str)[same]
    assert width(rows) > 1.1 * alone


def test_keeping_every_sentence_twice_narrows_nothing():
    values = np.random.default_rng(5).normal(0, 1, (10, 1))
    once = error_of_mean(values)
    twice = error_with_recurrence([(1.0, np.repeat(values, 2, axis=0), np.repeat(np.arange(10), 2))])
    assert twice.variance == pytest.approx(once.variance)
    assert twice.freedom == pytest.approx(once.freedom)


def test_shares_of_repeated_sentences_count_each_once():
    values = np.repeat([[1.0], [0.0], [1.0], [1.0]], 2, axis=0)
    shares = {3: (1.0, Share(0.75, 8.0))}
    assert resized(shares, {3: values}, None) == shares
    resized_share = resized(shares, {3: values}, {3: np.repeat(np.arange(4), 2)})[3][1]
    assert 3 < resized_share.size < 4.5
    same = resized(shares, {3: np.ones((8, 1))}, {3: np.repeat(np.arange(4), 2)})[3][1]
    assert same.size == pytest.approx(4)


def test_samples_without_a_text_do_not_recur():
    rows = frame({1: np.zeros((3, 1)), 9: np.zeros((3, 1))}).assign(sentence="")
    assert recurring_sentences(rows) is None


def test_a_comparison_treats_a_recurring_sentence_as_one_unit():
    generator = np.random.default_rng(6)
    values = {i: generator.normal(0, 1, (8, 1)) for i in range(1, 17)}
    once = stratified([Stratum(i, 1 / 16, table) for i, table in values.items()]).error
    twice = stratified(
        [
            Stratum(i, 1 / 16, np.repeat(table, 2, axis=0), sentences=np.repeat(np.arange(8) + 8 * i, 2))
            for i, table in values.items()
        ]
    ).error
    assert (twice.variance, twice.freedom) == pytest.approx((once.variance, once.freedom))


def test_a_comparison_and_a_run_have_the_same_error_where_sentences_recur():
    generator = np.random.default_rng(7)
    codes = {i: generator.integers(60, size=12) for i in range(1, 17)}
    every = generator.normal(0, 1, (60, 2))
    strata = [(1 / 16, every[numbers], numbers) for numbers in codes.values()]
    expected = error_with_recurrence(strata)
    moved = stratified([Stratum(i, 1 / 16, every[numbers], sentences=numbers) for i, numbers in codes.items()])
    assert (moved.error.variance, moved.error.freedom) == pytest.approx((expected.variance, expected.freedom))
    many = pairwise_errors([moved, moved.scaled(-0.5)], -1.0)
    alone = moved.plus(moved.scaled(-0.5), -1.0).error
    assert (many.variance[0, 1], many.freedom[0, 1]) == pytest.approx((alone.variance, alone.freedom))


def test_translations_of_one_sentence_are_one_unit_in_every_language():
    rows = frame({1: np.zeros((2, 1)), 9: np.zeros((2, 1))})
    rows = pd.concat([rows.assign(language="sk"), rows.assign(language="cs", sentence=rows["sentence"] + " cs")])
    assert recurring_translations(rows) is None
    rows.loc[rows["sentence"] == "s3 cs", "sentence"] = "s0 cs"
    codes = recurring_translations(rows)
    assert codes[1][0] == codes[9][1]
    assert len({*codes[1], *codes[9]}) == 3
