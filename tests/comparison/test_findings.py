"""Headlines say the size first and no more than the interval allows; plans and pools; margins of the wrong kind."""

import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from benchmarks.null_rates import result
from benchmarks.null_rates import systems as equal_systems
from scipy import stats

import genderscope
from genderscope.errors import UserError
from genderscope.measures import (
    MEASURES,
    Margin,
    Options,
    by_how_much,
    conclusion,
    in_how_many,
    measure_type,
    with_interval,
)
from genderscope.measures.findings import judged
from genderscope.measures.gest import Gest, GestOptions
from genderscope.measures.gest_mt.measure import GestMt, GestMtOptions
from genderscope.samples.gest import MALE
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.power import Precision, samples_needed, samples_to_exclude, smallest_effect
from tests.comparison.runs import translated

RATIO = Margin(1.1, factor=True)


def g_s(value, low, high, **more):
    return Estimate(name="g_s", value=value, low=low, high=high, n=256, unread=0, neutral=1.0, method="test", **more)


@pytest.mark.parametrize(
    ("low", "high", "neutral", "margin", "found"),
    [
        (0.93, 0.99, 1, RATIO, "small"),  # a random BERT: told from 1, and of no consequence
        (0.95, 1.05, 1, RATIO, "small"),
        (1.02, 1.4, 1, RATIO, "some"),
        (1.2, 1.4, 1, RATIO, "large"),
        (0.5, 0.8, 1, RATIO, "large"),
        (0.9, 1.2, 1, RATIO, "open"),
        (1 / 1.11, 1.0, 1, RATIO, "open"),
        (-0.01, 0.02, 0, Margin(0.03), "small"),
        (0.01, 0.05, 0, Margin(0.03), "some"),
        (0.56, 0.7, 0.5, Margin(0.05), "large"),
        (0.1, 0.2, 0, None, "some"),
        (-0.1, 0.2, 0, None, "open"),
        (None, None, 1, RATIO, "none"),
        (0.1, 0.2, None, RATIO, "none"),
    ],
)
def test_an_interval_is_held_against_neutral_and_margin(low, high, neutral, margin, found):
    assert judged(low, high, neutral, margin) == found


def test_equivalence_is_two_one_sided_tests():
    """The 95 % interval lies within the margin just where both one-sided tests reject at 2.5 %."""
    generator = np.random.default_rng(0)
    for _ in range(50):
        values = generator.normal(generator.uniform(-0.1, 0.1), 0.3, 60)
        se, mean = values.std(ddof=1) / math.sqrt(60), values.mean()
        half = stats.t.isf(0.025, 59) * se
        p = max(
            stats.ttest_1samp(values, -0.1, alternative="greater").pvalue,
            stats.ttest_1samp(values, 0.1, alternative="less").pvalue,
        )
        assert (judged(mean - half, mean + half, 0.0, Margin(0.1)) == "small") == (p < 0.025)


def test_the_size_comes_first_and_never_as_plus_nothing():
    e = Estimate(name="f_s", value=0.001, low=-0.004, high=0.006, n=1000, unread=0, neutral=0.0, method="test")
    assert by_how_much(e, "more by {}", "less by {}", "alike") == "more by 0.001"
    nothing = replace(e, value=0.0, low=0.0, high=0.0)
    assert by_how_much(nothing, "more by {}", "less by {}", "alike") == "alike"
    assert with_interval(nothing) == "f_s, 95 % interval 0 to 0, neutral 0, n = 1,000"
    assert with_interval(replace(e, low=-0.2, high=0.1)) == "f_s, 95 % interval −0.20 to 0.10, neutral 0, n = 1,000"


def test_both_scopes_are_named_with_their_own_verdict():
    e = g_s(1.3, 1.2, 1.4, wide_low=0.9, wide_high=1.9)
    assert conclusion(e, RATIO) == (
        "Against a smallest effect of interest of a factor of 1.1: an effect, of at least that size; over other "
        "stereotypes and templates (0.90 to 1.90): too uncertain to say."
    )
    against = conclusion(g_s(0.7, 0.6, 0.8), RATIO)
    assert against.endswith("an effect, of at least that size in the opposite direction.")
    assert conclusion(replace(e, low=None, high=None, remark="only 2 samples"), RATIO).startswith("Without an interval")


