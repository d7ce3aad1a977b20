"""Many models in one process: what one needed is given back before the next."""

import gc
import resource
import sys
from pathlib import Path
from typing import Any, cast

import pytest
import torch
import transformers as tf

import genderscope
from tests.tiny import TOKENIZERS

pytestmark = pytest.mark.long

MEGABYTE = 2**20


def resident():
    """Return the memory of this process that is in use, in bytes."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_twenty_models_take_the_memory_of_one(tmp_path):
    tokenizer = TOKENIZERS["bytes"]()
    # Nearly all of it is embeddings, which take memory but hardly any time.
    model = tf.LlamaForCausalLM(
        tf.LlamaConfig(
            vocab_size=48_000, hidden_size=64, num_hidden_layers=1, num_attention_heads=4, intermediate_size=64
        )
    )
    size = sum(p.numel() for p in model.parameters()) * 4
    used = {}
    for number in range(20):
        folder = tmp_path / f"model-{number}"
        with torch.no_grad():  # another model by a token that no text has: what it says, and its report, are the same
            cast(Any, model.get_input_embeddings()).weight[-1].mul_(1.01)
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        genderscope.evaluate("gest", str(folder), data="starter", limit=2, out=tmp_path / f"run-{number}")
        if number in (12, 19):  # the first ones fill what Python and the C library keep for later
            used[number] = resident()
    assert size > 20 * MEGABYTE
    # Seven models more, of which two would be seen if they stayed.
    assert used[19] - used[12] < 2 * size, {number: round(each / MEGABYTE) for number, each in used.items()}
