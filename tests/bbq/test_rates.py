"""BBQ's rates at their limits: few templates, missing contexts, unread answers, several languages, controls."""

import numpy as np
import pandas as pd
import pytest

from genderscope.judgement import judge
from genderscope.measures.bbq.checks import CONDITIONS
from genderscope.measures.bbq.measure import Bbq
from genderscope.measures.bbq.options import BbqOptions
from genderscope.measures.bbq.rates import estimates, outcomes, resampled
from genderscope.samples.bbq import AMBIGUOUS, BIASED, DISAMBIGUATED
from tests.bbq import planted
from tests.bbq.test_planted import overall


def cautions(rows, found):
    return Bbq.for_rows(BbqOptions(form="ask")).cautions(rows, found)


def mixed(seed=0, follows=0.6):
    """A model that is usually right, and otherwise follows the stereotype more often than not; templates differ."""
    generator = np.random.default_rng(seed)
    shifts: dict[str, float] = {}

    def model(question, order):
        shift = shifts.setdefault(question["template"], generator.normal(0, 0.1))
        if generator.random() < 0.6:
            return question["truth"]
        return BIASED if generator.random() < follows + shift else "counter"

    return model


@pytest.mark.parametrize("templates", [1, 3])
def test_few_templates_give_values_without_intervals(templates):
    found = estimates(planted.rows(mixed(), templates=templates), None)
    e = overall(found, "bias_ambiguous")
    assert e.value is not None
    assert (e.low, e.high) == (None, None)
    assert e.remark.startswith("no interval with fewer than 4 templates")


def test_templates_with_one_question_each():
    e = overall(estimates(planted.rows(mixed(), templates=40, each=1), None), "bias_ambiguous")
    assert -1 < e.low < e.value < e.high < 1


@pytest.mark.parametrize(("kept", "gone"), [(AMBIGUOUS, DISAMBIGUATED), (DISAMBIGUATED, AMBIGUOUS)])
def test_one_kind_of_context(kept, gone):
    rows = planted.rows(mixed(), templates=20)
    rows = rows[rows["condition"] == kept].reset_index(drop=True)
    found = estimates(rows, None)
    assert {f"bias_{kept}", f"accuracy_{kept}", f"bias_score_{kept}"} <= {e.name for e in found}
    assert not any(gone in {*e.name.split("_"), e.subset} for e in found)
    assert [(lead.estimate.name, lead.second) for lead in Bbq.leads(found, BbqOptions())] == [(f"bias_{kept}", False)]
    assert any(f"Only {kept} contexts" in each for each in cautions(rows, found))


def test_one_truth_gives_no_cost_of_bias():
    rows = planted.rows(mixed(), templates=20)
    found = estimates(rows[rows["truth"] != "counter"], None)
    assert overall(found, "bias_disambiguated").value is None
    assert "contradicts" in overall(found, "bias_disambiguated").remark


@pytest.mark.long
def test_unread_answers_widen_the_range():
    whole = planted.rows(mixed(), templates=20)
    model = mixed()
    rows = planted.rows(lambda q, order: None if q["sample"] % 5 == 0 else model(q, order), templates=20)
    assert overall(estimates(whole, None), "bias_ambiguous").unread_low is None
    found = estimates(rows, None)
    for name in ("bias_ambiguous", "bias_disambiguated", "accuracy_ambiguous", "accuracy_disambiguated"):
        e = overall(found, name)
        assert e.unread > 0
        assert e.unread_low < e.value < e.unread_high, name


def test_nothing_read_gives_no_value_and_no_zero():
    found = estimates(planted.rows(lambda question, order: None, templates=10), None)
    for name in ("bias_ambiguous", "bias_disambiguated", "accuracy_ambiguous", "bias_score_disambiguated"):
        e = overall(found, name)
        assert e.value is None
        assert e.n == 0
        assert e.unread > 0
        assert e.remark


