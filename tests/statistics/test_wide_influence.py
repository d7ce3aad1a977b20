"""Comparisons that generalise as far as the wide interval of a single run."""

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.simulated.comparisons import compared, resampled
from benchmarks.simulated.model_comparisons import findings, gest, mt, outcomes, pairs_of_occupations

from genderscope.comparison.gate_readings import in_scope
from genderscope.comparison.rank_intervals import standings
from genderscope.judgement import conclude_answer, describe_answer, describe_difference, on_items
from genderscope.statistics.cluster_variance import Crossing, clustered
from genderscope.statistics.pairwise_errors import _one_by_one, pairwise_errors
from genderscope.statistics.wide_influence import WideTables
from genderscope.statistics.wide_intervals import Columns, wide_scope

SIDES = (tuple(range(9)), tuple(range(9, 16)))


def tables(seed, columns=4, labels=None):
    generator = np.random.default_rng(seed)
    sides = tuple(generator.normal(0, 1, (len(side), columns)) for side in SIDES)
    narrow = clustered(generator.normal(0, 0.01, 40), np.full(40, 1 / 40), [f"s{k}" for k in range(40)])
    return WideTables(sides, narrow, SIDES, labels or tuple(range(columns)), Columns("template"))


def test_the_error_of_a_difference_is_that_of_a_single_run_with_the_subtracted_tables():
    one, two = tables(1), tables(2)
    difference = two.plus(one, -1.0)
    subtracted = [b - a for a, b in zip(one.sides, two.sides, strict=True)]
    scope = wide_scope(subtracted, two.narrow.plus(one.narrow, -1.0).error, "stereotype", Columns("template"))
    assert difference.error.variance == pytest.approx(scope.error.variance)
    assert difference.error.freedom == pytest.approx(scope.error.freedom)
    assert one.plus(one, -1.0).error.variance == pytest.approx(0.0)


def test_a_single_run_has_the_error_of_its_wide_interval():
    (rows,) = gest(20, 0.2)(np.random.default_rng(3), 1)
    g_s = resampled("gest", rows)["stereotype_rate"]
    half = g_s.wide.error.half_width()
    assert (g_s.value - half, g_s.value + half) == pytest.approx((g_s.estimate.wide_low, g_s.estimate.wide_high))
    assert g_s.wide.error.freedom == pytest.approx(g_s.estimate.wide_freedom)


def test_other_columns_are_averaged_and_other_groups_give_no_error():
    one, two = tables(1), tables(2, labels=("a", "b", "c", "d"))
    both = one.plus(two, -1.0)
    assert not both.has_columns
    rows = [(a - b).mean(axis=1) for a, b in zip(one.sides, two.sides, strict=True)]
    assert both.error.variance == pytest.approx(sum(side.var(ddof=1) / len(side) for side in rows))
    assert one.plus(replace(two, groups=SIDES[::-1]), -1.0).error is None


@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_errors_of_all_pairs_are_those_of_single_pairs(sign):
    influences = [tables(seed) for seed in range(5)]
    fast, slow = pairwise_errors(influences, sign), _one_by_one(influences, sign)
    apart = ~np.eye(5, dtype=bool)
    assert fast.variance[apart] == pytest.approx(slow.variance[apart])
    assert fast.freedom[apart] == pytest.approx(slow.freedom[apart])


def test_models_that_differ_on_these_stereotypes_only_are_not_called_different():
    rows = gest(100, 0.2)(np.random.default_rng([7, 0]), 2)
    seeds = (gest(100, 0.2)(np.random.default_rng([7, k]), 2) for k in range(20))
    found = (next(d for d in compared("gest", pair) if d.of_second.name == "stereotype_rate") for pair in seeds)
    d = next(d for d in found if d.nearer_on_items is not None and not d.differs)
    assert d.nearer is None
    assert d.wide.low <= d.low < d.high <= d.wide.high
    sentence = describe_difference(d)
    assert sentence.startswith(f"On these questions {d.second} is ")
    assert "; for other stereotypes the difference is not significant ([" in sentence
    ranks = standings([[resampled("gest", model)["stereotype_rate"]] for model in rows], [1.0])
    assert {standing.over for standing in ranks} == {"stereotypes"}


def test_a_real_difference_is_found_and_says_what_it_generalises_to():
    rows = gest(60, 0.1, shift=1.0)(np.random.default_rng(1), 2)
    (d,) = (d for d in compared("gest", rows) if d.of_second.name == "stereotype_rate")
    assert describe_difference(d).startswith(f"{d.second} is more stereotypical than A, also for other stereotypes: ")
    assert d.to_json()["wide"]["over"] == "stereotypes"


def test_criteria_generalise_to_other_stereotypes():
    for seed in range(20):
        found = findings("gest-mt", [outcomes(rows) for rows in mt(60, 0.6)(np.random.default_rng([5, seed]), 2)])
        answer = conclude_answer(("A", "B"), found)
        narrow = on_items(answer)
        if narrow.better is not None and answer.better is None:
            break
    assert describe_answer(narrow)[0].startswith(f"{narrow.better} is better: it ")
    first = describe_answer(answer)[0]
    assert first.startswith("On these 960 questions ")
    assert "; for other stereotypes the difference" in first
    assert all(f.over == "stereotypes" and f.low <= f.items.low <= f.items.high <= f.high for f in found if f.items)


def test_criteria_generalise_to_other_occupations():
    found = findings("winomt", pairs_of_occupations(20, 200, 0.4)(np.random.default_rng(2), 2))
    assert {f.over for f in found if f.items} == {"occupations"}


def test_means_of_two_sides_cost_two_degrees_of_freedom():
    generator = np.random.default_rng(4)
    labels = np.repeat([f"g{k}" for k in range(16)], 5)
    units = np.array([f"u{k}" for k in range(80)])
    influences = generator.normal(0, 1, 16).repeat(5) / 80
    weights, side = np.full(80, 1 / 80), np.repeat([0, 1], [35, 45])
    one, two = (Crossing(influences, weights, means, units, labels).error for means in (0 * side, side))
    assert two.variance > one.variance
    assert two.freedom < one.freedom


def test_gates_take_the_interval_of_their_scope():
    (rows,) = gest(20, 0.2)(np.random.default_rng(3), 1)
    e = resampled("gest", rows)["stereotype_rate"].estimate
    wide, narrow = in_scope(e, "benchmark"), in_scope(e, "items")
    assert (wide.low, wide.high, wide.freedom) == (e.wide_low, e.wide_high, e.wide_freedom)
    assert (narrow.low, narrow.high, narrow.freedom) == (e.low, e.high, e.freedom)
    assert in_scope(replace(e, wide_freedom=None), "benchmark").freedom == 3
