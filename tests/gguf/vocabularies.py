"""Small vocabularies learned from the sentences, as the two kinds of tokenizers have them."""

import json
from functools import cache
from pathlib import Path

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from tests.gguf.sentences import sentences
from tests.gguf.tiny import BYTE, CONTROL, NORMAL, UNKNOWN, USER_DEFINED, llama_file

SPACE = "▁"
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]


def learned(texts, byte_level):
    """Learn merges over whole texts, so that every place where a text is cut shows."""
    tokenizer = Tokenizer(models.BPE())
    alphabet = pre_tokenizers.ByteLevel.alphabet() if byte_level else []
    if byte_level:
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    trainer = trainers.BpeTrainer(
        vocab_size=1500, initial_alphabet=alphabet, show_progress=False, max_token_length=10
    )  # fmt: skip
    tokenizer.train_from_iterator(texts, trainer)
    model = json.loads(tokenizer.to_str())["model"]
    return sorted(model["vocab"], key=model["vocab"].get), [" ".join(pair) for pair in model["merges"]]


@cache
def byte_level():
    return learned(sentences(300, seed=1), byte_level=True)


@cache
def pieces():
    return learned([text.replace(" ", SPACE) for text in sentences(300, seed=1)], byte_level=False)[0]


def bpe_file(path: Path, **fields) -> Path:
    """Write a byte-level file; `<|end|>` begins and ends texts where anything does."""
    tokens, merges = byte_level()
    settings = {"model": "gpt2", "pre": "gpt-2", "merges": merges, "bos_token_id": 0, "eos_token_id": 0} | fields
    return llama_file(path, ["<|end|>", *tokens], [CONTROL] + [NORMAL] * len(tokens), **settings)


def spm_file(path: Path, words=None, scores=None, **fields) -> Path:
    """Write a SentencePiece file; without words it is the learned one. `<s>` is token 1, `</s>` token 2."""
    found = ["\n\n", "<b>", "  "]  # found whole, before anything is merged
    head = ["<unk>", "<s>", "</s>", *BYTES, *found]
    body = [piece for piece in words or pieces() if piece not in head]
    types = [UNKNOWN, CONTROL, CONTROL] + [BYTE] * 256 + [USER_DEFINED] * 3 + [NORMAL] * len(body)
    by_rank = scores or [-float(rank) for rank in range(len(body))]
    settings = {"model": "llama", "scores": [0.0] * 259 + [-1000.0] * 3 + by_rank} | fields
    return llama_file(path, [*head, *body], types, **settings)
