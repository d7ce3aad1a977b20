"""A GGUF file that cannot be read as llama.cpp reads it is refused in one sentence, and nothing is kept of it."""

import shutil

import numpy as np
import pytest

from genderscope.core.errors import UserError
from genderscope.core.user_cache import cache_folder
from genderscope.models import Settings
from genderscope.models.hf.gguf.open import open_gguf
from genderscope.models.hf.language_model import LanguageModel
from tests.gguf.tiny import CONTROL, LLAMA_SHAPE, NORMAL, llama_tensors, write
from tests.gguf.vocabularies import BYTES, SPACE, bpe_file, byte_level, spm_file
from tests.support.kinds import of_kind

SERVED = "serve it with llama.cpp's server and use --model server:URL#NAME"

SENTENCEPIECE = {"tokenizer.ggml.tokens": BYTES, "tokenizer.ggml.token_type": [NORMAL] * 256}


def plain_file(path, architecture="llama", shape=None, tensors=None, **fields):
    """Write a byte-level file with other fields or tensors; None leaves one out."""
    tokens, merges = byte_level()
    settings = {f"{architecture}.{name}": value for name, value in (LLAMA_SHAPE | (shape or {})).items()}
    settings |= {
        "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "gpt-2", "tokenizer.ggml.merges": merges,
        "tokenizer.ggml.tokens": ["<|end|>", *tokens], "tokenizer.ggml.eos_token_id": 0,
        "tokenizer.ggml.token_type": [CONTROL] + [NORMAL] * len(tokens),
    }  # fmt: skip
    weights = llama_tensors(len(tokens) + 1) | (tensors or {})
    return write(path, architecture, settings | fields, {n: w for n, w in weights.items() if w is not None})


def cut(path):
    plain_file(path)
    path.write_bytes(path.read_bytes()[:-100])


def cut_in_the_header(path):
    plain_file(path)
    path.write_bytes(path.read_bytes()[:2000])


