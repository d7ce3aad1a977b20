"""Untrained models and models that answer every question alike are never judged."""

import csv
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import genderscope
from genderscope.judgement import judge_as
from genderscope.measures import MEASURES
from genderscope.measures.competence import BETTER_THAN_CHANCE, commonest_output, likelihood_gain
from genderscope.measures.dialogue.measure import Dialogue, DialogueOptions
from genderscope.measures.run_judgements import judge_result
from genderscope.samples.bbq import BBQ
from genderscope.statistics.estimate import Estimate
from tests.gest_chat.planted import Says
from tests.honest.planted import write_data
from tests.measure_examples import UNTRAINED, Alike, example_of

#: measures of language models, whose example asks a model with random weights
OF_WORDS = [name for name in MEASURES if example_of(name).knows_nothing == UNTRAINED]
#: measures of translators
TRANSLATED = {name: alike for name in MEASURES if isinstance(alike := example_of(name).knows_nothing, Alike)}


ROOT = Path(__file__).parents[2]


def reasons_of(result):
    return [str(failure) for _, judgement in judge_result(result) for failure in judgement.failures]


@pytest.mark.mirror
@pytest.mark.long_but("gest", "winobias")
@pytest.mark.parametrize("measure", OF_WORDS)
def test_an_untrained_model_is_not_judged(measure, tmp_path, models, request):
    if example_of(measure).from_mirror:
        request.getfixturevalue("mirror")
    result = example_of(measure).run(tmp_path, models)
    assert result.verdict == "not meaningful", result.summary
    assert any("than a guess among all words" in reason for reason in reasons_of(result))


@pytest.fixture(scope="module")
def initialised(tmp_path_factory):
    """Models as their libraries initialise them: initialised("gpt2"), initialised("bert")."""
    import torch
    import transformers as tf

    from tests.tiny import TOKENIZERS

    def build(kind):
        folder = tmp_path_factory.mktemp(kind)
        tokenizer = TOKENIZERS["bytes" if kind == "gpt2" else "wordpiece-cased"]()
        torch.manual_seed(0)
        known: dict[str, Any] = {"vocab_size": len(tokenizer), "pad_token_id": tokenizer.pad_token_id}
        model: tf.PreTrainedModel
        if kind == "gpt2":  # its output embeddings are its input embeddings, so it repeats the last token
            model = tf.GPT2LMHeadModel(tf.GPT2Config(n_embd=768, n_layer=1, n_head=2, **known))
        else:
            size: dict[str, Any] = {
                "hidden_size": 64,
                "num_hidden_layers": 1,
                "num_attention_heads": 2,
                "intermediate_size": 64,
            }
            model = tf.BertForMaskedLM(tf.BertConfig(**size, **known))
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        return str(folder)

    return build


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "reason"), [("gpt2", "the same output for"), ("bert", "than a guess among all words")]
)
def test_completions_of_an_untrained_model_are_not_judged(kind, reason, initialised, tmp_path):
    data, lexicon = write_data(tmp_path)
    result = genderscope.evaluate("honest", initialised(kind), data=data, lexicon=lexicon, k=5, out=tmp_path / "run")
    assert result.verdict == "not meaningful", result.summary
    assert any(reason in each for each in reasons_of(result)), reasons_of(result)


def test_the_gain_is_relative_to_the_vocabulary_and_unknown_without_it():
    import pandas as pd

    uniform = pd.Series([-6.907755279, -6.907755279, None])
    (gain,) = likelihood_gain(uniform, 1000)
    assert gain.value == pytest.approx(1)
    assert gain.n == 2
    assert likelihood_gain(uniform, None) == []


def test_few_inputs_may_share_an_output():
    assert commonest_output(dict.fromkeys(range(9), "a")) == []
    (share,) = commonest_output({k: "a" if k else "b" for k in range(10)})
    assert share.value == 0.9


def translate_alike(folder, sources, translation):
    """Write a file that gives each source a translation: `translation(source)`."""
    path = folder / "outputs.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("source", "translation"), *((s, translation(s)) for s in sources)])
    return f"file:{path}"


def test_every_measure_is_tried_on_a_model_that_knows_nothing():
    """Chat models and completions have tests of their own, which their examples name."""
    for name in set(MEASURES) - {*OF_WORDS, *TRANSLATED}:
        file, _, test = example_of(name).knows_nothing.partition("::")
        text = (ROOT / file).read_text(encoding="utf-8") if (ROOT / file).is_file() else ""
        assert re.search(rf"^def {test}\(", text, re.MULTILINE), f"knows_nothing of {name}: {file} has no test '{test}'"


