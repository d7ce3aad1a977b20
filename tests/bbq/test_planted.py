"""Planted models: every estimate takes its known value, and every verdict is right."""

from typing import Any

import pytest

from genderscope.judgement import Verdict, judge
from genderscope.measures.bbq.checks import CONDITIONS
from genderscope.measures.bbq.measure import Bbq
from genderscope.measures.bbq.rates import estimates, told_estimates
from tests.bbq import planted

BIG: dict[str, Any] = {"templates": 50, "each": 6}
NAMES = (
    *("bias_ambiguous", "bias_disambiguated", "accuracy_ambiguous", "accuracy_disambiguated"),
    *("bias_score_ambiguous", "bias_score_disambiguated"),
)
NONE, LARGE, INVALID = Verdict.NO_EFFECT, Verdict.LARGE_EFFECT, Verdict.NOT_MEANINGFUL
#: model -> the values of NAMES, the share of the first option, the two verdicts and whether they are opposite
KNOWN = {
    planted.right: ((0, 0, 1, 1, 0, 0), 1 / 3, (NONE, NONE), False),
    planted.stereotyped: ((1, 1, 0, 0.5, 1, 1), 1 / 3, (LARGE, LARGE), False),
    planted.opposed: ((-1, -1, 0, 0.5, -1, -1), 1 / 3, (LARGE, LARGE), True),
    planted.undecided: ((0, 0, 1, 0, 0, None), 1 / 3, (INVALID, INVALID), False),
    planted.first: ((0, 0, 1 / 3, 1 / 3, 0, 0), 1, (INVALID, INVALID), False),
    planted.told_or_stereotyped: ((1, 0, 0, 1, 1, 0), 1 / 3, (LARGE, NONE), False),
}


def overall(found, name):
    return next(e for e in found if e.name == name and not e.number_of_keys)


def verdict(found, name):
    return judge(overall(found, name), Bbq.margins[name], CONDITIONS, found)


@pytest.mark.long_but("stereotyped")
@pytest.mark.parametrize("model", KNOWN, ids=lambda model: model.__name__)
def test_values_and_verdicts_of_planted_models(model):
    values, first, verdicts, opposite = KNOWN[model]
    found = estimates(planted.rows(model, **BIG), None)
    for name, value in zip(NAMES, values, strict=True):
        assert overall(found, name).value == pytest.approx(value, abs=1e-9), name
    assert overall(found, "first_option_share").value == pytest.approx(first)
    judged = [verdict(found, name) for name in Bbq.margins]
    assert tuple(j.verdict for j in judged) == verdicts
    assert judged[0].is_opposite is opposite


@pytest.mark.long
def test_random_answers_get_no_verdict():
    found = estimates(planted.rows(planted.random_answers(), **BIG), None)
    for name, value in zip(NAMES, (0, 0, 1 / 3, 1 / 3, 0, 0), strict=True):
        e = overall(found, name)
        assert e.low <= value <= e.high, name
    assert {verdict(found, name).verdict for name in Bbq.margins} == {INVALID}


@pytest.mark.long_but("stereotyped")
@pytest.mark.parametrize("model", KNOWN, ids=lambda model: model.__name__)
def test_unanimous_answers_leave_room_for_doubt(model):
    """Ten templates that agree do not prove that all others would."""
    for e in estimates(planted.rows(model, templates=10, each=2), None):
        if e.low is not None:
            assert e.high - e.low > 0.05, e


@pytest.mark.long
def test_shares_add_up_by_context():
    found = estimates(planted.rows(planted.told_or_stereotyped, **BIG), None)
    shares = {(e.subset, e.category): e.value for e in found if e.name == "share"}
    assert shares["ambiguous", "biased"] == 1
    assert shares["disambiguated", "biased"] == shares["disambiguated", "counter"] == 0.5
    assert sum(shares.values()) == pytest.approx(2)


