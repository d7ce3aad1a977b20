"""Estimates of gate against a second, naive implementation."""

import math
from collections import defaultdict

import numpy as np
import pytest
from benchmarks.simulated.gate import people

from genderscope.measures.gate.measure import GateMt
from genderscope.measures.gate.rates import rate_tables


def drawn(seed, languages=1, n=40):
    generator = np.random.default_rng(seed)
    return people(generator, n, languages, 0.7, generator.normal(size=12), 1.0, 0.8)


def naive_share(rows, counts, among):
    """The mean over languages of the share of `counts` among the readings `among`."""
    by_language = defaultdict(list)
    for row in rows.to_dict("records"):
        if row["reading"] in among:
            by_language[row["language"]].append(row["reading"] in counts)
    return sum(sum(each) / len(each) for each in by_language.values()) / len(by_language)


def naive_ends(rows, z=1.959964):
    """Agresti-Coull with the effective size that sentences of unequal size leave, for one language.

    The variance is that of Bell and McCaffrey: its bias and its degrees of freedom follow from the covariance of the
    sentences' sums, if readings of the same sentence are correlated by 0.05.
    """
    read = [row for row in rows.to_dict("records") if row["reading"] in ("masculine", "feminine")]
    n = len(read)
    outcomes = np.array([row["reading"] == "masculine" for row in read], dtype=float)
    value = outcomes.mean()
    names = sorted({row["item"] for row in read})
    member = np.array([[row["item"] == name for row in read] for name in names], dtype=float)
    residual_maker = np.eye(n) - np.full((n, n), 1 / n)
    covariance = 0.95 * np.eye(n) + 0.05 * member.T @ member
    sums = member @ residual_maker / n
    expected = sums @ covariance @ sums.T
    freedom = np.trace(expected) ** 2 / np.trace(expected @ expected)
    variance = ((sums @ outcomes) ** 2).sum() * covariance.mean() / np.trace(expected)
    size = (value * (1 - value) + 1 / n) / (variance + 1 / (n * len(names)))
    from scipy.stats import t

    size *= (z / t.ppf(0.975, freedom)) ** 2
    trials = size + z**2
    centre = (value * size + z**2 / 2) / trials
    half = z * math.sqrt(centre * (1 - centre) / trials)
    return max(0, centre - half), min(1, centre + half)


def value(estimates, name, language, group=None):
    [found] = [e for e in estimates if (e.name, e.language, e.group) == (name, language, group)]
    return found


@pytest.mark.parametrize(("seed", "languages"), [(0, 1), (1, 3)])
def test_rates_and_shares_equal_plain_counting(seed, languages):
    rows = drawn(seed, languages)
    found = rate_tables(rows)[0].estimates()
    language = None if languages > 1 else "l0"
    every = ("masculine", "feminine", "neutral")
    rate = value(found, "masculine_rate", language)
    assert rate.value == pytest.approx(naive_share(rows, ["masculine"], every[:2]))
    assert (rate.n, rate.unread) == (rows["reading"].isin(every[:2]).sum(), rows["unread"].notna().sum())
    for name in every:
        assert value(found, f"{name}_share", language).value == pytest.approx(naive_share(rows, [name], every))
    assert value(found, "alternatives_share", language).value == 0
    assert value(found, "neutral_share_by_way", language, "same form").value == pytest.approx(
        naive_share(rows, ["neutral"], every)
    )
    for role in ("subject", "possessor"):
        mine = rows[rows["role"] == role]
        found_rate = value(found, "masculine_rate_by_role", language, role)
        assert found_rate.value == pytest.approx(naive_share(mine, ["masculine"], every[:2]))


@pytest.mark.parametrize("seed", range(5))
def test_intervals_take_sentences_as_units(seed):
    rows = drawn(seed)
    rate = value(rate_tables(rows)[0].estimates(), "masculine_rate", "l0")
    assert (rate.low, rate.high) == pytest.approx(naive_ends(rows), abs=1e-6)
    assert rate.wide_over == "person words"
    assert rate.wide_low <= rate.low < rate.value < rate.high <= rate.wide_high
    assert rate.unread_low < rate.value < rate.unread_high


def test_words_that_differ_widen_the_wide_interval():
    generator = np.random.default_rng(0)
    rows = people(generator, 300, 1, 0.0, np.array([-3.0, -2.0, 2.0, 3.0, -1.0, 1.0]), 0.0, 1.0)
    rate = value(rate_tables(rows)[0].estimates(), "masculine_rate", "l0")
    assert rate.wide_high - rate.wide_low > 2 * (rate.high - rate.low)


def test_comparisons_use_the_same_rate_and_outcomes():
    rows = drawn(7)
    [found] = GateMt.resampled(rows, None)
    rate = value(rate_tables(rows)[0].estimates(), "masculine_rate", "l0")
    assert found.value == rate.value
    chosen = GateMt.outcomes(rows, rate, None)
    assert chosen.values.mean() == pytest.approx(rate.value)
    assert len(chosen.items) == rate.n


def test_a_language_without_genders_leaves_no_mean():
    rows = drawn(1, 2)
    rows.loc[rows["language"] == "l1", "reading"] = "neutral"
    rate = value(rate_tables(rows)[0].estimates(), "masculine_rate", None)
    assert rate.value is None
    assert rate.remark == "in one language, no gender was read"


def test_a_frequent_word_has_its_own_rate():
    rows = drawn(2, n=200)
    found = [e for e in rate_tables(rows)[0].estimates() if e.name == "masculine_rate_by_entity"]
    assert found
    assert all(e.n >= 10 for e in found)
    first = found[0]
    mine = rows[rows["entity"] == first.group]
    assert first.value == pytest.approx(naive_share(mine, ["masculine"], ["masculine", "feminine"]))
