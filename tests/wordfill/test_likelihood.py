"""Token likelihoods: the fast way gives the numbers of the naive one, for every tokenizer family and architecture."""

import pytest

from genderscope.core.journal_codec import answer_from_json, answer_to_json
from genderscope.core.questions import TokenLikelihood
from genderscope.models import open_model
from genderscope.models.hf import likelihood
from tests.support.answers import CAUSAL_PAIRS, MASKED_PAIRS, SENTENCES, answers_to
from tests.support.tolerance import PER_TOKEN
from tests.wordfill.reference import naive_likelihood


def questions():
    """Whole sentences token by token, and words of one and of several tokens all at once."""
    asked = [TokenLikelihood(text, (), False) for text in SENTENCES]
    for text in SENTENCES:
        for word in ("there", "argue", "garden", "cried", "everyone", "cooked"):
            if word in text:
                begin = text.index(word)
                asked += [TokenLikelihood(text, ((begin, begin + len(word)),), together) for together in (True, False)]
    return asked


def check(folder, masked, batch_size=None):
    naive = naive_likelihood(folder, masked)
    asked = questions()
    read = 0
    for question, answer in zip(asked, answers_to(open_model(str(folder)), asked, batch_size), strict=True):
        if answer.log_probabilities is None:
            continue
        expected = naive.of(question)
        assert len(answer.tokens) == len(answer.ids) == len(expected)
        for found, wanted in zip(answer.log_probabilities, expected, strict=True):
            assert (found is None) == (wanted is None)
            assert found is None or found == pytest.approx(wanted, abs=PER_TOKEN)
        read += 1
    assert read >= 0.7 * len(asked)


@pytest.mark.long_but("bert-wordpiece-cased", "roberta-bytes-mask")
@pytest.mark.parametrize(("architecture", "tokenizer"), MASKED_PAIRS)
def test_masked_models_equal_the_reference(models, architecture, tokenizer):
    check(models(architecture, tokenizer), True)


@pytest.mark.long_but("llama-bytes")
@pytest.mark.parametrize(("architecture", "tokenizer"), CAUSAL_PAIRS)
def test_causal_models_equal_the_reference(models, architecture, tokenizer):
    check(models(architecture, tokenizer), False)


@pytest.mark.parametrize(("architecture", "tokenizer"), [("bert", "wordpiece-uncased"), ("gpt2", "bytes")])
def test_only_shared_tokens_are_asked_and_they_get_the_same_numbers(models, architecture, tokenizer):
    pair = ("He was there and cried.", "She was in the garden and cried.")
    whole = [TokenLikelihood(text, (), False) for text in pair]
    shared = [TokenLikelihood(text, (), False, other) for text, other in (pair, pair[::-1])]
    alone = TokenLikelihood(pair[0], (), False, "xyz")
    model = open_model(str(models(architecture, tokenizer)))
    (a, b, c, d), [nothing] = answers_to(model, [*whole, *shared]), answers_to(model, [alone])
    for full, part, other in ((a, c, b), (b, d, a)):
        assert (part.ids, part.tokens) == (full.ids, full.tokens)
        for token, x, y in zip(full.ids, full.log_probabilities, part.log_probabilities, strict=True):
            if token in other.ids and x is not None:
                assert y == pytest.approx(x, abs=PER_TOKEN)
            else:
                assert y is None
    assert sum(p is not None for p in nothing.log_probabilities) < len(nothing.ids)


@pytest.mark.parametrize("batch_size", [1, 3])
@pytest.mark.parametrize(("architecture", "tokenizer"), [("bert", "wordpiece-uncased"), ("gpt2", "bytes")])
def test_batches_and_small_memory_change_nothing(models, monkeypatch, architecture, tokenizer, batch_size):
    monkeypatch.setitem(likelihood.LOGITS_PER_PASS, "cpu", 1500)
    check(models(architecture, tokenizer), architecture == "bert", batch_size)


def test_the_first_token_has_no_probability_where_nothing_stands_before_it(models):
    whole = TokenLikelihood("I was there.", (), False)
    word = TokenLikelihood("I was there.", ((0, 1),), True)
    answers = answers_to(open_model(str(models("gpt2", "bytes"))), [whole, word])
    assert answers[0].log_probabilities[0] is None
    assert None not in answers[0].log_probabilities[1:]
    assert answers[1].unread == "there is no text before the word and the tokenizer adds no beginning-of-text token"


def test_a_word_that_cannot_be_read_is_unread_with_its_reason(models):
    model = open_model(str(models("bert", "wordpiece-uncased")))
    texts = [("I saw a \u4e2d boat.", "\u4e2d"), ("I was there. " * 60, "there")]
    asked = [TokenLikelihood(t, ((t.index(w), t.index(w) + len(w)),), True) for t, w in texts]
    reasons = [answer.unread for answer in answers_to(model, asked)]
    assert reasons[0] == "the word '\u4e2d' is unknown to the tokenizer"
    assert reasons[1] == "longer than the model's limit of 80 tokens"


def test_an_answer_survives_the_journal(models):
    asked = [TokenLikelihood("I was there.", (), False)]
    [answer] = answers_to(open_model(str(models("gpt2", "bytes"))), asked)
    assert answer_from_json(TokenLikelihood, answer_to_json(answer)) == answer
