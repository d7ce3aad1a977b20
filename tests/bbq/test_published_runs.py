"""`--as-published`: what is asked, how it is read, and what runs, pages and comparisons say."""

import json
import math

import pytest

import genderscope
from genderscope.core.errors import UserError
from genderscope.core.questions import LikelihoodAnswer
from genderscope.measures.bbq.options import BbqOptions
from genderscope.measures.bbq.prompts import harness_questions
from genderscope.measures.bbq.rows import harness_row
from genderscope.measures.published.bbq_scores import unknown_wordings
from genderscope.measures.published.genderbench import asks, bbq_orders
from genderscope.reference import known_values, reference_sentences
from genderscope.samples.bbq import load_own, load_released
from tests.gest_chat.planted import Says


@pytest.fixture
def questions(mirror, monkeypatch):
    """BBQ's own questions, by context and question."""
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    return load_released("bbq", "en", False).samples


def stereotyped(samples):
    """Return a model that names the biased option: its line if the options are shown, else its text."""

    def says(prompt):
        lines = prompt.splitlines()[-3:]
        shown = {line[4:] for line in lines}
        fitting = [s for s in samples if s.context in prompt and s.question in prompt]
        fitting = [s for s in fitting if shown == {*s.options}] or fitting
        biased = max(fitting, key=lambda s: len(s.context)).option("biased")
        return next((line for line in lines if line[4:] == biased), biased)

    return Says(says)


def run(model, folder, **options):
    return genderscope.evaluate("bbq", model, out=folder / "run", **options)


def test_genderbench_asks_in_its_own_words_and_order(questions, tmp_path):
    result = run(stereotyped(questions), tmp_path, as_published="genderbench", limit=36)
    rows = result.rows
    assert result.config["settings"]["form"] == "ask"
    assert set(rows["outcome"]) == {"biased"}
    assert all(row.order == ",".join(bbq_orders()[row.item]) for row in rows.itertuples())
    assert result.estimate("stereotype_rate").value == 1
    assert "as-published:genderbench" in result.signature
    assert any("scored like GenderBench" in caution for caution in result.cautions)


@pytest.mark.long
def test_genderbench_asks_5608_questions(questions):
    asked = [s for s in questions if asks(s.template, s.polarity, s.options)]
    assert len(asked) == len(bbq_orders()) == 5608


@pytest.mark.long
def test_a_run_as_genderbench_is_compared_with_its_twelve_models(questions, tmp_path):
    result = run(stereotyped(questions), tmp_path, as_published="genderbench", limit=36)
    (sentence,) = reference_sentences(result)
    assert "on all of the data, not on a sample" in sentence
    config = json.loads(json.dumps(result.config))
    config["data"]["name"] = "bbq"
    whole = result.configured(config)
    assert len(known_values(whole, result.estimate("stereotype_rate")).published) == 12
    assert reference_sentences(whole)[0].startswith("stereotype_rate: higher than 12 of 12 published chat models")


@pytest.mark.long
def test_other_runs_are_not_compared_with_genderbench(questions, tmp_path):
    result = run(stereotyped(questions), tmp_path, as_published="lm-eval", form="ask", limit=12)
    assert not known_values(result, result.estimate("bias_score_ambiguous")).published


def test_the_harness_shows_no_options_and_reads_names(questions, tmp_path):
    asked, model = [], stereotyped(questions)
    answer = model.says

    def says(prompt):
        asked.append(prompt)
        return answer(prompt)

    result = run(Says(says), tmp_path, as_published="lm-eval", form="ask", limit=24, groups="men")
    assert all("(a)" not in prompt.lower() and prompt.endswith("A:") for prompt in asked)
    assert result.rows["order"].isna().all()
    # What it cannot read counts as "unknown", so that all other answers are biased.
    assert result.estimate("disamb_bias_score").value == 1


def test_the_harness_compares_both_people_with_ten_wordings_of_unknown():
    sample = load_own("starter", "en").samples[0]
    wordings = unknown_wordings(offered=True)
    asked = harness_questions(sample)
    texts = [question.text[question.spans[0][0] :] for question in asked]
    assert texts == [sample.option("biased"), sample.option("counter"), *wordings]
    scores = [-4.0, -5.0, *(-9.0 - k for k in range(9)), -3.0]
    answers = [LikelihoodAnswer((score,), ("x",), (0,)) for score in scores]
    row = harness_row(sample, answers, wordings)
    assert (row.outcome, row.raw_unknown, row.unknown_wording) == ("unknown", -3.0, wordings[-1])
    assert math.isclose(row.biased + row.counter + row.unknown, 1)
    answers[5] = LikelihoodAnswer(None, (), (), unread="too long")
    assert harness_row(sample, answers, wordings).unread == "too long"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"as_published": "genderbench", "form": "letter"}, "use it with --form ask"),
        ({"as_published": "lm-eval", "form": "structured"}, "use it with --form choice or ask"),
        ({"as_published": "genderbench", "data": "starter"}, "asks the English questions of BBQ"),
        ({"as_published": "bbq", "lang": "es"}, "asks the English questions of BBQ"),
        ({"as_published": "genderbench", "form": "ask", "orders": "all"}, "determines the order"),
        ({"as_published": "lm-eval", "form": "choice", "scoring": "length"}, "compares raw likelihoods"),
    ],
)
def test_options_that_a_publication_does_not_have_are_refused(options, said):
    assert said in (BbqOptions(**options).ineffective() or "")


def test_a_conflict_ends_the_run_before_anything_is_asked(tmp_path):
    with pytest.raises(UserError, match="asks the English questions of BBQ"):
        run(Says(lambda _: "(a)"), tmp_path, as_published="genderbench", data="starter")
