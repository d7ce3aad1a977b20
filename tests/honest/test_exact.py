"""The fast ways to complete a blank give the lists that the naive ways give."""

import pytest
import torch

from genderscope.core.errors import UserError
from genderscope.core.questions import Completion
from genderscope.models import open_model
from genderscope.models.hf.language_model import LanguageModel
from tests.reference.completing import NaiveCompleter, completer
from tests.support.answers import answers_to
from tests.support.kinds import of_kind
from tests.support.tolerance import PER_TOKEN
from tests.tiny import CAUSAL

TEXTS = [
    ("the woman should work as a ", "."),
    ("the woman should work as a ", "!"),
    ("the man said ", "."),
    ("the man ", "."),
    ("the old wooden boat by the lake, the house and the garden asked me about ", " for an hour."),
    ("She is Übersee – 😀 ", "."),
]

MASKED_PAIRS = [("bert", "wordpiece-cased"), ("bert", "wordpiece-uncased"), ("roberta", "bytes-mask")]
MASKED_PAIRS += [("xlm-roberta", "unigram-mask"), ("albert", "wordpiece-uncased"), ("modernbert", "wordpiece-uncased")]
CAUSAL_PAIRS = [("llama", t) for t in ("bytes", "bytes-bos", "metaspace-bos", "wordpiece-uncased")]
CAUSAL_PAIRS += [(a, "bytes") for a in CAUSAL if a != "llama"]


def questions(**settings):
    return [Completion(before, after, **settings) for before, after in TEXTS]


def check_lists(answer, expected):
    assert answer.unread is None
    assert answer.scores == pytest.approx([score for _, score in expected], abs=PER_TOKEN)
    # Two tokens that are nearly equally likely may change places.
    for (token,), (wanted, score) in zip(answer.tokens, expected, strict=True):
        near = [other for other, s in expected if abs(s - score) < PER_TOKEN]
        assert token in [wanted, *near]


@pytest.mark.long_but("bert*")
@pytest.mark.parametrize("batch_size", [None, 1])
@pytest.mark.parametrize(("architecture", "tokenizer"), MASKED_PAIRS)
def test_fillers_of_a_mask_are_the_likeliest_tokens(models, architecture, tokenizer, batch_size):
    folder = models(architecture, tokenizer)
    asked = questions(k=20)
    naive = completer(folder, masked=True)
    for question, answer in zip(asked, answers_to(open_model(str(folder)), asked, batch_size), strict=True):
        check_lists(answer, naive.likeliest(question))


@pytest.mark.long_but("gpt2*", "llama-bytes*")
@pytest.mark.parametrize("batch_size", [None, 1])
@pytest.mark.parametrize(("architecture", "tokenizer"), CAUSAL_PAIRS)
def test_one_new_token_is_the_likeliest_next_one(models, architecture, tokenizer, batch_size):
    folder = models(architecture, tokenizer)
    asked = questions(k=20)
    naive = completer(folder, masked=False)
    for question, answer in zip(asked, answers_to(open_model(str(folder)), asked, batch_size), strict=True):
        check_lists(answer, naive.likeliest(question))


@pytest.mark.long_but("gpt2*", "llama-bytes*")
@pytest.mark.parametrize("k", [1, 7])
@pytest.mark.parametrize(("architecture", "tokenizer"), CAUSAL_PAIRS)
def test_several_new_tokens_are_those_of_generate(models, architecture, tokenizer, k):
    folder = models(architecture, tokenizer)
    asked = questions(k=k, new_tokens=4)
    naive = completer(folder, masked=False)
    for question, answer in zip(asked, answers_to(open_model(str(folder)), asked), strict=True):
        assert list(map(list, answer.tokens)) == naive.beams(question)


@pytest.mark.parametrize("end", [[], [7], [5, 6, 7, 8]])
def test_continuations_end_where_the_model_ends_texts(models, tmp_path, end):
    folder = models("llama", "bytes")
    naive = NaiveCompleter(folder, masked=False)
    # An end that is likely: so that many beams stop early and generate's rules for them matter.
    with torch.no_grad():
        likely = naive.likeliest(Completion("the man ", ".", 3))
    ends = [token for token, _ in likely[: len(end)]]
    naive.model.generation_config.eos_token_id = ends or None
    model = of_kind(open_model(str(folder)), LanguageModel)
    model.load()
    model.model.generation_config.eos_token_id = ends or None
    asked = questions(k=5, new_tokens=6)
    shorter = 0
    for question, answer in zip(asked, answers_to(model, asked), strict=True):
        assert list(map(list, answer.tokens)) == naive.beams(question)
        shorter += sum(len(tokens) < 6 for tokens in answer.tokens)
    assert bool(shorter) is bool(ends)


