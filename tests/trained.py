"""Tiny masked and causal models that learn a few hundred sentences: the one training loop of all tests."""

import random
from typing import Any

import torch
import transformers as tf

from tests.tiny import word_level

SIZE: dict[str, Any] = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}
NO_DROPOUT: dict[str, Any] = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}


def train(lines, words, masked, folder, steps=150, rate=5e-3, size=48, positions=48, more=()):
    """Train a one-layer model on the lines; it is asked only for `words`, and a causal one for full stops too.

    `more` it knows as well.
    """
    torch.manual_seed(0)
    torch.set_num_threads(1)
    tokenizer = word_level([*lines, *more], mask=masked)
    known: dict[str, Any] = {
        "vocab_size": len(tokenizer),
        "pad_token_id": tokenizer.pad_token_id,
        "max_position_embeddings": positions,
    }
    ends: dict[str, Any] = {"bos_token_id": None, "eos_token_id": None, "initializer_range": 0.2}
    model = (
        tf.BertForMaskedLM(tf.BertConfig(**SIZE, **known, **ends, **NO_DROPOUT))
        if masked
        else tf.LlamaForCausalLM(tf.LlamaConfig(**SIZE, **known, **ends))
    )
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, fused=True)
    learned = _questions(tokenizer, lines, words if masked else (*words, "."), masked)
    draw = random.Random(0)
    for _ in range(steps):
        chosen = torch.tensor(draw.sample(range(len(lines)), min(size, len(lines))))
        model(**{name: values[chosen] for name, values in learned.items()}).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def _questions(tokenizer, lines, words, masked):
    """What the model is given and asked for, a row for each line."""
    batch = tokenizer(lines, padding=True, return_tensors="pt")
    ids, attended = batch["input_ids"], batch["attention_mask"]
    asked = torch.isin(ids, torch.tensor(sorted(set(tokenizer.convert_tokens_to_ids(list(words))))))
    given = ids.masked_fill(asked, tokenizer.mask_token_id) if masked else ids
    return {"input_ids": given, "attention_mask": attended, "labels": ids.masked_fill(~asked, -100)}
