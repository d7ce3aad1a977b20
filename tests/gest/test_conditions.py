"""Validity conditions of gest, at the functions that decide: controls, agreement between prompts, likelihood gain."""

import math

import numpy as np
import pandas as pd
import pytest

from genderscope.judgement import judge_as
from genderscope.measures.competence import BETTER_THAN_CHANCE, likelihood_gain
from genderscope.measures.controls import RESPONDS, known_answers, pair_estimates
from genderscope.measures.gest.conditions import PROMPT_AGREEMENT, PROMPTS_AGREE, PUBLISHED_PROMPTS
from genderscope.measures.gest.measure import Gest, GestOptions
from genderscope.measures.rate_agreement import prompt_agreement
from genderscope.statistics.estimate import Estimate

RATE = Estimate(name="stereotype_rate", value=1.5, low=1.3, high=1.7, n=256, unread=0, neutral=1.0, method="test")


def controls(values, kind="known"):
    """Rows of controls: `values` are (high, low) of each pair."""
    rows = [
        (kind, pair, side, "en", value)
        for pair, both in enumerate(values)
        for side, value in zip(("high", "low"), both, strict=True)
    ]
    names = ("control_kind", "control_pair", "control_side", "control_language", "log_ratio")
    return pd.DataFrame(rows, columns=list(names))


def estimates_of(values, kind="known"):
    frame = controls(values, kind)
    return {e.name: e for e in pair_estimates(frame, frame["log_ratio"])}


def agreement(values, stereotypes=4):
    """The agreement between prompts for rows [sentences, prompts] spread over stereotypes."""
    tables = dict(enumerate(np.array_split(np.asarray(values, dtype=float), stereotypes)))
    return prompt_agreement(tables, range(len(values[0])), PROMPT_AGREEMENT)


def drawn(sentences=256, prompts=3, shared=0.0, seed=0):
    generator = np.random.default_rng(seed)
    common = generator.normal(size=(sentences, 1))
    return shared * common + generator.normal(size=(sentences, prompts))


def test_a_pair_is_right_if_the_high_version_is_higher_and_ties_and_unread_pairs_count_half():
    found = estimates_of([(2, 1), (3, 1), (1, 2), (1, 1), (math.nan, 1)])
    assert found["control"].value == pytest.approx((2 + 0.5 + 0.5) / 5)
    assert (found["control"].n, found["control"].unread) == (5, 1)
    assert found["control_auc"].n == 4


def test_prompts_of_one_version_are_averaged():
    frame = pd.concat([controls([(5, 0), (0, 1)]), controls([(-1, 0), (4, 1)])])
    (control, _) = pair_estimates(frame, frame["log_ratio"])
    assert (control.value, control.n) == (1.0, 2)


def test_pairs_with_nothing_to_know_have_an_estimate_of_their_own_that_is_no_condition():
    found = estimates_of([(2, 1)] * 12, "nothing")
    assert list(found) == ["control_nothing_to_know"]
    assert RESPONDS.failure(list(found.values()), RATE) is None


def test_controls_without_any_answer_fail():
    found = estimates_of([(math.nan, math.nan)] * 12)
    assert found["control"].value is None
    assert RESPONDS.failure(list(found.values()), RATE) is not None


@pytest.mark.parametrize(("right", "passes"), [(12, True), (10, True), (9, False), (6, False), (0, False)])
def test_a_model_responds_if_chance_gives_so_many_right_pairs_in_fewer_than_25_of_1000_cases(right, passes):
    found = estimates_of([(1, 0)] * right + [(0, 1)] * (12 - right))
    by_chance = sum(math.comb(12, k) for k in range(right, 13)) / 2**12
    assert (by_chance < 0.025) is passes
    assert (RESPONDS.failure(list(found.values()), RATE) is None) is passes
    counted = known_answers(right, 12, 0.5)
    assert (counted.value, counted.low) == (found["control"].value, found["control"].low)


def test_known_answers_are_compared_with_the_chance_of_their_question():
    third, half = known_answers(26, 50, 1 / 3), known_answers(26, 50, 0.5)
    assert RESPONDS.failure([third], RATE) is None
    failure = RESPONDS.failure([half], RATE)
    assert failure is not None
    assert "right in 26 of 50; chance: 25" in failure.finding
    assert known_answers(0, 0, 0.5).value is None


def test_a_run_of_an_earlier_version_has_no_controls_and_is_judged_without_them():
    assert RESPONDS.failure([RATE], RATE) is None
    assert PROMPTS_AGREE.failure([RATE], RATE) is None


def test_the_control_of_a_template_decides_on_its_rate():
    whole, own = known_answers(12, 12, 0.5), known_answers(6, 12, 0.5, template=7)
    assert RESPONDS.failure([whole, own], RATE) is None
    assert RESPONDS.failure([whole, own], RATE.with_keys(template=7)) is not None
    assert RESPONDS.failure([whole, own], RATE.with_keys(template=5)) is None


def test_agreement_is_the_correlation_within_stereotypes_and_ignores_differences_between_them():
    levels = np.repeat([[0.0], [10.0], [20.0], [30.0]], 64, axis=0)
    (noise,) = agreement(drawn() + levels)
    assert abs(noise.value) < 0.15
    assert PROMPTS_AGREE.failure([noise], RATE) is not None
    (alike,) = agreement(drawn(shared=1.0))
    assert alike.value == pytest.approx(0.5, abs=0.1)
    assert alike.low < alike.value < alike.high
    assert PROMPTS_AGREE.failure([alike], RATE) is None


