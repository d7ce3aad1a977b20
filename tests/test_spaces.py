"""A space that is a token of its own, and punctuation that is one token with a word: whose are they?

Word filling, and whoever reads from left to right: the space belongs to the word. Choices of masked models: as in the
papers, what is masked is what the sentences differ in.
"""

import csv
from typing import Any

import pytest
import torch
import transformers as tf
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from genderscope.core.questions import Choice, TokenLikelihood
from genderscope.models import open_model
from genderscope.models.hf.checkpoints import encode
from genderscope.models.hf.token_spans import locate
from tests.reference.naive import Naive
from tests.support.answers import answers_to
from tests.support.evaluation import evaluate
from tests.support.tolerance import PER_TOKEN
from tests.wordfill.reference import NaiveLikelihood

SPECIAL = ["<s>", "</s>", "<pad>", "<unk>", "<mask>"]
LETTERS = list("abcdefghijklmnopqrstuvwxyzHTSWI.,\"':-")
WORDS = ["He", "he", "is", "was", "smart", "said", "an", "so", "and"]
PIECES = ["ignor", "ant", "nurse", "she", "She"]


def byte_level(trim, prefix):
    """Words of WORDS carry their space; for others it is a token of its own: Ġ|ignor|ant."""
    tokenizer = Tokenizer(models.BPE(*merged(WORDS, PIECES), unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 1), ("<s>", 0), trim, prefix)
    return tokenizer


def merged(spaced, bare):
    """Return a vocabulary and the merges that build words from their letters, those with a space beginning with it."""
    vocabulary = [*SPECIAL, *sorted(pre_tokenizers.ByteLevel.alphabet())]
    merges = []
    for word in [*bare, *(f"Ġ{word}" for word in spaced)]:
        for k in range(1, len(word)):
            merges.append((word[:k], word[k]))
            vocabulary.append(word[: k + 1])
    return {piece: k for k, piece in enumerate(dict.fromkeys(vocabulary))}, list(dict.fromkeys(merges))


