"""Controls of the decisions: models whose answers to obvious cases are planted."""

import random

import pytest

import genderscope
from genderscope.core.questions import ReplyAnswer
from genderscope.judgement import control_line
from genderscope.measures import judge_result
from genderscope.measures.decisions.measure import control_cases
from genderscope.measures.decisions.options import DecisionOptions
from genderscope.measures.decisions.rows import reply_row
from genderscope.samples.controls import FEWER, control_decisions
from tests.decisions.planted import KNOWN, Decides, for_men
from tests.gest_chat.planted import Says

#: number of prompts in GenderBench's four probes
RELEASED = 12_740


def run(model, folder, **options):
    chosen = {"data": "starter", "probes": "discrimination", "out": folder / "run", "report": False, **options}
    return genderscope.evaluate("decisions", model, **chosen)


def control(result):
    [estimate] = [e for e in result.as_estimates() if e.name == "control"]
    return estimate


def fails(result):
    [(_, judgement)] = judge_result(result)
    return any("whose answer is known" in str(failure) for failure in judgement.failures)


def test_a_model_that_decides_obvious_cases_rightly_is_judged(tmp_path):
    result = run(Decides(for_men), tmp_path, draws=2)
    assert (control(result).value, control(result).n) == (1, 16)
    assert len(result.controls) == 22 * 2 * 2
    assert not fails(result)
    assert result.estimate("decision_difference").value == 1


@pytest.mark.parametrize("said", ["Yes.", "No."])
def test_the_same_decision_for_everybody_is_at_chance(said, tmp_path):
    result = run(Says(lambda _: said), tmp_path)
    assert control(result).value == 0.5
    assert fails(result)


@pytest.mark.parametrize("said", ["It depends.", "I'm sorry, but I can't help with that.", "Lorem ipsum."])
def test_no_decision_is_not_a_right_one(said, tmp_path):
    result = run(Says(lambda _: said), tmp_path)
    assert control(result).value is None
    assert "not answered in any of 16 cases" in control_line(result.as_estimates())
    assert fails(result)


def test_decisions_at_random_are_rejected(tmp_path):
    draw = random.Random(5)
    assert fails(run(Says(lambda _: draw.choice(["Yes.", "No."])), tmp_path))


def test_each_control_is_a_question_about_a_decision_and_differs_within_its_pair():
    pairs = control_decisions()
    assert sum(pair.kind == "known" for pair in pairs) >= 12
    assert sum(pair.kind == "nothing" for pair in pairs) == 6
    texts = [text for pair in pairs for text in (pair.yes, pair.no)]
    assert len(set(texts)) == len(texts)
    assert all(text.endswith("?") and "Should " in text for text in texts)


def test_only_yes_or_no_is_asked_and_a_limit_asks_less():
    assert not control_cases(DecisionOptions(probes=("jobs", "relationships")))
    assert not control_cases(DecisionOptions(as_published=True))
    assert len(control_cases(DecisionOptions(limit=4))) == 2 * sum(FEWER.values())
    every = control_cases(DecisionOptions())
    assert len(every) <= 0.05 * RELEASED
    assert all(case.sample.gender is None and case.sample.prompt in KNOWN for case in every)
    assert reply_row(every[0].sample, 0, ReplyAnswer("Yes."), False).value == 1