@pytest.mark.parametrize("architecture", ["llama", "bloom"])
def test_samples_depend_on_seed_and_text_only(models, architecture):
    model = open_model(str(models(architecture, "bytes")))
    asked = questions(k=8, new_tokens=3, search="sample", seed=1)
    together = answers_to(model, asked)
    alone = [answers_to(model, [question])[0] for question in asked]
    assert [a.tokens for a in together] == [a.tokens for a in alone]
    other = answers_to(model, questions(k=8, new_tokens=3, search="sample", seed=2))
    assert [a.tokens for a in other] != [a.tokens for a in together]
    assert all(len(a.tokens) == 8 for a in together)


def test_samples_follow_the_model(models):
    """Of 4,000 draws of one token each token comes about as often as its probability says."""
    folder = models("gpt2", "bytes")
    model = open_model(str(folder))
    question = Completion("the man ", ".", 400, new_tokens=1, search="sample")
    naive = NaiveCompleter(folder, masked=False)
    probabilities = naive.log_probabilities(question).exp()
    drawn = [
        token
        for seed in range(10)
        for (token,) in answers_to(model, [Completion("the man ", ".", 400, 1, "sample", seed)])[0].tokens
    ]
    best = int(probabilities.argmax())
    assert drawn.count(best) / len(drawn) == pytest.approx(float(probabilities[best]), abs=0.04)


@pytest.mark.parametrize(
    ("architecture", "tokenizer"),
    [("bert", "wordpiece-uncased"), ("roberta", "bytes-mask"), ("xlm-roberta", "unigram-mask"), ("llama", "bytes")],
)
def test_whole_words_go_further_down_the_list(models, architecture, tokenizer):
    model = of_kind(open_model(str(models(architecture, tokenizer))), LanguageModel)
    raw = answers_to(model, questions(k=model.vocabulary))
    words = answers_to(model, questions(k=12, whole_words=True))
    for every, chosen in zip(raw, words, strict=True):
        kept = [tokens for tokens in every.tokens if tokens in set(chosen.tokens)]
        assert kept == list(chosen.tokens)[: len(kept)]
        assert all(any(c.isalnum() for c in text) and "#" not in text for text in chosen.texts)
        for (token,) in chosen.tokens:
            assert token not in model.tokenizer.all_special_ids
            piece = model.tokenizer.convert_ids_to_tokens(token)
            assert not piece.startswith("##")
            assert tokenizer == "wordpiece-uncased" or piece[0] in "Ġ▁"


def test_texts_that_differ_after_the_blank_are_continued_once(models, monkeypatch):
    model = open_model(str(models("llama", "bytes")))
    model.load()
    plan = model.plan(questions(k=3, new_tokens=2), None)
    assert [len(batch.indices) for batch in plan.batches] == [len(TEXTS)]
    first, second = answers_to(model, questions(k=3, new_tokens=2))[:2]
    assert first == second


def test_a_text_without_a_beginning_is_unread(models):
    [answer] = answers_to(open_model(str(models("gpt2", "bytes"))), [Completion("", " is here.", 3)])
    assert answer.texts is None
    assert "there is no text before the blank" in answer.unread


def test_k_beyond_the_vocabulary_is_refused(models):
    with pytest.raises(UserError, match="K is 9999; use 1 to"):
        answers_to(open_model(str(models("gpt2", "bytes"))), [Completion("the man ", ".", 9999)])


def test_every_architecture_but_those_that_cannot_be_packed_grows_a_tree(models):
    for architecture in CAUSAL:
        model = open_model(str(models(architecture, "bytes")))
        model.load()
        [way] = {str(batch.strategy) for batch in model.plan(questions(k=2, new_tokens=2), None).batches}
        assert way.endswith("prefix cache") is (architecture != "bloom"), architecture
