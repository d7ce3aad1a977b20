"""Sentences that recur are one unit, and nothing changes where none recurs."""

import numpy as np
import pytest
from benchmarks.simulated.gest import frame

from genderscope.measures.gest.rates import Rates
from genderscope.statistics.proportions import Share
from genderscope.statistics.recurrence import error_with_recurrence, recurring_sentences, resized
from genderscope.statistics.student import error_of_mean


def width(rows):
    g_s = Rates(rows, 0, "log", False).g_s(None)
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
