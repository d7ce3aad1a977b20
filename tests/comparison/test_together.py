"""What is looked at together is judged together: compare, gates and rankings call few equals different."""

import io
import random
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.null_rates import comparing, ranking, rates, result, systems
from scipy import stats

import genderscope
from genderscope.comparison import check, parse, rankings
from genderscope.comparison.neutral_distance import further, further_interval
from genderscope.judgement import Margin, describe_difference
from genderscope.measures import MEASURES
from genderscope.report import SafeConsole, show_gates
from genderscope.runs import estimates_to_frame
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.influence import replicated
from genderscope.statistics.simultaneous import Family


@pytest.fixture(autouse=True)
def simulated(monkeypatch):
    monkeypatch.setitem(MEASURES, "simulated", "benchmarks.null_rates:Simulated")


def test_further_is_the_difference_of_two_distances():
    draw = random.Random(0)
    for _ in range(100):
        a, b = draw.uniform(-1, 1), draw.uniform(-1, 1)
        assert further(b - a, b + a) == pytest.approx(abs(b) - abs(a))
    assert further(0.0, 0.4) == further(0.4, 0.0) == 0


def test_its_interval_is_all_that_the_two_intervals_allow():
    draw = random.Random(1)
    for shift in (0.0, 2.5, -2.5):
        for _ in range(20):
            d = sorted(draw.uniform(-2, 2) + shift for _ in range(2))
            s = sorted(draw.uniform(-2, 2) for _ in range(2))
            grid = [further(x, y) for x in np.linspace(d[0], d[1], 41) for y in np.linspace(s[0], s[1], 41)]
            low, high = further_interval((d[0], d[1]), (s[0], s[1]))
            assert low <= min(grid) + 1e-9
            assert high >= max(grid) - 1e-9
            assert (low, high) == pytest.approx((min(grid), max(grid)), abs=0.12)


def test_a_family_of_one_is_not_corrected_and_copies_count_once():
    generator = np.random.default_rng(0)
    one, *others = (replicated(generator.normal(size=2000), [200]) for _ in range(11))
    assert Family([one]).tail == pytest.approx(0.05)
    assert Family([one]).adjusted(0.03) == 0.03
    copies = Family([one] * 10)
    assert copies.tail == pytest.approx(0.05, abs=0.012)
    assert copies.adjusted(0.01) < 0.03
    apart = Family(others)
    assert 0.05 / 10 <= apart.tail < 0.009
    for p in (1e-6, 0.001, 0.01, 0.2):
        assert p <= apart.adjusted(p) <= min(1, 10 * p)


def test_the_smallest_p_is_corrected_no_more_than_by_bonferroni():
    generator = np.random.default_rng(1)
    family = Family([replicated(generator.normal(size=2000), [200]) for _ in range(8)])
    for p in (0.0001, 0.002, 0.01):
        assert family.adjusted(p) <= min(1.0, 8 * p)


def gate_on(run, comparison, text, *others):
    return check([parse(condition) for condition in (text, *others)], run, comparison)[0]


def limits(gate):
    """The ends of the first interval that a gate shows."""
    return [float(end) for end in gate.readings[0].split("[")[-1].split("]")[0].split(", ")]


def test_gates_of_several_kinds_are_corrected_together():
    first, second = leaning(0.7, 0.4), leaning(0.9, 0.3, number=1)
    comparison = genderscope.compare(first, second)
    texts = ("stereotype_rate > 9", "delta(stereotype_rate) > 9")
    for text, other in (texts, texts[::-1]):
        alone, joined = gate_on(second, comparison, text), gate_on(second, comparison, text, other)
        assert (alone.families, joined.families) == (1, 2)
        low, high = limits(alone)
        wider = limits(joined)
        assert wider[0] < low < high < wider[1]
    counted = gate_on(
        second, comparison, texts[0], "masculine_rate.value > 2", "coverage < 0.1", "distance(masculine_rate) > 9"
    )
    assert counted.families == 1, "values are one family, and conditions without an interval none"


def test_a_difference_that_is_barely_significant_does_not_pass_for_one_of_several_families():
    first, second = leaning(0.7, 0.4), leaning(0.95, 0.2, number=1)
    comparison = genderscope.compare(first, second)
    low = comparison.lead("B").for_model.low
    text = f"delta(stereotype_rate) > {low - 0.001}"
    assert not gate_on(second, comparison, text).passed
    assert gate_on(second, comparison, text, "masculine_rate > 2").passed


