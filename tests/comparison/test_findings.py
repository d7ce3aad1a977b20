"""Headlines say the size first and no more than the interval allows; plans and pools; margins of the wrong kind."""

import json
import math
import re
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
from benchmarks.null_rates import result
from benchmarks.null_rates import systems as equal_systems
from scipy import stats

import genderscope
from genderscope.comparison.power_analysis import ENDS
from genderscope.core.errors import UserError
from genderscope.measures import MEASURES, Options, measure_type
from genderscope.measures.gest import Gest, GestOptions
from genderscope.report.terminal.analysis_tables import plan_advice
from genderscope.samples.gest import MALE
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.power import (
    Precision,
    Units,
    power_to_detect,
    samples_needed,
    samples_to_exclude,
    smallest_effect,
)
from genderscope.statistics.student_intervals import Error
from genderscope.statistics.wide_intervals import wide_scope
from tests.measure_examples.gest_mt import translated


def g_s(value, low, high, **more):
    return Estimate(
        name="stereotype_rate", value=value, low=low, high=high, n=256, unread=0, neutral=1.0, method="test", **more
    )


class _Causal:
    sees_after, name = False, "planted"


def headline(*estimates, **options):
    return Gest(GestOptions(data="starter", **options), cast(Any, _Causal())).summary(list(estimates))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"as_published": True}, "where a ratio of 2 becomes 1.35, g_s is 1.30"),
        (
            {"scale": "log"},
            "The log odds of a male speaker are 1.30 higher in male-stereotyped than",
        ),
        ({"margin": 2.0}, "no effect beyond the threshold of a factor of 2."),
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
        ("gest", -1, "--margin is -1, but stereotype_rate is a ratio: give a factor above 1, such as 1.1"),
        ("gest", 0.03, "--margin is 0.03, but stereotype_rate is a ratio"),
        ("gest-mt", -0.1, "--margin is -0.1; give a distance from neutral above 0 for stereotype_rate, such as 0.03"),
        ("gest-mt", 1.1, "--margin is 1.1, but stereotype_rate lies at most 1 from neutral"),
        ("gest-mt", math.nan, "--margin is nan; give a distance"),
    ],
)
def test_a_margin_of_the_wrong_kind_gets_one_sentence(measure, margin, complaint):
    options: dict[str, Any] = {"to": ("sk",)} if measure == "gest-mt" else {}
    with pytest.raises(UserError, match=complaint):
        genderscope.evaluate(measure, "smollm2", margin=margin, **options)


def test_another_margin_changes_the_words_of_a_finished_run_and_no_number(tmp_path):
    def run(**more):
        return translated(tmp_path, lambda i: 0.6 if i in MALE else 0.5, ("sk",), out=tmp_path / "run", **more)

    first, second = run(), run(margin=0.9)
    assert first.signature == second.signature
    pd.testing.assert_frame_equal(first.estimates, second.estimates)
    assert "no effect beyond the threshold of 0.9" in second.summary
    kept = json.loads((tmp_path / "run" / "run.json").read_text())
    assert kept["margins"]["stereotype_rate"] == 0.9
    assert "margin" not in kept["configuration"]
    assert genderscope.load_run(tmp_path / "run").summary == second.summary
    assert run().summary == first.summary


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
    assert genderscope.plan("gest", 3.0, over="items").needed[0.8] == (32, pytest.approx(858, abs=2))  # type: ignore[comparison-overlap]
    assert samples_needed(10.0, Precision(1.0), 0.8) == 4


def test_a_small_pilot_asks_for_more_samples_and_says_how_uncertain_it_is():
    known, small = Precision(1.0), Precision(1.0, freedom=16)
    assert samples_needed(0.2, small, 0.8) > 1.08 * samples_needed(0.2, known, 0.8)
    assert [small.at(place).spread for place in ENDS] == pytest.approx([0.745, 1.522], abs=0.001)


def test_power_counts_the_variance_between_stereotypes():
    """Realised power in 1,000 studies of 3,565 sentences with the interval of `wide_scope`."""
    generator, sizes, tau, effect = np.random.default_rng(0), (9, 7), 0.1, 0.2
    narrow = 0.86**2 / 3565
    within = math.sqrt(narrow / (1 / 9 + 1 / 7))
    found = 0
    for _ in range(1000):
        sides = [generator.normal(0, math.hypot(tau, within), (size, 1)) for size in sizes]
        error = wide_scope(sides, Error(narrow, 3549), "stereotype").error
        assert error is not None
        found += effect + float(sides[0].mean() - sides[1].mean()) > error.half_width()
    precision = Precision(0.86, strata=16, units=(Units(sizes, tau),), floored=True)
    assert found / 1000 == pytest.approx(power_to_detect(effect, 3565, precision), abs=0.03)
    assert power_to_detect(effect, 3565, precision) < power_to_detect(effect, 3565, Precision(0.86, strata=16)) - 0.05


