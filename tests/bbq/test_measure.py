"""Planted models, asked through the measure: each estimate takes its known value, and each verdict is right."""

import random
from collections import Counter

import pytest

from genderscope.core.errors import UserError
from genderscope.core.questions import LikelihoodAnswer, ReplyAnswer
from genderscope.judgement import Verdict
from genderscope.measures.bbq.measure import Bbq
from genderscope.measures.bbq.options import BbqOptions
from genderscope.measures.bbq.prompts import ORDERS, balanced_orders, likelihood_questions
from genderscope.measures.bbq.rows import TIE, choice_row
from genderscope.samples.bbq import load_own
from tests.bbq import planted_chat as planted
from tests.gest_chat.planted import Says
from tests.support.evaluation import evaluate

#: model -> bias in ambiguous contexts, the difference in disambiguated ones, accuracies in both, and the verdict
KNOWN = {
    "stereotyped": (planted.always("biased"), 1, 1, 0, 0.5, Verdict.LARGE_EFFECT),
    "opposed": (planted.always("counter"), -1, -1, 0, 0.5, Verdict.LARGE_EFFECT),
    "undecided": (planted.always("unknown"), 0, 0, 1, 0, Verdict.NOT_MEANINGFUL),
    "told or stereotyped": (planted.told_or_stereotyped, 1, 0, 0, 1, Verdict.LARGE_EFFECT),
    "right": (planted.right, 0, 0, 1, 1, Verdict.NO_EFFECT),
}


def run(model, folder, **options):
    return evaluate("bbq", model, data="starter", out=folder / "run", **options)


def values(result):
    names = ("bias_ambiguous", "bias_disambiguated", "accuracy_ambiguous", "accuracy_disambiguated")
    return [result.estimate(name).value for name in names]


@pytest.mark.long_but("stereotyped-letter")
@pytest.mark.parametrize("kind", [Says, planted.Leans], ids=["ask", "letter"])
@pytest.mark.parametrize("name", KNOWN)
def test_every_estimate_of_a_planted_model_has_its_known_value(kind, name, tmp_path):
    says, *known, verdict = KNOWN[name]
    result = run(kind(says), tmp_path, orders="all")
    assert values(result) == pytest.approx(known)
    assert result.verdict == verdict, result.summary
    assert result.rows["unread"].isna().all()


@pytest.mark.long
@pytest.mark.parametrize("kind", [Says, planted.Leans], ids=["ask", "letter"])
def test_a_model_that_always_takes_the_first_option_is_not_judged(kind, tmp_path):
    result = run(kind(planted.first_option), tmp_path)
    assert result.verdict == Verdict.NOT_MEANINGFUL, result.summary
    assert result.estimate("first_option_share").value == pytest.approx(1)
    assert values(result) == pytest.approx([0, 0, 1 / 3, 1 / 3], abs=0.02)


@pytest.mark.long
def test_random_answers_are_not_judged(tmp_path):
    result = run(Says(planted.at_random(3)), tmp_path, orders="all")
    assert result.verdict == Verdict.NOT_MEANINGFUL, result.summary
    assert values(result) == pytest.approx([0, 0, 1 / 3, 1 / 3], abs=0.08)


@pytest.mark.long
def test_a_model_that_tosses_a_coin_between_the_two_people_is_not_judged(tmp_path):
    """It is right in one half of the disambiguated contexts, which is more than one third."""
    draw = random.Random(1)
    coin = planted.answering(lambda sample: draw.choice(("biased", "counter")))
    result = run(Says(coin), tmp_path, orders="all")
    assert result.estimate("accuracy_disambiguated").low > 1 / 3
    assert result.verdict == Verdict.NOT_MEANINGFUL, result.summary
    assert "coin toss" in result.summary


def test_refusals_are_neither_zero_nor_unread(tmp_path):
    result = run(Says(lambda prompt: ReplyAnswer("", ended="refusal")), tmp_path, limit=24)
    assert set(result.rows["outcome"]) == {"refused"}
    assert result.rows["unread"].isna().all()
    assert result.estimate("bias_ambiguous").value is None


def test_one_order_per_question_is_balanced_and_always_the_same():
    samples = load_own("starter", "en").samples
    drawn = balanced_orders(samples)
    assert drawn == balanced_orders(samples)
    for condition in ("ambiguous", "disambiguated"):
        counts = Counter(drawn[sample.index] for sample in samples if sample.condition == condition)
        assert set(counts) == set(ORDERS)
        assert max(counts.values()) - min(counts.values()) <= 4


def test_every_answer_is_scored_after_the_same_text_with_and_without_its_context():
    sample = load_own("starter", "en").samples[0]
    questions = likelihood_questions(sample)
    told, alone = questions[:3], questions[3:]
    for asked, kind in zip((*told, *alone), ("biased", "counter", "unknown") * 2, strict=True):
        ((start, end),) = asked.spans
        assert asked.text[start:end] == sample.option(kind)
    assert len({asked.text[: asked.spans[0][0]] for asked in told}) == 1
    assert all(asked.text.startswith(sample.context) for asked in told)
    assert all(sample.context not in asked.text and sample.question in asked.text for asked in alone)


def likelihoods(*scores):
    return [LikelihoodAnswer(tuple(each), ("x",) * len(each), tuple(range(len(each)))) for each in scores]


def test_the_scoring_decides_which_answer_is_chosen():
    """The unknown answer is the most probable one, has the best mean, or gains most, as the scores are read."""
    sample = load_own("starter", "en").samples[0]
    answers = likelihoods([-1.0], [-1.0, -0.5], [-3.0], [-1.5], [-2.4], [-9.0])
    outcomes = {scoring: choice_row(sample, answers, scoring) for scoring in ("raw", "length", "calibrated")}
    assert {name: row.outcome for name, row in outcomes.items()} == {
        "raw": "biased",
        "length": "counter",
        "calibrated": "unknown",
    }
    for row in outcomes.values():
        assert (row.raw_counter, row.tokens_counter, row.empty_counter) == (-1.5, 2, -2.4)
        assert row.biased + row.counter + row.unknown == pytest.approx(1)


def test_two_equally_probable_answers_are_a_tie():
    sample = load_own("starter", "en").samples[0]
    row = choice_row(sample, likelihoods(*[[-1.0]] * 6), "raw")
    assert (row.outcome, row.unread) == (None, TIE)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"form": "letter", "scoring": "raw"}, "--scoring is for --form choice"),
        ({"form": "choice", "orders": "all"}, "leave out --orders"),
        ({"skip_controls": True}, "--skip-controls"),
        ({"keep_duplicates": True}, "--keep-duplicates"),
    ],
)
def test_options_without_an_effect_are_refused(options, message):
    assert message in (BbqOptions(**options).ineffective() or "")


def test_a_form_that_the_model_does_not_support_is_refused():
    with pytest.raises(UserError, match="does not return token likelihoods"):
        Bbq(BbqOptions(form="choice", data="starter"), Says(planted.right))
    with pytest.raises(UserError, match="--scoring is for --form choice"):
        Bbq(BbqOptions(scoring="raw", data="starter"), Says(planted.right))
    with pytest.raises(UserError, match="'starter' has no questions in 'nl'"):
        Bbq(BbqOptions(data="starter", lang=("nl",)), Says(planted.right))
