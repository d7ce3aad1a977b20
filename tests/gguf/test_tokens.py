"""A GGUF file's tokenizer gives the ids that llama.cpp gives."""

import random

import pytest

from genderscope.models import open_model
from genderscope.models.hf.gguf.container import GgufFile
from genderscope.models.hf.gguf.tokenizer import PRE_TOKENIZERS, build_tokenizer
from genderscope.models.hf.language_model import LanguageModel
from genderscope.models.spec import split_spec
from tests.gguf.llama_cpp import LlamaCpp, assert_same_ids
from tests.gguf.sentences import sentences
from tests.gguf.vocabularies import SPACE, bpe_file, spm_file
from tests.support.answers import answers_to, gest_questions
from tests.support.kinds import of_kind

TEXTS = ["", " ", "he", " he", "\n\nhe said\n", *sentences(60)]


def tokenizer_of(path):
    return build_tokenizer(GgufFile(path).fields)[0]


@pytest.mark.long_but("default", "gpt-2", "llama-bpe", "qwen2")
@pytest.mark.parametrize("pre", PRE_TOKENIZERS)
def test_every_pre_tokenizer_cuts_as_llama_cpp_does(tmp_path, pre):
    path = bpe_file(tmp_path / "small.gguf", pre=pre)
    assert_same_ids(tokenizer_of(path), LlamaCpp(path), TEXTS[:25])


def test_the_texts_tell_pre_tokenizers_apart(tmp_path):
    kinds = {kind.patterns: name for name, kind in PRE_TOKENIZERS.items()}
    tokenizers = [tokenizer_of(bpe_file(tmp_path / "small.gguf", pre=name)) for name in kinds.values()]
    found = {str(tokenizer(TEXTS[:35])["input_ids"]) for tokenizer in tokenizers}
    assert len(found) == len(kinds) >= 10


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"add_space_prefix": False},
        {"add_bos_token": False, "add_eos_token": True},
        {"bos_token_id": 2, "eos_token_id": 1, "add_eos_token": True},
        {"bos_token_id": 99_999},
    ],
    ids=str,
)
def test_sentencepiece_merges_as_llama_cpp_does(tmp_path, fields):
    path = spm_file(tmp_path / "small.gguf", **fields)
    assert_same_ids(tokenizer_of(path), LlamaCpp(path), TEXTS)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_any_scores_merge_as_llama_cpp_does(tmp_path, seed):
    chosen = random.Random(seed)
    drawn = {"".join(chosen.choices("ab" + SPACE, k=chosen.randint(2, 6))) for _ in range(40)}
    words = ["a", "b", SPACE, *sorted(drawn)]
    scores = [-float(rank) for rank in chosen.sample(range(1, 1000), len(words))]
    texts = ["".join(chosen.choices("aab ", k=chosen.randint(1, 40))) for _ in range(100)]
    path = spm_file(tmp_path / "small.gguf", words, scores)
    assert_same_ids(tokenizer_of(path), LlamaCpp(path), texts)


ONE, NONE = True, False


@pytest.mark.parametrize(
    ("write", "fields", "begins", "ends"),
    [
        (spm_file, {}, ONE, NONE),
        (spm_file, {"add_bos_token": True}, ONE, NONE),
        (spm_file, {"add_bos_token": False}, NONE, NONE),
        (spm_file, {"add_eos_token": True}, ONE, ONE),
        (bpe_file, {}, NONE, NONE),
        (bpe_file, {"add_bos_token": True}, ONE, NONE),
        (bpe_file, {"pre": "llama-bpe"}, ONE, NONE),
        (bpe_file, {"pre": "llama-bpe", "add_bos_token": False}, NONE, NONE),
        (bpe_file, {"pre": None, "add_eos_token": True}, NONE, ONE),
    ],
)
def test_the_file_says_what_stands_at_the_ends_of_a_text(tmp_path, write, fields, begins, ends):
    tokenizer = tokenizer_of(write(tmp_path / "small.gguf", **fields))
    found, bare = (tokenizer("she", add_special_tokens=added)["input_ids"] for added in (True, False))
    assert bare
    assert found == [tokenizer.bos_token_id] * begins + bare + [tokenizer.eos_token_id] * ends


def test_the_prefix_space_is_the_files_choice(tmp_path):
    with_space = tokenizer_of(spm_file(tmp_path / "with.gguf"))
    without = tokenizer_of(spm_file(tmp_path / "without.gguf", add_space_prefix=False))
    assert with_space("she")["input_ids"] == without(" she")["input_ids"] != without("she")["input_ids"]
    assert with_space.decode(with_space("she said")["input_ids"], skip_special_tokens=True) == "she said"
    assert without.decode(without("she said")["input_ids"], skip_special_tokens=True) == "she said"


def test_options_are_found_behind_a_prefix_space(tmp_path):
    words = [*'abcdefghijklmnopqrstuvwxyzIW",.!', SPACE, "he", f"{SPACE}he", "she", f"{SPACE}she"]
    model = of_kind(open_model(f"gguf:{spm_file(tmp_path / 'small.gguf', words)}"), LanguageModel)
    answers = answers_to(model, gest_questions((3,)))
    wanted = tuple((model.tokenizer.convert_tokens_to_ids(SPACE + word),) for word in ("he", "she"))
    assert {answer.tokens for answer in answers} == {wanted}
    assert all(answer.scores is not None for answer in answers)


def test_control_tokens_are_special_and_user_defined_ones_are_text(tmp_path):
    tokenizer = tokenizer_of(spm_file(tmp_path / "small.gguf", add_space_prefix=False))
    ids = tokenizer("<b></s>", add_special_tokens=False)["input_ids"]
    assert tokenizer.convert_ids_to_tokens(ids) == ["<b>", "</s>"]
    assert [token in tokenizer.all_special_ids for token in ids] == [False, True]


def test_a_gguf_file_needs_no_prefix(tmp_path):
    (tmp_path / "small.gguf").write_bytes(b"GGUF")
    assert split_spec(str(tmp_path / "small.gguf")) == ("gguf", str(tmp_path / "small.gguf"))
    assert split_spec(str(tmp_path / "absent.gguf"))[0] == "hf"