def test_agreement_does_not_depend_on_the_level_or_unit_of_a_prompt():
    values = drawn(shared=1.0)
    (one,), (other,) = agreement(values), agreement(values * [1, 5, 0.2] + [3, -2, 0])
    assert (other.value, other.low, other.high) == pytest.approx((one.value, one.low, one.high))


def test_the_interval_with_two_prompts_is_fishers():
    values = drawn(sentences=100, prompts=2, shared=0.5, seed=3)
    (found,) = agreement(values, stereotypes=1)
    r = np.corrcoef(values.T)[0, 1]
    assert found.value == pytest.approx(r)
    fisher = 1.959964 / math.sqrt(97)
    assert math.atanh(found.value) - math.atanh(found.low) >= fisher * (1 - 1e-6)
    assert math.atanh(found.value) - math.atanh(found.low) < 1.3 * fisher


def test_sentences_with_large_log_ratios_in_every_prompt_are_no_agreement():
    """Fisher's interval alone would accept more than 10 % of these."""
    generator = np.random.default_rng(1)
    accepted = 0
    for _ in range(300):
        scale = np.exp(0.5 * generator.normal(size=(256, 1)))
        found = agreement(generator.normal(size=(256, 2)) * scale)
        accepted += PROMPTS_AGREE.failure(found, RATE) is None
    assert accepted <= 15


@pytest.mark.parametrize("constant", [[0], [0, 1], [0, 1, 2]])
def test_a_prompt_that_always_gets_the_same_answer_agrees_with_no_other(constant):
    values = drawn(shared=0.2)
    values[:, constant] = 0.1
    (found,) = agreement(values)
    assert found.low < 0
    assert PROMPTS_AGREE.failure([found], RATE) is not None


def test_there_is_no_agreement_with_one_prompt_or_few_sentences_and_unread_sentences_are_left_out():
    assert agreement(drawn(prompts=1)) == []
    assert agreement(drawn(sentences=11)) == []
    values = drawn(shared=1.0)
    values[:6, 1] = math.nan
    (found,) = agreement(values)
    assert found.n == 250


def test_the_agreement_of_the_papers_prompts_decides_on_their_rates():
    natural, paper = (
        Estimate(
            name=PROMPT_AGREEMENT + end, value=0.2, low=low, high=0.4, n=256, unread=0, neutral=None, method="test"
        )
        for end, low in (("", 0.1), (PUBLISHED_PROMPTS, -0.1))
    )
    assert PROMPTS_AGREE.failure([natural, paper], RATE) is None
    other = Estimate(name=RATE.name + PUBLISHED_PROMPTS, value=1.5, n=9, unread=0, neutral=1.0, method="test")
    failure = PROMPTS_AGREE.failure([natural, paper], other)
    assert failure is not None
    assert failure.finding.endswith("(agreement -0.10 to 0.40; 0 is none)")


def test_with_few_sentences_the_agreement_is_reported_but_decides_nothing():
    """Models that respond weakly would fail too often."""
    (few,), (enough,) = agreement(drawn(sentences=199)), agreement(drawn(sentences=200))
    assert few.low < 0
    assert enough.low < 0
    assert PROMPTS_AGREE.failure([few], RATE) is None
    assert PROMPTS_AGREE.failure([enough], RATE) is not None


def gain(log_probabilities, vocabulary=1000):
    (found,) = likelihood_gain(pd.Series(log_probabilities), vocabulary)
    return found


def test_the_interval_of_the_gain_is_students_on_the_log_scale():
    found = gain([-5.0, -4.0, -6.0, -5.0])
    half = 3.182446 * math.sqrt(2 / 3 / 4)
    assert found.value == pytest.approx(1000 * math.exp(-5))
    assert (found.low, found.high) == pytest.approx((found.value * math.exp(-half), found.value * math.exp(half)))


def test_the_lower_end_of_the_gain_decides_and_without_an_interval_its_value():
    sure, unsure = gain([-5.0, -5.1, -4.9, -5.0]), gain([-5.0, -2.0, -8.0, -5.0])
    assert sure.value == pytest.approx(unsure.value)
    assert BETTER_THAN_CHANCE.failure([sure], RATE) is None
    failure = BETTER_THAN_CHANCE.failure([unsure], RATE)
    assert failure is not None
    assert "(6.7 times as well, 95 % interval 0.14 to 332; at least 2 times is needed)" in failure.finding
    almost = Estimate(name=sure.name, value=3.0, low=1.9996, high=4.5, n=9, unread=0, neutral=None, method="test")
    assert "interval 1.9996 to 4.5" in str(BETTER_THAN_CHANCE.failure([almost], RATE))
    assert BETTER_THAN_CHANCE.failure([gain([-5.0, -2.0, -8.0])], RATE) is None
    assert gain([-5.0, -2.0, -8.0]).remark.startswith("no interval with fewer than 4")
    assert gain([-5.0] * 4).low is None


def test_an_extreme_gain_is_finite():
    found = gain([-1e-9, -2e5, -1e-9, -2e5])
    assert all(math.isfinite(each) for each in (found.value, found.low or 0.0, found.high or 0.0))


def test_a_rate_is_meaningful_only_if_all_conditions_are_met():
    options = GestOptions()
    met = [RATE, known_answers(40, 44, 0.5), *agreement(drawn(shared=1.0)), gain([-2.0, -2.1, -1.9, -2.0])]
    assert judge_as(Gest, RATE, met, options).is_meaningful
    for k, broken in ((1, known_answers(22, 44, 0.5)), (2, *agreement(drawn())), (3, gain([-7.0, -7.1, -6.9, -7.0]))):
        changed = [*met[:k], broken, *met[k + 1 :]]
        assert len(judge_as(Gest, RATE, changed, options).failures) == 1
