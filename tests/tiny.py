"""Tiny models of many architectures over tokenizers of every family, built in seconds and full of random weights."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import torch
import transformers as tf
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

CORPUS = [
    'He said: "I was there when it all began." She said: "I would never have left."',
    'The man said: "I cried for an hour." The woman said: "I lifted the heavy box."',
    '"I have always led the team.", he said. "I cooked for everyone.", she said.',
    '"I was too tired to argue.", the man said. "I fought for my place.", the woman said.',
    "They asked me about the children, the house, the garden and the old wooden boat by the lake.",
] * 4


def _train(tokenizer: Tokenizer, trainer: Any) -> Tokenizer:
    tokenizer.train_from_iterator(CORPUS, trainer)
    return tokenizer


def _wordpiece(lowercase: bool) -> tf.PreTrainedTokenizerFast:
    # Not trained: the trainer settles ties by chance, and then the model over its pieces answers by chance too.
    text = " ".join(CORPUS).lower() if lowercase else " ".join(CORPUS)
    letters = sorted(set(text) - {" "})
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces = [*special, *letters, *(f"##{c}" for c in letters), *sorted(set(re.findall(r"\w\w+", text)))]
    tokenizer = Tokenizer(models.WordPiece({piece: k for k, piece in enumerate(pieces)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(s, tokenizer.token_to_id(s)) for s in ("[CLS]", "[SEP]")]
    )
    names = {
        "pad_token": "[PAD]",
        "unk_token": "[UNK]",
        "cls_token": "[CLS]",
        "sep_token": "[SEP]",
        "mask_token": "[MASK]",
    }
    return tf.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)


def _byte_level(bos: bool, mask: bool = False) -> tf.PreTrainedTokenizerFast:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<s>", "<pad>", "</s>", "<mask>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    _train(tokenizer, trainers.BpeTrainer(vocab_size=500, special_tokens=special, initial_alphabet=alphabet))
    if bos:
        ends = [(s, tokenizer.token_to_id(s)) for s in ("<s>", "</s>")]
        single = "<s> $A </s>" if mask else "<s> $A"
        tokenizer.post_processor = processors.TemplateProcessing(single=single, special_tokens=ends)
    names = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>"} | ({"mask_token": "<mask>"} if mask else {})
    return tf.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)


def _unigram(mask: bool) -> tf.PreTrainedTokenizerFast:
    words = sorted({word for line in CORPUS for word in re.findall(r"\w+", line)})
    letters = sorted({letter for line in CORPUS for letter in line if letter != " "} | {"\u2581"})
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    pieces = [*((s, 0.0) for s in special), *((f"\u2581{w}", -5.0) for w in words), *((c, -12.0) for c in letters)]
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=3))
    tokenizer.add_special_tokens(special)
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    ends = [(s, tokenizer.token_to_id(s)) for s in ("<s>", "</s>")]
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=ends)
    names = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
    return tf.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names | ({"mask_token": "<mask>"} if mask else {}))


def _metaspace_bpe() -> tf.PreTrainedTokenizerFast:
    """As Llama 2 has it: BPE over words that carry their space, with byte fall-back and a BOS."""
    tokenizer = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    tokenizer.decoder = decoders.Metaspace()
    bytes_ = [f"<0x{k:02X}>" for k in range(256)]
    _train(tokenizer, trainers.BpeTrainer(vocab_size=700, special_tokens=["<unk>", "<s>", "</s>", *bytes_]))
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    return tf.PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", unk_token="<unk>")


def word_level(corpus: Iterable[str], mask: bool) -> tf.PreTrainedTokenizerFast:
    """A tokenizer whose tokens are the words of a corpus, for models that are trained in a test."""
    tokenizer = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.train_from_iterator(corpus, trainers.WordLevelTrainer(special_tokens=["[PAD]", "[UNK]", "[MASK]"]))
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]"} | ({"mask_token": "[MASK]"} if mask else {})
    return tf.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)


TOKENIZERS: dict[str, Callable[[], tf.PreTrainedTokenizerFast]] = {
    "wordpiece-cased": lambda: _wordpiece(lowercase=False),
    "wordpiece-uncased": lambda: _wordpiece(lowercase=True),
    "bytes": lambda: _byte_level(bos=False),
    "bytes-bos": lambda: _byte_level(bos=True),
    "bytes-mask": lambda: _byte_level(bos=True, mask=True),
    "unigram-mask": lambda: _unigram(mask=True),
    "metaspace-bos": _metaspace_bpe,
}

_SMALL = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
_ENCODER: dict[str, Any] = {**_SMALL, "max_position_embeddings": 80}
_DECODER: dict[str, Any] = {**_SMALL, "num_key_value_heads": 2, "max_position_embeddings": 128}
_SHORT = {"n_embd": 32, "n_layer": 2, "n_head": 4}

MASKED: dict[str, Callable[..., Any]] = {
    "bert": lambda **k: tf.BertForMaskedLM(tf.BertConfig(**_ENCODER | k)),
    "roberta": lambda **k: tf.RobertaForMaskedLM(tf.RobertaConfig(**_ENCODER | k)),
    "xlm-roberta": lambda **k: tf.XLMRobertaForMaskedLM(tf.XLMRobertaConfig(**_ENCODER | k)),
    "albert": lambda **k: tf.AlbertForMaskedLM(tf.AlbertConfig(**_ENCODER, embedding_size=16, **k)),
    "distilbert": lambda **k: tf.DistilBertForMaskedLM(
        tf.DistilBertConfig(dim=32, n_layers=2, n_heads=4, hidden_dim=64, **k)
    ),
    "electra": lambda **k: tf.ElectraForMaskedLM(tf.ElectraConfig(**_ENCODER, embedding_size=16, **k)),
    "deberta-v2": lambda **k: tf.DebertaV2ForMaskedLM(tf.DebertaV2Config(**_ENCODER | k)),
    "modernbert": lambda **k: tf.ModernBertForMaskedLM(tf.ModernBertConfig(**_ENCODER | k)),
}

CAUSAL: dict[str, Callable[..., Any]] = {
    "gpt2": lambda **k: tf.GPT2LMHeadModel(tf.GPT2Config(**_SHORT | k, n_positions=128)),
    "llama": lambda **k: tf.LlamaForCausalLM(tf.LlamaConfig(**_DECODER, **k)),
    "gpt-neox": lambda **k: tf.GPTNeoXForCausalLM(tf.GPTNeoXConfig(**_ENCODER | k)),
    "opt": lambda **k: tf.OPTForCausalLM(
        tf.OPTConfig(
            hidden_size=32, word_embed_proj_dim=16, num_hidden_layers=2, num_attention_heads=4, ffn_dim=64, **k
        )
    ),
    "bloom": lambda **k: tf.BloomForCausalLM(tf.BloomConfig(hidden_size=32, n_layer=2, n_head=4, **k)),
    "mistral": lambda **k: tf.MistralForCausalLM(tf.MistralConfig(**_DECODER, sliding_window=64, **k)),
    "gemma2": lambda **k: tf.Gemma2ForCausalLM(
        tf.Gemma2Config(**_DECODER, head_dim=8, final_logit_softcapping=5.0, **k)
    ),
    "phi": lambda **k: tf.PhiForCausalLM(tf.PhiConfig(**_ENCODER | k)),
}


#: where the numbers do not matter, a model may be smaller still
SMALLEST = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 8}


def build(architecture: str, tokenizer: str, folder: Path, **smaller: int) -> None:
    """Save a model with random weights, large enough that its log-ratios are not all near zero."""
    torch.manual_seed(0)
    made = TOKENIZERS[tokenizer]()
    known = {"vocab_size": len(made), "pad_token_id": made.pad_token_id, "bos_token_id": None, "eos_token_id": None}
    model = (MASKED | CAUSAL)[architecture](**known, **smaller)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.normal_(std=0.3)
    model.save_pretrained(folder)
    made.save_pretrained(folder)
