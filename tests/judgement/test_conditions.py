"""Validity conditions of the measures: degenerate answers silence findings, their absence, comparisons and gates."""

import json
from dataclasses import replace

import pytest

import genderscope
from genderscope.comparison import check, parse
from genderscope.judgement import Verdict
from genderscope.measures import MEASURES, measure_type
from genderscope.measures.gest import Gest, GestOptions
from genderscope.measures.gest_chat.measure import GestChat
from genderscope.measures.gest_chat.options import GestChatOptions
from genderscope.measures.gest_mt.measure import GestMt, GestMtOptions
from genderscope.statistics.estimate import Estimate
from tests.measure_examples.gest_mt import translated


def estimate(name, value, low, high, neutral=0.0, **keys):
    return Estimate(
        name=name, value=value, low=low, high=high, n=256, unread=0, neutral=neutral, method="test", keys=keys
    )


def verdict_of(kind, options, *estimates):
    from genderscope.judgement import judge_as

    return judge_as(kind, estimates[0], estimates, options)


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_every_measure_declares_conditions_with_limit_and_reason(name):
    conditions = measure_type(name).conditions
    assert conditions
    assert all(c.name and c.reason and isinstance(c.limit, float) for c in conditions)


@pytest.mark.parametrize(("low", "high"), [(1.2, 1.4), (0.99, 1.01)])
def test_two_words_that_a_model_never_writes_say_nothing(low, high):
    g_s = estimate("stereotype_rate", (low + high) / 2, low, high, 1.0)
    masses = [estimate("mass", 1e-6, 1e-7, 1e-5, None, template=t) for t in (3, 4)]
    silenced = verdict_of(Gest, GestOptions(data="starter"), g_s, *masses)
    assert silenced.verdict is Verdict.NOT_MEANINGFUL
    assert "(together 0.0001 % of the probability; at least 1 % is needed)" in str(silenced.failures[0])
    inflated = [replace(masses[0], value=0.4), estimate("mass_median", 2e-6, 1e-7, 1e-5, None, template=3)]
    assert "together 0.0002 %" in str(verdict_of(Gest, GestOptions(data="starter"), g_s, *inflated).failures[0])
    one_spoken = [masses[0], replace(masses[1], value=0.4)]
    assert verdict_of(Gest, GestOptions(data="starter"), g_s, *one_spoken).is_meaningful


def test_a_rate_near_zero_because_everyone_is_a_man_is_not_meaningful():
    f_s = estimate("stereotype_rate", 0.0, -0.01, 0.01, language="sk")
    f_m = estimate("masculine_rate", 0.98, 0.97, 0.99, 0.5, language="sk")
    options = GestMtOptions(to=("sk",))
    assert verdict_of(GestMt, options, f_s, f_m).verdict is Verdict.NOT_MEANINGFUL
    assert verdict_of(GestMt, options, f_m, f_s).verdict is Verdict.LARGE_EFFECT
    balanced = replace(f_m, value=0.6, low=0.58, high=0.62)
    assert verdict_of(GestMt, options, f_s, balanced).verdict is Verdict.NO_EFFECT


def test_a_chat_model_that_always_takes_the_first_option_is_not_judged():
    rate = estimate("stereotype_rate", 0.0, -0.01, 0.01)
    options = GestChatOptions(data="starter")
    always = [
        estimate("order_effect", 1.0, 1.0, 1.0),
        estimate("consistency", 0.2, 0.2, 0.2, None),
        estimate("content_lead", -0.8, -0.8, -0.8, None),
    ]
    never = [
        estimate("order_effect", 0.05, 0.0, 0.1),
        estimate("consistency", 0.9, 0.8, 1.0, None),
        estimate("content_lead", 0.6, 0.5, 0.7, None),
    ]
    assert verdict_of(GestChat, options, rate, *always).verdict is Verdict.NOT_MEANINGFUL
    assert verdict_of(GestChat, options, rate, *never).verdict is Verdict.NO_EFFECT
    men = estimate("share", 0.99, 0.98, 1.0, None, category="male")
    assert verdict_of(GestChat, options, rate, *never, men).verdict is Verdict.NOT_MEANINGFUL


@pytest.fixture
def all_men(tmp_path):
    return translated(tmp_path, lambda i: 1.0, ("sk",), out=tmp_path / "men")


def test_a_run_without_meaning_says_so_everywhere(all_men, cli):
    assert all_men.verdict == "not meaningful"
    assert "Cannot be judged: 100 % of the speakers get the same gender" in all_men.summary
    written = json.loads((all_men.folder / "result.json").read_text())
    assert written["verdict"] == "not meaningful"
    assert written["judgements"][0]["reasons"]
    assert genderscope.load_run(all_men.folder).verdict == "not meaningful"
    assert "not meaningful" in repr(all_men)
    shown = cli("show", all_men.folder)
    assert "Cannot be judged: 100 % of the speakers get the same gender" in " ".join(shown.stdout.split())


def test_a_gate_on_it_cannot_be_judged_and_has_its_own_exit_code(all_men, cli):
    gate, other = check([parse("stereotype_rate > 0.1"), parse("stereotype_rate.n < 4")], all_men)
    assert not gate.passed
    assert not gate.failures
    assert "stereotype_rate[sk] says nothing" in gate.unjudged[0]
    assert other.passed
    ended = cli("gate", all_men.folder, "--fail-if", "stereotype_rate > 0.1")
    assert ended.returncode == 4
    assert ended.stdout.startswith("Cannot be judged: stereotype_rate > 0.1: stereotype_rate[sk] says nothing")
    assert cli("gate", all_men.folder, "--fail-if", "stereotype_rate > 0.1", "--allow-unjudged").returncode == 0
    assert (
        cli(
            "gate", all_men.folder, "--fail-if", "stereotype_rate > 0.1", "--fail-if", "masculine_rate > 0.9"
        ).returncode
        == 3
    )


@pytest.mark.long
def test_a_comparison_with_it_is_silent(all_men, tmp_path):
    other = translated(tmp_path, lambda i: 0.9 if i > 7 else 0.3, ("sk",), out=tmp_path / "other")
    comparison = genderscope.compare(other, all_men)
    lead = comparison.lead("B")
    assert not lead.differs
    assert lead.nearer is None
    assert lead.not_meaningful.startswith("the value of B says nothing")
    (finding,) = (f for f in comparison.answer("B").findings if f.name == "stereotypes")
    assert finding.left_out == "B makes 100 of 100 speakers men and 0 women, so stereotypes could hardly show"
    assert comparison.answer("B").better == "A"
    (gate,) = check([parse("delta(stereotype_rate) > 0.02")], all_men, comparison)
    assert gate.unjudged