@pytest.mark.long_but("gate*")
@pytest.mark.parametrize("measure", TRANSLATED)
def test_a_system_that_says_the_same_of_everything_is_not_judged(measure, tmp_path):
    sources, options = TRANSLATED[measure].sources(tmp_path)
    spec = translate_alike(tmp_path, sources, lambda source: TRANSLATED[measure].translation)
    result = genderscope.evaluate(measure, spec, **options, out=tmp_path / "run")
    assert result.verdict == "not meaningful", result.summary
    assert all("the same output for 100 %" in str(j.failures[-1]) for _, j in judge_result(result) if j.failures)


@pytest.mark.long_but("gate*")
@pytest.mark.parametrize("measure", TRANSLATED)
def test_a_system_that_copies_its_input_is_not_judged(measure, tmp_path):
    sources, options = TRANSLATED[measure].sources(tmp_path)
    spec = translate_alike(tmp_path, sources, lambda source: source)
    result = genderscope.evaluate(measure, spec, **options, out=tmp_path / "run")
    assert result.verdict == "not meaningful", result.summary
    assert result.rows["unread"].eq("untranslated").all()


def test_a_difference_near_zero_because_everyone_is_a_man_is_not_judged():
    def share(name, value):
        return Estimate(name=name, value=value, n=100, unread=0, neutral=0.5, method="test").with_keys(
            subset="stereo_adverb"
        )

    delta = replace(share("cue_effect", 0.0), neutral=0.0, low=-0.01, high=0.01)
    options = DialogueOptions(to=("es",))
    men = [delta, share("masculine_rate_male_cue", 0.99), share("masculine_rate_female_cue", 0.98)]
    both = [delta, share("masculine_rate_male_cue", 0.6), share("masculine_rate_female_cue", 0.5)]
    assert judge_as(Dialogue, delta, men, options).verdict == "not meaningful"
    assert judge_as(Dialogue, delta, both, options).is_meaningful


def test_a_chat_model_that_talks_nonsense_about_two_people_is_not_judged(tmp_path):
    result = genderscope.evaluate("bbq", Says(lambda text: "zq vx krr"), data="starter", limit=32, out=tmp_path / "run")
    assert result.verdict == "not meaningful", result.summary
    assert result.estimate("bias_ambiguous").value is None


@pytest.mark.long
@pytest.mark.parametrize("said", ["zq vx krr", "Yes. (a) He did his work."])
def test_a_chat_model_that_talks_nonsense_or_says_the_same_to_everyone_makes_no_decisions(said, tmp_path):
    result = genderscope.evaluate("decisions", Says(lambda text: said), data="starter", out=tmp_path / "run")
    assert {judgement.verdict for _, judgement in judge_result(result)} == {"not meaningful"}, result.summary


def test_an_untrained_model_is_not_judged_by_its_answers_about_two_people(models, tmp_path):
    """Its texts are short enough for a small model."""
    people = ("The woman", "The man", "Not known")
    rows = [
        (f"t{k}", "women", "disambiguated", "negative", f"A man and a woman met {k}.", "Who?", *people, truth)
        for k in range(20)
        for truth in ("biased", "counter")
    ]
    rows += [(*row[:2], "ambiguous", *row[3:9], "unknown") for row in rows[::2]]
    with (tmp_path / "questions.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([BBQ.columns, *rows])
    data = str(tmp_path / "questions.csv")
    result = genderscope.evaluate("bbq", str(models("gpt2", "bytes")), data=data, out=tmp_path / "run")
    assert result.rows["unread"].isna().all()
    assert result.verdict == "not meaningful", result.summary


@pytest.mark.parametrize("form", ["ask", "write"])
def test_a_chat_model_that_talks_nonsense_is_not_judged(form, tmp_path):
    """What it writes may be about anybody, so it is read, but no gender and thus no rate comes of it."""
    model = Says(lambda text: "zq vx krr")
    result = genderscope.evaluate("gest-chat", model, data="starter", form=form, limit=32, out=tmp_path / "run")
    assert result.verdict == "not meaningful", result.summary
    assert result.estimate("stereotype_rate").value is None


def test_a_model_that_may_be_no_better_than_chance_is_not_judged():
    gain = Estimate(name="likelihood_gain", value=3.0, low=1.4, high=6.4, n=9, unread=0, neutral=None, method="")
    rate = Estimate(name="stereotype_rate", value=1.2, low=1.1, high=1.3, n=9, unread=0, neutral=1.0, method="")
    for low, fails in ((1.4, True), (2.5, False)):
        failure = BETTER_THAN_CHANCE.failure([replace(gain, low=low), rate], rate)
        assert (failure is not None) is fails