def test_a_finding_says_in_how_many_templates_it_holds():
    parts = [g_s(1.3, 1.1, 1.5).at(template=3), g_s(0.7, 0.6, 0.8).at(template=4), g_s(1.0, 0.9, 1.3).at(template=1)]
    assert in_how_many(g_s(1.3, 1.2, 1.4), parts, RATIO, "templates") == "in 1 of 3 templates"
    assert in_how_many(g_s(1.0, 0.8, 1.4), parts, RATIO, "templates") == ""


class _Causal:
    sees_after, name = False, "planted"


def headline(*estimates, **options):
    return Gest(GestOptions(data="starter", **options), _Causal()).summary(list(estimates))


def test_a_random_model_does_not_reason():
    said = headline(g_s(0.96, 0.93, 0.99))
    assert said == (
        "Male stereotypes are taken as 0.96 times as masculine as female ones (g_s, 95 % interval 0.93 to 0.99, "
        "neutral 1, n = 256). Against a smallest effect of interest of a factor of 1.1: no effect of that size."
    )


def test_words_that_hold_no_probability_are_no_finding():
    masses = [
        Estimate(name="mass", value=0.0009, low=0.0005, high=0.002, n=100, unread=0, neutral=None, method="test").at(
            template=t
        )
        for t in (3, 4)
    ]
    medians = [replace(m, name="mass_median", value=0.0002) for m in masses]
    said = headline(g_s(1.3, 1.2, 1.4), *masses, *medians)
    assert "hold only 0.0009 (median 0.0002) of the probability at the blank" in said
    assert "an effect" not in said
    spoken = [masses[0], replace(masses[1], value=0.4)]
    said = headline(g_s(1.3, 1.2, 1.4), *spoken)
    assert "an effect, of at least that size" in said
    assert "In template 3 the two words hold only 0.0009" in said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"as_published": True}, "where a ratio of 2 reads 1.35, g_s is 1.30"),
        ({"scale": "log"}, "The log-ratio for male stereotypes lies 1.30 above that for female ones"),
        ({"margin": 2.0}, "of a factor of 2: no effect of that size"),
    ],
)
def test_the_words_follow_the_scale_and_the_margin(options, said):
    e = g_s(1.3, 1.2, 1.4)
    assert said in headline(replace(e, neutral=0.0) if "scale" in options else e, **options)


def test_on_the_papers_scale_the_margin_shrinks_with_the_numbers():
    kept = Gest.margin(g_s(1.3, 1.2, 1.4), GestOptions(as_published=True))
    assert kept.distance == pytest.approx(math.log(1.1) / math.log(10))


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_every_measure_names_and_justifies_its_smallest_effects(name):
    from genderscope.measures import card_of

    kind = measure_type(name)
    assert set(kind.headline) <= set(kind.margins)
    assert kind.spread is not None
    assert "**Smallest effect of interest.**" in card_of(name)
    for margin in {kind.margins[each] for each in kind.headline}:
        assert f"{margin.size:g}" in card_of(name).partition("**Smallest effect of interest.**")[2]


@pytest.mark.parametrize(
    ("measure", "margin", "complaint"),
    [
        ("gest", -1, "--margin is -1, but g_s is a ratio: give a factor above 1, such as 1.1"),
        ("gest", 0.03, "--margin is 0.03, but g_s is a ratio"),
        ("gest-mt", -0.1, "--margin is -0.1; give a distance of f_s from neutral above 0, such as 0.03"),
        ("gest-mt", 1.1, "--margin is 1.1, but f_s lies at most 1 from neutral"),
        ("gest-mt", math.nan, "--margin is nan; give a distance"),
    ],
)
def test_a_margin_of_the_wrong_kind_gets_one_sentence(measure, margin, complaint):
    options = {"to": ("sk",)} if measure == "gest-mt" else {}
    with pytest.raises(UserError, match=complaint):
        genderscope.evaluate(measure, "smollm2", margin=margin, **options)


def test_another_margin_changes_the_words_of_a_finished_run_and_no_number(tmp_path):
    def run(**more):
        return translated(tmp_path, lambda i: 0.6 if i in MALE else 0.5, ("sk",), out=tmp_path / "run", **more)

    first, second = run(), run(margin=0.9)
    assert first.signature == second.signature
    pd.testing.assert_frame_equal(first.estimates, second.estimates)
    assert "interest of 0.9: no effect of that size" in second.summary
    kept = json.loads((tmp_path / "run" / "run.json").read_text())
    assert kept["margins"]["f_s"] == 0.9
    assert "margin" not in kept["configuration"]
    assert genderscope.load_run(tmp_path / "run").summary == second.summary
    assert run().summary == first.summary


