"""Tiny masked and causal models that learn who is who from a few hundred sentences."""

import random

import torch
import transformers as tf

from tests.tiny import word_level


def train(lines, words, masked, folder, steps=150, more=()):
    """Train a one-layer model on the lines; a masked model is asked only for `words`."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    tokenizer = word_level([*lines, *more], mask=masked)
    config = (tf.BertConfig if masked else tf.LlamaConfig)(
        vocab_size=len(tokenizer),
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
        eos_token_id=None,
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=48,
        initializer_range=0.2,
    )
    model = (tf.BertForMaskedLM if masked else tf.LlamaForCausalLM)(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    asked = torch.tensor(sorted({tokenizer.convert_tokens_to_ids(w) for w in words}))
    generator = random.Random(0)
    for _ in range(steps):
        batch = tokenizer(generator.sample(lines, min(48, len(lines))), padding=True, return_tensors="pt")
        ids = batch["input_ids"]
        labels = ids.clone()
        if masked:
            hidden = torch.isin(ids, asked)
            labels[~hidden] = -100
            ids = ids.masked_fill(hidden, tokenizer.mask_token_id)
        else:
            labels[batch["attention_mask"] == 0] = -100
        loss = model(input_ids=ids, attention_mask=batch["attention_mask"], labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)