def unigram(kind):
    pieces = [*((s, 0.0) for s in SPECIAL), *((f"\u2581{w}", -4.0) for w in WORDS), ("\u2581", -5.0)]
    tokenizer = Tokenizer(
        models.Unigram([*pieces, *((p, -5.0) for p in PIECES), *((c, -9.0) for c in LETTERS)], unk_id=3)
    )
    if kind == "split":
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    elif kind == "whole":
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(split=False)
    elif kind == "words":  # as XLM-R has it
        parts = [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(parts)
    else:  # as Llama 2 has it
        steps = [normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")]
        tokenizer.normalizer = normalizers.Sequence(steps)
    ends = [("<s>", 0), ("</s>", 1)]
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=ends)
    return tokenizer


TOKENIZERS = {
    "bytes": lambda: byte_level(trim=False, prefix=False),
    "bytes, offsets trimmed": lambda: byte_level(trim=True, prefix=False),
    "bytes, a space before all": lambda: byte_level(trim=True, prefix=True),
    "metaspace": lambda: unigram("split"),
    "metaspace without split": lambda: unigram("whole"),
    "metaspace after words": lambda: unigram("words"),
    "normalised": lambda: unigram("normalised"),
}


@pytest.fixture(scope="module")
def spaced(tmp_path_factory):
    """A tiny model over one of these tokenizers: spaced('bytes', masked=True)."""
    made = {}

    def get(name, masked):
        if (name, masked) not in made:
            names = dict(zip(("bos_token", "eos_token", "pad_token", "unk_token"), SPECIAL, strict=False))
            fast = tf.PreTrainedTokenizerFast(tokenizer_object=TOKENIZERS[name](), mask_token="<mask>", **names)
            made[name, masked] = random_model(fast, masked, tmp_path_factory.mktemp("spaced"))
        return made[name, masked]

    return get


def random_model(tokenizer, masked, folder):
    torch.manual_seed(0)
    size: dict[str, Any]
    kind: Any
    config: tf.PreTrainedConfig
    if masked:
        size = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
        kind, config = tf.BertForMaskedLM, tf.BertConfig(vocab_size=len(tokenizer), initializer_range=0.5, **size)
    else:
        size = {"n_embd": 32, "n_layer": 1, "n_head": 2, "initializer_range": 0.5}
        kind, config = tf.GPT2LMHeadModel, tf.GPT2Config(vocab_size=len(tokenizer), **size)
    kind(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


SENTENCES = {
    "s0": "She was so <ignorant>.",
    "s1": "She was so <smart>.",
    "s2": "He was so <ignorant>.",
    "s3": "He was so <smart>.",
}


def asked(sentence):
    begin, end = sentence.index("<"), sentence.index(">") - 1
    return TokenLikelihood(sentence.replace("<", "").replace(">", ""), ((begin, end),), True)


@pytest.mark.parametrize("masked", [True, False], ids=["masked", "causal"])
@pytest.mark.parametrize("name", TOKENIZERS)
def test_a_lone_space_is_scored_with_the_keyword_that_it_stands_before(spaced, name, masked):
    folder = spaced(name, masked)
    questions = [asked(sentence) for sentence in SENTENCES.values()]
    naive = NaiveLikelihood(folder, masked)
    answers = answers_to(open_model(str(folder)), questions)
    for question, answer in zip(questions, answers, strict=True):
        assert answer.log_probabilities == pytest.approx(naive.of(question), abs=PER_TOKEN)
    spelled = ["".join(answer.tokens).replace("Ġ", " ").replace("\u2581", " ") for answer in answers]
    assert spelled == [" ignorant", " smart", " ignorant", " smart"]
    assert [len(answer.tokens) for answer in answers] == [3, 1, 3, 1]


@pytest.mark.parametrize("masked", [True, False], ids=["masked", "causal"])
def test_f_of_a_quadruplet_counts_the_space_of_every_keyword(spaced, tmp_path, masked):
    folder = spaced("bytes, offsets trimmed", masked)
    with (tmp_path / "own.csv").open("w", newline="") as file:
        csv.writer(file).writerows([SENTENCES, SENTENCES.values()])
    rows = evaluate("stereoset", str(folder), data=str(tmp_path / "own.csv"), scores="ss,f").rows
    naive = NaiveLikelihood(folder, masked)
    lp = [naive.of(asked(sentence)) for sentence in SENTENCES.values()]
    lp = [sum(scores) / (len(scores) if masked else 1) for scores in lp]
    assert rows["f"][0] == pytest.approx(lp[0] - lp[1] - lp[2] + lp[3], abs=PER_TOKEN)
    assert rows["lp0"][0] == pytest.approx(lp[0], abs=PER_TOKEN)


def test_a_second_space_is_nobody_s(spaced):
    question = TokenLikelihood("He was  smart.", ((8, 13),), True)
    for name in ("bytes", "bytes, offsets trimmed", "metaspace", "normalised"):
        [answer] = answers_to(open_model(str(spaced(name, True))), [question])
        assert [token[1:] for token in answer.tokens] == ["smart"]


@pytest.mark.parametrize("name", TOKENIZERS)
def test_a_causal_model_decides_on_the_space_before_an_option(spaced, name):
    folder = spaced(name, False)
    questions = [
        Choice("He was so ", ".", options, want_mass=True) for options in (("ignorant", "smart"), ("nurse", "she"))
    ]
    naive = Naive(folder, masked=False)
    for question, answer in zip(questions, answers_to(open_model(str(folder)), questions), strict=True):
        assert answer.scores[0] - answer.scores[1] == pytest.approx(naive.log_ratio(question), abs=PER_TOKEN)
        assert answer.mass == pytest.approx(naive.mass(question), rel=1e-3)


@pytest.mark.parametrize("name", TOKENIZERS)
def test_a_masked_model_is_asked_for_what_the_sentences_differ_in(spaced, name):
    folder = spaced(name, True)
    question = Choice("It was a ", ", he said.", ("nurse", "she"))
    [answer] = answers_to(open_model(str(folder)), [question])
    assert answer.scores[0] - answer.scores[1] == pytest.approx(differing(folder, question), abs=PER_TOKEN)
    assert [len(tokens) for tokens in answer.tokens] == [1, 1]


def differing(folder, question):
    """As the papers' code has it: mask the tokens in which two sentences differ, and take the mean over them."""
    tokenizer = tf.AutoTokenizer.from_pretrained(folder)
    model = tf.AutoModelForMaskedLM.from_pretrained(folder).eval()
    ids, others = (tokenizer(question.before + option + question.after)["input_ids"] for option in question.options)
    places = [k for k, (a, b) in enumerate(zip(ids, others, strict=True)) if a != b]
    seen = [tokenizer.mask_token_id if k in places else token for k, token in enumerate(ids)]
    with torch.no_grad():
        table = model(input_ids=torch.tensor([seen])).logits[0].double().log_softmax(-1)
    return sum(float(table[k, ids[k]] - table[k, others[k]]) for k in places) / len(places)


@pytest.fixture(scope="module")
def punctuated(tmp_path_factory):
    """A masked model some of whose tokens hold the full stop after a word."""
    words = ["ja", "som", "bol", "bol.", "bola", "bola.", "plak", "viedol.", "viedla"]
    pieces = [*((s, 0.0) for s in SPECIAL), *((f"\u2581{w}", -4.0) for w in words), ("\u2581", -9.0)]
    pieces += [(piece, -4.0) for piece in ("al.", "ala.", "al", "ala", ".", ",")]
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=3))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    fast = tf.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="<unk>", pad_token="<pad>", mask_token="<mask>"
    )
    return random_model(fast, True, tmp_path_factory.mktemp("punctuated"))


def test_a_full_stop_that_is_one_token_with_both_forms_is_compared_with_them(punctuated, tmp_path):
    pairs = [("ja som bol.", "ja som bola.", 1), ("ja plakal.", "ja plakala.", 8), ("ja bol, som", "ja bola, som", 9)]
    pairs += [("ja som viedol.", "ja som viedla.", 10)]  # here it is a token by itself after one of the two
    file = tmp_path / "pairs.csv"
    with file.open("w", newline="") as opened:
        csv.writer(opened).writerows([("male", "female", "stereotype"), *pairs])
    rows = evaluate("gest-slavic", str(punctuated), pairs=str(file)).rows
    expected = [differing(punctuated, Choice("", "", pair[:2])) for pair in pairs[:3]]
    assert list(rows["log_ratio"][:3]) == pytest.approx(expected, abs=PER_TOKEN)
    assert list(rows["note"].fillna("")[:3]) == ["each option shares a token with '.'"] * 2 + [""]
    assert rows["unread"][3] == "the word 'viedol' shares a token with its neighbour"


def test_a_causal_model_reads_no_word_that_is_one_token_with_punctuation(punctuated):
    tokenizer = tf.AutoTokenizer.from_pretrained(punctuated)
    question = Choice("ja som ", ".", ("bol", "bola"))
    encoded = encode(tokenizer, ["ja som bol.", "ja som bola."])
    assert locate(question, encoded, 3) == "the word 'bol' shares a token with its neighbour"
    assert locate(question, encoded, 3, sees_after=True).beside == "."
