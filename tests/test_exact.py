"""The fast way gives the numbers of the naive way, for every tokenizer family and architecture."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

from genderscope.core.questions import Choice
from genderscope.measures.gest import TEMPLATES
from genderscope.measures.gest.templates import SENTENCE_FIRST
from genderscope.models import open_model
from genderscope.models.hf.language_model import LanguageModel
from genderscope.models.hf.likelihood import CausalLikelihoods
from genderscope.models.hf.model_classes import CausalModel, MaskedModel
from genderscope.models.hf.passes.attention import Ends, segmented_attention
from genderscope.models.hf.passes.base import NEEDED, PACKED_ROW, REFERENCE, Strategy, TokenizedTexts
from tests.reference.naive import naive
from tests.support.answers import CAUSAL_PAIRS, MASKED_PAIRS, SENTENCES, answers_to, gest_questions
from tests.support.kinds import of_kind
from tests.support.tolerance import PER_TOKEN
from tests.tiny import CAUSAL, MASKED


def way_of(model, questions):
    """The way that the plan for these questions takes, in words."""
    model.load()
    [way] = {str(batch.strategy) for batch in model.plan(questions, None).batches}
    return way


@pytest.mark.long_but("bert-wordpiece-cased", "roberta-bytes-mask", "xlm-roberta-unigram-mask")
@pytest.mark.parametrize(("architecture", "tokenizer"), MASKED_PAIRS)
def test_masked_models_equal_the_reference(models, architecture, tokenizer):
    folder = models(architecture, tokenizer)
    questions = gest_questions(TEMPLATES)
    reference = naive(folder, masked=True)
    read = 0
    for question, answer in zip(questions, answers_to(open_model(str(folder)), questions), strict=True):
        if answer.scores is not None:
            assert answer.scores[0] - answer.scores[1] == pytest.approx(reference.log_ratio(question), abs=PER_TOKEN)
            read += 1
    assert read >= len(questions) / 2


@pytest.mark.long
@pytest.mark.parametrize(
    ("architecture", "tokenizer"),
    [("bert", "wordpiece-cased"), ("roberta", "bytes-mask"), ("xlm-roberta", "unigram-mask")],
)
@pytest.mark.parametrize(
    ("setting", "here", "way"),
    [
        ("packed_row_on", {("cpu", torch.float32)}, "one row, needed logits"),
        ("packed_rows_on", {"cpu"}, "segments of rows, needed logits"),
    ],
    ids=["one-row", "segments"],
)
def test_masked_models_equal_themselves_when_texts_share_rows(
    models, monkeypatch, architecture, tokenizer, setting, here, way
):
    folder = str(models(architecture, tokenizer))
    questions = gest_questions(TEMPLATES) + gest_questions(TEMPLATES, want_mass=True)
    monkeypatch.setattr(MaskedModel, "packed_row_on", set())
    model = open_model(folder)
    side_by_side = answers_to(model, questions)
    assert way_of(model, questions) == "equal lengths, needed logits"
    monkeypatch.setattr(MaskedModel, setting, here)
    model = open_model(folder)
    packed = answers_to(model, questions)
    assert way_of(model, questions) == way
    assert "sdpa" not in ALL_ATTENTION_FUNCTIONS._local_mapping
    assert sum(answer.scores is not None for answer in packed) >= len(questions) / 2
    for one, other in zip(side_by_side, packed, strict=True):
        assert one.unread == other.unread
        assert one.scores == pytest.approx(other.scores, abs=PER_TOKEN)
        assert one.log_normaliser == pytest.approx(other.log_normaliser, abs=PER_TOKEN)


def test_attention_that_cannot_be_kept_apart_is_not(models, monkeypatch):
    monkeypatch.setattr(MaskedModel, "packed_rows_on", {"cpu"})
    model = open_model(str(models("deberta-v2", "wordpiece-uncased")))
    assert way_of(model, gest_questions(TEMPLATES)).startswith("equal lengths")


def test_attention_that_is_not_replaced_is_noticed(models):
    model = of_kind(open_model(str(models("bert", "wordpiece-cased"))), LanguageModel)
    model.load()
    model.model.set_attn_implementation("eager")
    texts = TokenizedTexts.of([[2, 5, 6, 3], [2, 7, 3]])
    with pytest.raises(NotImplementedError, match="attend to each other"):
        model.logits_of(Strategy(PACKED_ROW, NEEDED), texts, np.array([0, 1]), np.array([1, 1]), None)


@pytest.mark.long_but("llama-bytes-*", "gpt2-bytes-*", "bloom-bytes-1", "llama-metaspace-bos-1")
@pytest.mark.parametrize("batch_size", [None, 1, 3])
@pytest.mark.parametrize(("architecture", "tokenizer"), CAUSAL_PAIRS)
def test_causal_models_equal_the_reference(models, architecture, tokenizer, batch_size):
    folder = models(architecture, tokenizer)
    questions = gest_questions(SENTENCE_FIRST)
    reference = naive(folder, masked=False)
    for question, answer in zip(questions, answers_to(open_model(str(folder)), questions, batch_size), strict=True):
        assert answer.scores is not None
        assert answer.scores[0] - answer.scores[1] == pytest.approx(reference.log_ratio(question), abs=PER_TOKEN)


@pytest.mark.parametrize("architecture", sorted(CAUSAL))
def test_options_of_several_tokens_are_summed_by_causal_models(models, architecture):
    folder = models(architecture, "bytes")
    questions = [Choice(f'"{s}", the ', " said.", ("gynaecologist", "man")) for s in SENTENCES]
    reference = naive(folder, masked=False)
    for question, answer in zip(questions, answers_to(open_model(str(folder)), questions), strict=True):
        assert len(answer.tokens[0]) > len(answer.tokens[1])
        assert answer.note == "sum over each option's tokens"
        assert answer.scores[0] - answer.scores[1] == pytest.approx(reference.log_ratio(question), abs=PER_TOKEN)


def test_options_of_equally_many_tokens_are_averaged_by_masked_models(models):
    folder = models("bert", "wordpiece-uncased")
    question = Choice("The ", ' said: "I was there."', ("oar", "log"))
    [answer] = answers_to(open_model(str(folder)), [question])
    assert len(answer.tokens[0]) == len(answer.tokens[1]) == 3
    assert answer.note == "mean over 3 simultaneously masked tokens"
    reference = naive(folder, masked=True)
    assert answer.scores[0] - answer.scores[1] == pytest.approx(reference.log_ratio(question), abs=PER_TOKEN)


def test_options_of_unequally_many_tokens_are_unread_by_masked_models(models):
    question = Choice("The ", ' said: "I was there."', ("oar", "man"))
    [answer] = answers_to(open_model(str(models("bert", "wordpiece-uncased"))), [question])
    assert answer.scores is None
    assert answer.unread == "the options have 3 and 1 tokens, and a masked model cannot compare different lengths"


@pytest.mark.parametrize(
    ("architecture", "tokenizer", "templates"), [("bert", "wordpiece-cased", (2, 3)), ("gpt2", "bytes", (3, 4))]
)
def test_mass_is_the_probability_of_either_option(models, architecture, tokenizer, templates):
    folder = models(architecture, tokenizer)
    questions = gest_questions(templates, want_mass=True)
    reference = naive(folder, masked=architecture in MASKED)
    checked = 0
    for question, answer in zip(questions, answers_to(open_model(str(folder)), questions), strict=True):
        if answer.scores is not None and all(len(option) == 1 for option in answer.tokens):
            assert answer.mass == pytest.approx(reference.mass(question), rel=1e-3)
            checked += 1
    assert checked


@pytest.mark.parametrize(
    ("architecture", "method"),
    [
        ("gpt2", "prefix tree, needed logits"),
        ("llama", "prefix tree, needed logits"),
        ("gemma2", "prefix tree, needed logits"),
        (
            "bloom",
            "equal lengths, needed logits",
        ),  # its positions come from a plain mask
    ],
)
def test_each_architecture_takes_the_fastest_way_that_is_exact_for_it(models, architecture, method):
    model = open_model(str(models(architecture, "bytes")))
    assert way_of(model, gest_questions(SENTENCE_FIRST)) == method


def test_a_text_too_long_for_the_model_is_unread(models):
    question = TEMPLATES[3].ask("I was there. " * 60, False)
    [answer] = answers_to(open_model(str(models("bert", "wordpiece-uncased"))), [question])
    assert answer.unread == "longer than the model's limit of 80 tokens"


@pytest.mark.parametrize(("architecture", "tokenizer"), [("bert", "wordpiece-cased"), ("llama", "bytes")])
def test_what_a_trial_has_read_is_not_read_again(models, architecture, tokenizer):
    folder = str(models(architecture, tokenizer))
    questions = gest_questions((3, 4), want_mass=True)
    model = of_kind(open_model(folder), LanguageModel)
    plan = model.plan(questions, None)
    [first] = plan.batches  # one pass, which the trial has run
    read = []
    model.model.get_input_embeddings().register_forward_hook(lambda _, args, __: read.append(args[0].numel()))
    kept = model.answer(first)
    assert sum(read) <= 2  # a token for each head
    model.hidden_states.forget()
    again = model.answer(first)
    assert sum(read) > len(questions)
    assert [answer.scores for answer in kept] == [answer.scores for answer in again]
    assert [answer.log_normaliser for answer in kept] == [answer.log_normaliser for answer in again]


def test_while_one_thread_reads_a_row_a_model_in_another_attends_as_ever(models):
    model = of_kind(open_model(str(models("bert", "wordpiece-cased"))), LanguageModel)
    model.load()
    asked = (TokenizedTexts.of([[2, 5, 6, 7, 3]]), np.array([0]), np.array([1]), None)
    row = Ends(np.array([3, 2]), torch.tensor([0, 3, 5]))
    with torch.no_grad(), ThreadPoolExecutor(1) as other:
        expected = model.logits_of(REFERENCE, *asked)
        with pytest.raises(NotImplementedError), segmented_attention(row):  # nothing attends in this thread
            found = other.submit(torch.no_grad()(model.logits_of), REFERENCE, *asked).result()
    assert torch.equal(found, expected)


def test_a_text_of_one_token_has_nothing_ahead_to_look_at(models):
    model = of_kind(open_model(str(models("gpt2", "bytes"))), CausalModel)
    model.load()
    CausalLikelihoods(model).require_causal(TokenizedTexts.of([[5]]), REFERENCE)
    CausalLikelihoods(model).require_causal(TokenizedTexts.of([[5], [5, 6, 7]]), REFERENCE)