@pytest.mark.long
def test_equal_systems_are_seldom_called_different():
    """Uncorrected, an interval in three of five such comparisons leaves out no difference."""
    found = rates(comparing, 16)
    assert found.pop("compare: interval and verdict disagree") == 0
    assert len(found) == 7
    assert max(found.values()) <= 3 / 16, found


@pytest.mark.long
@pytest.mark.parametrize("lean", [0.4, 0.0])
def test_none_of_many_equal_systems_is_called_worse(lean):
    (share,) = rates(ranking(8, lean), 12).values()
    assert share <= 2 / 12


def leaning(male, female, seed=0, number=0):
    """A translator with these chances of a masculine form; sentences are hard or easy for all alike."""
    rows = systems(1, ("sk",), [seed])[0].rows
    luck = np.random.default_rng([7, seed]).random(len(rows))
    mine = np.random.default_rng([8, number]).random(len(rows))
    mixed = np.where(mine < 0.8, luck, mine / 0.8 - 1)
    masculine = mixed < np.where(rows["male"], male, female)
    return result(rows.assign(sk=masculine.astype(float)), number)


def test_a_real_difference_is_found_by_all_three():
    biased, mild = leaning(0.9, 0.3), leaning(0.65, 0.55, number=1)
    comparison = genderscope.compare(mild, biased)
    assert comparison.lead("B").differs
    assert comparison.lead("B").nearer == "A"
    assert comparison.lead("B").further_low > 0
    gates = check([parse("delta(stereotype_rate).low > 0"), parse("worse(stereotype_rate) > 0.1")], biased, comparison)
    assert not any(gate.passed for gate in gates)
    (found,) = rankings({"biased": biased, "mild": mild})
    assert found.entries[0].path == "mild"
    assert [entry.ranks for entry in found.entries] == [(1, 1), (2, 2)]


def test_a_difference_too_small_to_matter_is_called_so(monkeypatch):
    from benchmarks.null_rates import Simulated

    runs = systems(2, ("sk",), [3])
    assert not genderscope.compare(*runs).lead("B").negligible
    monkeypatch.setattr(Simulated, "margins", {"stereotype_rate": Margin(0.5)})
    comparison = genderscope.compare(*runs)
    assert comparison.lead("B").negligible
    assert ", and none beyond the threshold of 0.5: Δstereotype_rate" in describe_difference(comparison.lead("B"))
    monkeypatch.setattr(Simulated, "margins", {"stereotype_rate": Margin(0.9)})
    apart = genderscope.compare(leaning(0.9, 0.3), leaning(0.65, 0.55, number=1))
    assert ", by less than the threshold of 0.9: Δstereotype_rate" in describe_difference(apart.lead("B"))


def test_a_gate_forgives_chance_unless_it_tests_the_value():
    runs = systems(2, ("sk",), [3])
    comparison = genderscope.compare(*runs)
    d = comparison.lead("B")
    assert d.low < 0 < d.high
    above, below = ("<", ">") if d.value < 0 else (">", "<")
    limit = d.value / 2
    held, plain, reverse = (
        check([parse(text)], runs[-1], comparison)[0]
        for text in (
            f"delta(stereotype_rate) {above} {limit}",
            f"delta(stereotype_rate).value {above} {limit}",
            f"delta(stereotype_rate) {below} {limit}",
        )
    )
    assert held.passed
    assert "not significantly beyond the limit" in held.readings[0]
    assert not plain.passed
    assert reverse.passed
    e = next(e for e in runs[-1].as_estimates() if e.name == "stereotype_rate")
    for limit, fails in ((e.low - 0.001, True), (e.low + 0.001, False)):
        assert check([parse(f"stereotype_rate > {limit}")], runs[-1])[0].passed is not fails
        assert not check([parse(f"stereotype_rate.value > {limit}")], runs[-1])[0].passed


@pytest.mark.parametrize("function", ["worse", "delta"])
def test_a_gate_on_a_difference_tests_against_its_limit(function):
    first, second = leaning(0.7, 0.4), leaning(0.95, 0.2, number=1)
    comparison = genderscope.compare(first, second)
    d = comparison.lead("B")
    low = d.further_low if function == "worse" else d.low
    assert low > 0.05
    for limit, fails in ((low - 0.001, True), (low + 0.001, False)):
        gate = check([parse(f"{function}(stereotype_rate) > {limit}")], second, comparison)[0]
        assert gate.passed is not fails