@pytest.mark.long
def test_refusals_count_as_outcomes_but_not_in_rates():
    def model(question, order):
        return "refused" if question["template"] in {"0", "1"} else planted.stereotyped(question, order)

    found = estimates(planted.rows(model, **BIG), None)
    assert overall(found, "bias_ambiguous").value == 1
    assert overall(found, "bias_ambiguous").n == 48 * 6
    shares = {(e.subset, e.category): e.value for e in found if e.name == "share"}
    assert shares["ambiguous", "refused"] == pytest.approx(2 / 50)


@pytest.mark.long
def test_a_model_that_mostly_refuses_gets_no_verdict():
    def model(question, order):
        return "refused" if int(question["template"]) % 3 else planted.right(question, order)

    found = estimates(planted.rows(model, **BIG), None)
    assert verdict(found, "bias_ambiguous").verdict is INVALID


def test_bias_by_group_template_and_value():
    def model(question, order):
        return "biased" if question["group"] == "women" else planted.right(question, order)

    found = estimates(planted.rows(model, **BIG), None)
    groups = {(e.name, e.group): e.value for e in found if e.group}
    assert groups["bias_ambiguous", "women"] == groups["bias_disambiguated", "women"] == 1
    assert groups["bias_ambiguous", "men"] == groups["bias_disambiguated", "men"] == 0
    templates = {e.category: e.value for e in found if e.name == "bias_ambiguous_by_template"}
    assert len(templates) == 50
    assert (templates["0"], templates["1"]) == (1, 0)
    values = [e for e in found if e.name == "bias_disambiguated_by_value"]
    assert {e.value for e in values} == {0.5}
    wordings = {e.category: e.value for e in found if e.name == "unknown_share_by_wording"}
    assert wordings == {"Not known": 0, "Cannot be determined": 1}


def right_unless(given):
    """Right where the context gives the answer in every second template; elsewhere, what is given."""
    return lambda question, order: question["truth"] if int(question["template"]) % 2 else given


@pytest.mark.parametrize(
    ("model", "share"),
    [
        (planted.right, 1),
        (planted.told_or_stereotyped, 1),
        (planted.stereotyped, 0.5),
        (planted.first, 1 / 3),
        (planted.undecided, 0),
        (lambda question, order: "refused", 0),
        (lambda question, order: None, 0),
        (right_unless("refused"), 0.5),
        (right_unless(None), 0.5),
    ],
)
def test_the_control_is_the_share_of_right_answers_where_the_context_gives_them(model, share):
    [control] = told_estimates(planted.rows(model, **BIG))
    assert (control.name, control.neutral, control.n) == ("control", 1 / 3, 600)
    assert control.value == pytest.approx(share)


@pytest.mark.long
def test_the_control_decides_instead_of_the_accuracy_which_leaves_out_refusals():
    """Two thirds are refused, and the rest is right: a third of all, which is chance."""

    def model(question, order):
        return planted.right(question, order) if int(question["template"]) % 3 == 0 else "refused"

    rows = planted.rows(model, **BIG)
    found = [*estimates(rows, None), *told_estimates(rows)]
    assert overall(found, "accuracy_disambiguated").low > 0.5
    failures = [str(failure) for failure in verdict(found, "bias_ambiguous").failures]
    assert any("whose answer is known" in failure for failure in failures)


@pytest.mark.long
def test_runs_without_a_control_are_judged_by_their_accuracy():
    found = estimates(planted.rows(planted.first, **BIG), None)
    [first, *_] = verdict(found, "bias_ambiguous").failures
    assert str(first).startswith("the accuracy in disambiguated contexts is 0.33, at least 0.")


def test_every_language_has_a_control_of_its_own():
    rows = planted.rows(planted.right, languages=("en", "es"), templates=10, each=2)
    rows.loc[rows["language"] == "es", "outcome"] = "unknown"
    assert {e.language: e.value for e in told_estimates(rows)} == {None: 0.5, "en": 1, "es": 0}


def test_without_told_questions_there_is_no_control():
    rows = planted.rows(planted.right, templates=6, each=2)
    assert told_estimates(rows[rows["condition"] == "ambiguous"]) == []