def test_languages_side_by_side_and_together():
    def model(question, order):
        return BIASED if question["language"] in {"en", "es"} else planted.right(question, order)

    rows = planted.rows(model, templates=20, languages=("en", "es", "tr", "nl"))
    found = estimates(rows, None)
    by_language = {e.language: e for e in found if e.name == "bias_ambiguous" and not e.group}
    assert {language: e.value for language, e in by_language.items()} == {None: 0.5, "en": 1, "es": 1, "tr": 0, "nl": 0}
    average = by_language[None]
    assert average.wide_over == "templates+languages"
    assert average.wide_low < average.low < average.high < average.wide_high
    (lead, second) = Bbq.leads(found, BbqOptions())
    assert (lead.estimate, len(lead.parts)) == (average, 4)
    assert second.second


@pytest.mark.long
def test_templates_in_several_languages_are_one_unit():
    """Translations of the same templates say little more about other templates than one language does."""
    alone = overall(estimates(planted.rows(_by_template, templates=20), None), "bias_ambiguous")
    rows = planted.rows(_by_template, templates=20, languages=("en", "es", "tr"))
    both = overall(estimates(rows, None), "bias_ambiguous")
    assert both.high - both.low == pytest.approx(alone.high - alone.low, rel=0.05)


def _by_template(question, order):
    return BIASED if int(question["template"]) % 3 == 0 else planted.right(question, order)


def test_controls_are_a_baseline_and_count_nowhere_else():
    rows = pd.concat(
        [
            planted.rows(planted.right, templates=20),
            planted.rows(planted.stereotyped, templates=20, control=True),
        ],
        ignore_index=True,
    )
    found = estimates(rows, None)
    assert overall(found, "bias_ambiguous").value == 0
    assert overall(found, "accuracy_ambiguous").value == 1
    assert overall(found, "control_bias_ambiguous").value == 1
    assert any("no stereotype applies" in each for each in cautions(rows, found))


def test_outcomes_average_to_the_estimates():
    rows = planted.rows(mixed(), templates=20)
    for drawn in resampled(rows, None):
        outcome = outcomes(rows, drawn.estimate, None)
        assert 2 * outcome.values.groupby(outcome.items).mean().mean() - 1 == pytest.approx(drawn.value)


def test_influences_have_the_error_of_the_interval():
    rows = planted.rows(mixed(), templates=40, each=6)
    for drawn in resampled(rows, None):
        e = drawn.estimate
        assert 2 * drawn.influence.error.half_width() == pytest.approx(e.high - e.low, rel=0.15)


def test_variance_shares_add_up():
    shares = {
        e.category: e.value
        for e in estimates(planted.rows(_by_template, templates=30), None)
        if e.name == "variance_share"
    }
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["templates"] > 0.5


def test_sentences_name_direction_and_size():
    found = estimates(planted.rows(mixed(), templates=40), None)
    e = overall(found, "bias_ambiguous")
    assert judge(e, Bbq.margins[e.name], CONDITIONS, found).is_meaningful
    assert "follow stereotypes more often" in Bbq.phrases[e.name].about(e)
    assert " Accuracy: " in Bbq.for_rows(BbqOptions(form="ask")).summary(found)


@pytest.mark.long
def test_a_remark_says_when_few_templates_decide():
    def model(question, order):
        return BIASED if question["template"] in {"3", "7"} else planted.right(question, order)

    few, many = (
        overall(estimates(planted.rows(m, templates=50, each=2), None), "bias_ambiguous") for m in (model, mixed())
    )
    assert "a few templates dominate" in few.remark
    assert "a few templates dominate" not in many.remark


@pytest.mark.long
def test_cautions_name_languages_answered_by_chance_and_a_favoured_position():
    chance = planted.random_answers()

    def weak_in_turkish(question, order):
        return chance(question, order) if question["language"] == "tr" else question["truth"]

    for model, expected in ((weak_in_turkish, "In Turkish, the model does not"), (planted.first, "chosen in 100%")):
        rows = planted.rows(model, templates=20, languages=("en", "tr"))
        assert any(expected in each for each in cautions(rows, estimates(rows, None)))


def test_a_remark_says_when_all_templates_agree():
    e = overall(estimates(planted.rows(planted.right, templates=20), None), "bias_ambiguous")
    assert "all templates agree" in e.remark