#: what is wrong, how such a file is written, what is said
BROKEN = {
    "empty": (lambda path: path.touch(), "cannot be read as a GGUF language model: it cannot be opened"),
    "another format": (lambda path: path.write_bytes(b"PK" * 99), "it does not start with the GGUF magic number"),
    "cut off": (cut, "it is truncated: the tensor '"),
    "cut off in its header": (cut_in_the_header, "its header is truncated"),
    "an adapter": (lambda path: plain_file(path, **{"general.type": "adapter"}), "its type is 'adapter', not 'model'"),
    "a part": (lambda path: plain_file(path, **{"split.count": 3}), "it is one of 3 parts; merge them with"),
    "a missing tensor": (
        lambda path: plain_file(path, tensors={"blk.0.attn_v.weight": None}),
        "it lacks the tensor 'blk.0.attn_v.weight'",
    ),
    "a tensor of another shape": (
        lambda path: plain_file(path, tensors={"blk.0.attn_v.weight": np.zeros((16, 32))}),
        r"its tensor 'blk.0.attn_v.weight' has the shape \(16, 32\), not \(32, 32\)",
    ),
    "a missing field": (
        lambda path: plain_file(path, shape={"block_count": None}), "it has no field 'llama.block_count'",
    ),
    "no tokens": (
        lambda path: plain_file(path, **{"tokenizer.ggml.tokens": None}), "the list 'tokenizer.ggml.tokens' is missing",
    ),
    "a token twice": (
        lambda path: plain_file(path, **{"tokenizer.ggml.tokens": ["he", "he"]}), "contains the token 'he' twice",
    ),
    "merges of no tokens": (
        lambda path: plain_file(path, **{"tokenizer.ggml.merges": ["he he"]}), "its merges produce 'hehe', which",
    ),
    "no bytes": (
        lambda path: plain_file(path, **{"tokenizer.ggml.model": "llama"}),
        "its SentencePiece vocabulary lacks the byte token <0x00>",
    ),
    "no scores": (
        lambda path: plain_file(path, **{"tokenizer.ggml.model": "llama", **SENTENCEPIECE}),
        "the list 'tokenizer.ggml.scores' is missing",
    ),
    "no token to begin with": (
        lambda path: bpe_file(path, pre="glm4", add_bos_token=True, bos_token_id=None), "but has no 'bos_token_id'",
    ),
}  # fmt: skip
#: the same of files that llama.cpp runs
UNLIKE = {
    "an unknown architecture": (
        lambda path: plain_file(path, "starlight"),
        "its architecture 'starlight' is not among those known to give the same results",
    ),
    "experts": (
        lambda path: plain_file(path, shape={"expert_count": 8}), "its field 'llama.expert_count' is not supported",
    ),
    "layers that differ": (
        lambda path: plain_file(path, shape={"feed_forward_length": [32, 64]}), "its layers differ in 'llama.feed_",
    ),
    "positions scaled otherwise": (
        lambda path: plain_file(path, shape={"rope.scaling.type": "spiral", "rope.scaling.factor": 2.0}),
        "it uses 'spiral' position scaling",
    ),
    "a tensor without a place": (
        lambda path: plain_file(path, tensors={"blk.0.attn_sinks.weight": np.zeros(2)}),
        "its tensor 'blk.0.attn_sinks.weight' does not exist in the transformers model",
    ),
    "an unknown pre-tokenizer": (
        lambda path: bpe_file(path, pre="gpt-99"), "its pre-tokenizer 'gpt-99' is not known to split text the way",
    ),
    "an unknown tokenizer": (lambda path: bpe_file(path, model="rwkv"), "its tokenizer 'rwkv' is neither 'llama'"),
    "tokens of the same score": (
        lambda path: spm_file(path, ["a", "b", "ab", "ba"], [-1.0, -2.0, -3.0, -3.0]),
        "its tokens 'ab' and 'ba' have the same score",
    ),
    "a token without its characters": (
        lambda path: spm_file(path, ["a", "ab", SPACE], [-1.0, -2.0, -3.0]),
        "its vocabulary contains the token 'ab' but not all of its characters",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", [*BROKEN, *UNLIKE])
def test_it_is_refused_in_one_sentence(tmp_path, what):
    path = tmp_path / "file.gguf"
    write_file, said = (BROKEN | UNLIKE)[what]
    write_file(path)
    with pytest.raises(UserError, match=said) as refused:
        open_gguf(str(path), Settings())
    sentence = str(refused.value)
    assert sentence.startswith(f"'{path}' ")
    assert "\n" not in sentence
    assert (SERVED in sentence) == (what in UNLIKE)
    assert not list(cache_folder("gguf").iterdir()), "nothing is half-written"


def test_what_an_older_version_converted_is_converted_again(tmp_path):
    path = bpe_file(tmp_path / "file.gguf")
    folder = of_kind(open_gguf(str(path), Settings()), LanguageModel).folder
    wrong = folder / "tokenizer.json"
    right = wrong.read_bytes()
    for seal in ("1 " + "0" * 64, None):
        wrong.write_bytes(b"{}")
        (folder / "converted.sha256").unlink()
        if seal:
            (folder / "converted.sha256").write_text(seal)
        assert of_kind(open_gguf(str(path), Settings()), LanguageModel).folder == folder
        assert wrong.read_bytes() == right
    shutil.rmtree(folder)


def test_the_chat_template_and_the_ends_come_along(tmp_path):
    template = "{% for m in messages %}<{{ m.content }}>{% endfor %}"
    fields = {"tokenizer.chat_template": template, "tokenizer.ggml.eot_token_id": 7}
    path = plain_file(tmp_path / "file.gguf", **fields)
    model = of_kind(open_gguf(str(path), Settings()), LanguageModel)
    assert model.tokenizer.apply_chat_template([{"role": "user", "content": "hi"}], tokenize=False) == "<hi>"
    model.load()
    ends = model.tokenizer.convert_ids_to_tokens(model.model.generation_config.eos_token_id)
    assert ends[:2] == ["<|end|>", model.tokenizer.convert_ids_to_tokens(7)]
    assert set(ends[2:]) == {"</s>", "[PAD]"}, "by their names they end texts, as in llama.cpp"


def test_bytes_are_the_last_resort(tmp_path):
    tokenizer = of_kind(
        open_gguf(str(spm_file(tmp_path / "file.gguf", ["a", SPACE], [-1.0, -2.0])), Settings()), LanguageModel
    ).tokenizer
    assert tokenizer.tokenize("aé") == [SPACE, "a", BYTES[0xC3], BYTES[0xA9]]