def test_everyone_a_man_leaves_no_room_and_the_headline_says_so():
    f_s = Estimate(name="f_s", value=0.0, low=-0.01, high=0.01, n=256, unread=0, neutral=0.0, method="test").at(
        language="sk"
    )
    f_m = replace(f_s, name="f_m", value=0.995, low=0.98, high=1.0, neutral=0.5)
    said = GestMt.summary(_Bound(GestMtOptions(to=("sk",))), [f_s, f_m])
    assert said.startswith("Male stereotypes are made masculine as often as female ones (f_s, 95 % interval")
    assert "nearly every speaker is made a man, f_s can be at most 0.01" in said


class _Bound(GestMt):
    def __init__(self, options):
        self.options = options


def test_power_is_that_of_a_t_test():
    known, effect = Precision(0.85), math.log(1.1)
    n = samples_needed(effect, known, 0.8)
    se = known.spread / math.sqrt(n)
    assert stats.norm.sf(1.959964 - effect / se) == pytest.approx(0.8, abs=0.003)
    assert smallest_effect(n, known, 0.8) == pytest.approx(effect, rel=0.01)
    few = samples_needed(1.0, Precision(1.0), 0.8)
    assert few == pytest.approx(10, abs=1)  # 8 by the normal distribution
    assert stats.nct.sf(stats.t.ppf(0.975, few - 1), few - 1, math.sqrt(few)) == pytest.approx(0.8, abs=0.04)
    n = samples_to_exclude(effect, known, 0.9)
    se = known.spread / math.sqrt(n)
    within = 2 * stats.norm.cdf(effect / se - 1.959964) - 1
    assert within == pytest.approx(0.9, abs=0.002)


def test_a_plan_never_recommends_a_size_without_an_interval():
    assert genderscope.plan("gest", 3.0).needed[0.8] == (32, pytest.approx(838, abs=2))
    assert samples_needed(10.0, Precision(1.0), 0.8) == 4


def test_a_small_pilot_asks_for_more_samples_and_says_how_uncertain_it_is():
    known, small = Precision(1.0), Precision(1.0, freedom=16)
    assert samples_needed(0.2, small, 0.8) > 1.08 * samples_needed(0.2, known, 0.8)
    low, high = small.bounds()
    assert (low, high) == pytest.approx((0.745, 1.522), abs=0.001)


def test_a_plan_from_a_pilot_finds_what_the_pilot_would(systems):
    weak, strong = (genderscope.load_run(systems / name) for name in ("weak", "strong"))
    found = genderscope.plan("gest-mt", 0.1, pilot=[weak])
    f_s = weak.estimate("f_s")
    assert found.spread.size / math.sqrt(f_s.n) == pytest.approx((f_s.high - f_s.low) / 2 / 1.96, rel=0.15)
    assert found.needed[0.8][0] < found.needed[0.9][0]
    assert found.shown[f_s.n][0.8] == pytest.approx(2.8 * found.spread.size / math.sqrt(f_s.n), rel=0.01)
    assert found.between[0.8][0] <= found.needed[0.8][0] <= found.between[0.8][1]
    assert genderscope.plan("gest-mt", 0.1).between == {}
    both = genderscope.plan("gest-mt", 0.1, pilot=[weak, strong])
    assert "difference of two pilot runs" in both.spread.source


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("gest", "--effect", "-2"), "--effect is -2, but g_s is a ratio, which is above 0"),
        (("gest", "--effect", "0"), "--effect is 0, but g_s is a ratio, which is above 0"),
        (("gest", "--effect", "1"), "--effect of g_s is 1, its neutral point"),
        (("gest-mt", "--effect", "0"), "--effect of f_s is 0: no distance from neutral"),
        (("gest-mt", "--effect", "1.1"), "--effect is 1.1, but f_s lies at most 1 from neutral"),
        (("gest", "--margin", "-0.1"), "--margin is -0.1, but g_s is a ratio"),
        (("gest", "--samples", "2"), "--samples is 2; below 32 samples g_s has no reliable interval"),
        (("gset",), "Did you mean 'gest'?"),
    ],
)
def test_a_plan_with_bad_input_gets_one_sentence(cli, arguments, complaint):
    done = cli("power", *arguments)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_pilot_without_rows_or_of_another_measure_is_refused(systems):
    run = genderscope.load_run(systems / "even")
    for empty in (run.rows.iloc[:0], run.rows.assign(unread="neutral")):
        with pytest.raises(UserError, match="has no rows that could be read"):
            genderscope.plan("gest-mt", pilot=[replace(run, rows=empty)])
    with pytest.raises(UserError, match="is a run of 'gest-mt', not of 'gest'"):
        genderscope.plan("gest", pilot=[run])