def test_a_plan_says_when_more_samples_cannot_help():
    short = genderscope.plan("gest", 1.1)
    assert short.needed[0.8][0] is None
    assert short.limit < 0.2
    assert short.more_units[0.8] is not None
    assert short.more_units[0.8]["stereotypes"] > 100
    assert "at most 15%" in (plan_advice(short) or "")
    alike = genderscope.plan("gest", 1.1, between=0.0)
    assert alike.needed[0.8][0] is not None
    assert alike.spread.between[0].source == "option --between"
    assert plan_advice(alike) is None
    with pytest.raises(UserError, match="--between is -1"):
        genderscope.plan("gest", between=-1.0)
    with pytest.raises(UserError, match="--between does not apply"):
        genderscope.plan("gest", between=0.1, over="items")


@pytest.mark.long
def test_a_plan_from_a_pilot_finds_what_the_pilot_would(systems):
    weak, strong = (genderscope.load_run(systems / name) for name in ("weak", "strong"))
    found = genderscope.plan("gest-mt", 0.4, pilot=[weak])
    f_s = weak.estimate("stereotype_rate")
    assert found.spread.size / math.sqrt(f_s.n) == pytest.approx((f_s.high - f_s.low) / 2 / 1.96, rel=0.15)
    assert found.needed[0.8][0] < found.needed[0.9][0]
    assert found.spread.between[0].source == "the pilot run"
    assert found.shown[f_s.n][0.8] > 2.8 * found.spread.size / math.sqrt(f_s.n)
    assert found.needed_range[0.8][0] <= found.needed[0.8][0]
    assert genderscope.plan("gest-mt", 0.1).needed_range == {}
    both = genderscope.plan("gest-mt", 0.1, pilot=[weak, strong])
    assert "difference between two pilot runs" in both.spread.source


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("gest", "--effect", "-2"), "--effect is -2, but stereotype_rate is a ratio and must be positive"),
        (("gest", "--effect", "0"), "--effect is 0, but stereotype_rate is a ratio and must be positive"),
        (("gest", "--effect", "1"), "--effect is 1, which for stereotype_rate means no effect"),
        (("gest-mt", "--effect", "0"), "--effect is 0, which for stereotype_rate means no effect"),
        (("gest-mt", "--effect", "1.1"), "--effect is 1.1, but stereotype_rate lies at most 1 from neutral"),
        (("gest", "--margin", "-0.1"), "--margin is -0.1, but stereotype_rate is a ratio"),
        (
            ("gest", "--samples", "2"),
            "--samples is 2; with fewer than 32 samples, stereotype_rate has no reliable interval",
        ),
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
        with pytest.raises(UserError, match="has no usable rows"):
            genderscope.plan("gest-mt", pilot=[replace(run, rows=empty)])
    with pytest.raises(UserError, match="is a run of 'gest-mt', not of 'gest'"):
        genderscope.plan("gest", pilot=[run])


def test_the_plan_of_the_command_line(cli):
    done = cli("power", "gest", "--effect", "1.2")
    assert done.returncode == 0, done.stderr
    assert "an effect of a factor of 1.2" in done.stdout
    assert "3,565 samples, the full dataset" in done.stdout
    assert json.loads(cli("power", "gest", "--effect", "0.9", "--json").stdout)["effect"]["size"] == pytest.approx(
        1 / 0.9
    )


@pytest.fixture
def simulated(monkeypatch):
    monkeypatch.setitem(MEASURES, "simulated", "benchmarks.null_rates:Simulated")


@pytest.mark.long
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
    assert "Across 2 runs: A male speaker is" in done.stdout
    found = json.loads(cli("pool", systems / "even", systems / "weak", "--json").stdout)
    f_s = next(e for e in found["estimates"] if e["name"] == "stereotype_rate" and e["language"] is None)
    assert f_s["value"] == pytest.approx(np.mean(f_s["values"]))
    assert f_s["low"] < min(f_s["values"])
    assert found["shared"] == len(genderscope.compare(systems / "even", systems / "weak").pairs["B"].first)


def test_runs_of_other_seeds_may_be_pooled(systems):
    run = genderscope.load_run(systems / "even")
    configuration = {**run.config["configuration"], "seed": 5}
    again = replace(run, config={**run.config, "configuration": configuration})
    found = genderscope.pool(run, again)
    assert found.lead.between == 0
    assert found.lead.estimate.value == pytest.approx(run.estimate("stereotype_rate").value)


def test_options_take_a_margin_and_keep_it_out_of_the_configuration():
    assert "margin" not in Options(margin=0.2).model_dump()


def test_the_table_of_the_documentation_is_the_programs_own():
    from benchmarks.planning_tables import planning_sources, planning_table

    from tests.docs.blocks import ROOT

    page = (ROOT / "docs" / "how-to" / "plan-a-study.md").read_text(encoding="utf-8")
    for name, lines in (("table", planning_table()), ("sources", planning_sources())):
        written = page.partition(f"<!-- planning {name} -->\n")[2].partition(f"<!-- end of planning {name} -->")[0]
        measures = set(re.findall(r"^\| `([a-z-]+)` \|", written, re.MULTILINE))
        assert len(measures) >= 16, "only a new measure may be missing until the tables are printed again"
        listed = [line for line in lines if not line.startswith("| `") or line.split("`")[1] in measures]
        assert written.strip().splitlines() == listed