def test_not_worse_by_more_than_a_margin_must_be_shown():
    same, worse = leaning(0.7, 0.4, number=1), leaning(0.95, 0.2, number=2)
    first = leaning(0.7, 0.4)
    for run, passes in ((same, True), (worse, False)):
        comparison = genderscope.compare(first, run)
        gate = check([parse("worse(stereotype_rate).high > 0.25")], run, comparison)[0]
        assert gate.passed is passes
        nested = check([parse("delta(distance(stereotype_rate)).high > 0.25")], run, comparison)[0]
        assert nested.passed is passes
    few = [replace(run, rows=run.rows.iloc[:24]) for run in (first, same)]
    gate = check([parse("worse(stereotype_rate).high > 0.25")], few[-1], genderscope.compare(*few))[0]
    assert not gate.passed, "24 sentences cannot show it"


def test_a_gate_on_a_difference_shows_the_interval_of_the_table():
    runs = systems(2, ("cs", "pl", "sk"), [5])
    comparison = genderscope.compare(*runs)
    d = next(d for d in comparison.differences if d.name == "stereotype_rate[sk]")
    for text in ("delta(stereotype_rate[sk]) > 9", "delta(stereotype_rate) > 9"):
        gate = check([parse(text)], runs[-1], comparison)[0]
        assert gate.together == len(comparison.differences) == 8
        shown = next(text for text in gate.readings if "stereotype_rate[sk]" in text)
        assert f"[{d.low:.4g}, {d.high:.4g}]" in shown


def test_gates_on_many_estimates_of_a_run_widen_by_the_quantile_of_t():
    estimates = [
        Estimate(name="q", value=1.0, low=0.0, high=2.0, n=4, unread=0, neutral=None, method="t", freedom=3).with_keys(
            category=str(k)
        )
        for k in range(5)
    ]
    run = replace(systems(1, ("sk",), [0])[0], estimates=estimates_to_frame(estimates))
    one, every = (check([parse(text)], run)[0].readings[0] for text in ("q[0] > 9", "q > 9"))
    assert "[0, 2], n = 4" in one
    factor = stats.t.ppf(0.005, 3) / stats.t.ppf(0.025, 3)
    assert f"[{1 - factor:.4g}, {1 + factor:.4g}], n = 4" in every


@pytest.mark.long
def test_a_system_that_makes_everyone_a_man_is_not_first(monkeypatch):
    from benchmarks.null_rates import Simulated

    runs = {"man": leaning(1.0, 1.0), "fair": leaning(0.75, 0.5, number=1), "far": leaning(0.95, 0.1, number=2)}
    (alone,) = rankings(runs)
    assert alone.entries[0].path == "man", "by stereotype_rate alone it would be"
    monkeypatch.setattr(
        Simulated, "margins", {"stereotype_rate": Margin(0.03, most=1.0), "masculine_rate": Margin(0.05, most=0.5)}
    )
    monkeypatch.setattr(Simulated, "ranked_with", ("masculine_rate",))
    (both,) = rankings(runs)
    assert both.criteria == ("stereotype_rate", "masculine_rate")
    assert both.entries[0].path == "fair"
    man = next(entry for entry in both.entries if entry.path == "man")
    assert man.ranks[0] > 1
    # The fair one is the nearest over both, but significantly further in f_s than the one that makes everyone a man.
    assert both.entries[0].ranks == (1, 3)
    assert [entry.path for entry in both.entries] == ["fair", "far", "man"], (
        "masculine_rate of 1 is as far as it can be"
    )


def test_a_passed_gate_says_which_worsening_is_not_ruled_out():
    first, same = leaning(0.7, 0.4), leaning(0.7, 0.4, number=1)
    comparison = genderscope.compare(first, same)
    d = comparison.lead("B")
    assert d.low < 0 < d.high
    expected = {
        "delta(stereotype_rate).low > 0": f"is higher by up to {d.high:.2g}",
        f"delta(stereotype_rate) > {d.high - 0.001}": f"is higher by up to {d.high:.2g}",
        f"delta(stereotype_rate) > {d.high + 0.001}": None,
        f"delta(stereotype_rate) < {d.low + 0.001}": f"is lower by up to {-d.low:.2g}",
        "worse(stereotype_rate) > 0": f"is further from neutral by up to {d.further_high:.2g}",
        "delta(stereotype_rate).p < 0.001": None,
    }
    for text, said in expected.items():
        gate = check([parse(text)], same, comparison)[0]
        assert gate.passed, text
        assert [each.partition(" ")[2] for each in gate.not_ruled_out] == ([] if said is None else [said]), text
    assert check([parse("stereotype_rate > 0.9")], same)[0].not_ruled_out == ()
    shown = io.StringIO()
    show_gates(check([parse("delta(stereotype_rate).low > 0")], same, comparison), SafeConsole(file=shown, width=200))
    assert f"Not ruled out by the interval: {d.name} is higher by up to {d.high:.2g}." in shown.getvalue()