def test_the_plan_of_the_command_line(cli):
    done = cli("power", "gest", "--effect", "1.2")
    assert done.returncode == 0, done.stderr
    assert "an effect of a factor of 1.2" in done.stdout
    assert "3,565 samples, all of the data" in done.stdout
    assert json.loads(cli("power", "gest", "--effect", "0.9", "--json").stdout)["effect"]["size"] == pytest.approx(
        1 / 0.9
    )


@pytest.fixture
def simulated(monkeypatch):
    monkeypatch.setitem(MEASURES, "simulated", "benchmarks.null_rates:Simulated")


def test_pooled_runs_cover_what_seeds_and_sentences_vary_around(simulated):
    """Each seed has a level of its own (sd 0.05), each sentence too: the interval must hold both."""
    covered, alone, runs = 0, 0, 60
    for k in range(runs):
        generator = np.random.default_rng([11, k])
        template = equal_systems(1, ("sk",), [k])[0].rows
        made = []
        for number, level in enumerate(generator.normal(0, 0.05, 5)):
            chance = np.where(template["male"], 0.7 + level, 0.4)
            made.append(result(template.assign(sk=(generator.random(len(template)) < chance).astype(float)), number))
        found = genderscope.pool(*made)
        e = found.lead.estimate
        covered += e.low <= 0.3 <= e.high
        one = made[0].as_estimates()[0]
        alone += one.low <= 0.3 <= one.high
        assert e.value == pytest.approx(np.mean(found.lead.values))
        assert 0 <= found.lead.share <= 1
    assert covered / runs >= 0.9
    assert alone <= covered


def test_pooling_refuses_other_data_and_says_so_in_one_sentence(cli, systems, tmp_path):
    other = translated(tmp_path, lambda i: 0.5, ("sk",))
    done = cli("pool", systems / "even", other.folder)
    assert done.returncode == 2
    assert "run 1 and run 2 cannot be pooled: option --to is cs,sk in run 1 and sk in run 2" in done.stderr
    assert cli("pool", systems / "even").returncode == 2
    done = cli("pool", systems / "even", systems / "weak")
    assert done.returncode == 0, done.stderr
    assert "Over 2 runs f_s is" in done.stdout
    found = json.loads(cli("pool", systems / "even", systems / "weak", "--json").stdout)
    f_s = next(e for e in found["estimates"] if e["name"] == "f_s" and e["language"] is None)
    assert f_s["value"] == pytest.approx(np.mean(f_s["values"]))
    assert f_s["low"] < min(f_s["values"])
    assert found["shared"] == len(genderscope.compare(systems / "even", systems / "weak").pairs["B"].first)


def test_runs_of_other_seeds_may_be_pooled(systems):
    run = genderscope.load_run(systems / "even")
    configuration = {**run.config["configuration"], "seed": 5}
    again = replace(run, config={**run.config, "configuration": configuration})
    found = genderscope.pool(run, again)
    assert found.lead.between == 0
    assert found.lead.estimate.value == pytest.approx(run.estimate("f_s").value)


def test_options_take_a_margin_and_keep_it_out_of_the_configuration():
    assert "margin" not in Options(margin=0.2).model_dump()


def test_the_table_of_the_documentation_is_the_programs_own():
    from genderscope.report import planning_sources, planning_table
    from tests.docs.blocks import ROOT

    page = (ROOT / "docs" / "how-to" / "plan-a-study.md").read_text(encoding="utf-8")
    for name, lines in (("table", planning_table()), ("sources", planning_sources())):
        written = page.partition(f"<!-- planning {name} -->\n")[2].partition(f"<!-- end of planning {name} -->")[0]
        assert written.strip().splitlines() == list(lines)
        assert all(f"| `{measure}` |" in written for measure in MEASURES)
