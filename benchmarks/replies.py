"""How fast are local replies, next to transformers' own `generate`, llama.cpp and vLLM, in one run?

    python benchmarks/replies.py [--model SPEC | --random 1.4b|7b|tiny] [--device cuda] [--prompts N] [--new N]
                                 [--gguf FILE] [--static]

Replies are compared in tokens per second, greedy and at temperature 1, all with the same number of new tokens. `ours`
is the measure's own way, without the warm-up, which is told separately. `generate` is transformers' own, with batches
of 256, padded on the left, and with `--static` also its static cache and one batch, second call. llama.cpp (xllamacpp)
and vLLM take part where they are installed and can read the model. Random weights have real shapes.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers as tf
from tokenizers import Tokenizer, models, pre_tokenizers

from genderscope.core.questions import Message, Reply
from genderscope.models import Remote, open_model
from genderscope.models.hf.model_classes import CausalModel

BATCH = 256
WORDS = 400
TEMPLATE = "{% for m in messages %}{{ m.content }} {% endfor %}"
LLAMA: dict[str, Any] = {"vocab_size": 32_000, "max_position_embeddings": 2048}
SHAPES = {
    "tiny": lambda: tf.LlamaConfig(
        **LLAMA, hidden_size=64, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
        intermediate_size=128,
    ),
    "1.4b": lambda: tf.GPTNeoXConfig(
        vocab_size=50_304, hidden_size=2048, num_hidden_layers=24, num_attention_heads=16, intermediate_size=8192,
        max_position_embeddings=2048,
    ),
    "7b": lambda: tf.LlamaConfig(
        **LLAMA, hidden_size=4096, num_hidden_layers=32, num_attention_heads=32, intermediate_size=11_008
    ),
}  # fmt: skip


def random_model(shape, folder, dtype, device):
    """Write a model with random weights and a tokenizer of whole words; it never ends a reply by itself."""
    config = SHAPES[shape]()
    with torch.device(device):
        model = tf.AutoModelForCausalLM.from_config(config, dtype=dtype)
    model.generation_config.eos_token_id = None
    vocabulary = {f"w{k}": k for k in range(config.vocab_size - 1)} | {"[UNK]": config.vocab_size - 1}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    fast = tf.PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="[UNK]")
    fast.chat_template = TEMPLATE
    return model.eval(), fast


def questions(tokenizer, count, length, new, temperature):
    rng = np.random.default_rng(0)
    if tokenizer.chat_template == TEMPLATE:
        texts = [" ".join(f"w{k}" for k in rng.integers(0, WORDS, length)) for _ in range(count)]
    else:
        texts = [f"Continue this list of numbers: {' '.join(map(str, rng.integers(0, 99, 12)))}" for _ in range(count)]
    return [Reply((Message("user", text),), new, temperature, 1.0, k) for k, text in enumerate(texts)]


def now(device):
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter()


def ours(model, asked, device):
    """Return the tokens per second of a second pass over the questions, and the seconds of the first."""
    seconds, replies = [], []
    for _ in range(2):
        start = now(device)
        plan = model.plan(asked, None)
        found: dict[int, Any] = {}
        for batch in plan.batches:
            found.update(zip(batch.indices, model.answer(batch), strict=True))
        seconds.append(now(device) - start)
        replies = [found[k] for k in range(len(asked))]
    return seconds, replies


def generated(model, asked, temperature, device, batch, static=False):
    """The same by `generate`: left-padded batches of prompts of about one length."""
    model.reply_rows = None
    own, prompts = model.model, [model.conversation.prompt(question).ids for question in asked]
    how = {"do_sample": temperature > 0, "max_new_tokens": asked[0].max_tokens, "min_new_tokens": asked[0].max_tokens}
    how |= {"cache_implementation": "static"} if static else {}
    how |= {"temperature": temperature, "top_k": 0} if temperature else {}
    made = []
    for start in range(0, len(prompts), batch):
        part = prompts[start : start + batch]
        width = max(map(len, part))
        ids = torch.tensor([[0] * (width - len(p)) + list(p) for p in part], device=device)
        mask = torch.tensor([[0] * (width - len(p)) + [1] * len(p) for p in part], device=device)
        with torch.inference_mode():
            out = own.generate(ids, attention_mask=mask, generation_config=tf.GenerationConfig(**how, pad_token_id=0))
        made += out[:, width:].tolist()
    return made


def llama_cpp(path, texts, new):
    """Tokens per second of llama.cpp's server with all its slots in use; None if xllamacpp is not installed."""
    try:
        import xllamacpp  # type: ignore[import-untyped]
    except ImportError:
        return None
    import json
    import urllib.request
    from concurrent.futures import ThreadPoolExecutor

    given = xllamacpp.CommonParams()
    given.model.path, given.n_parallel, given.n_ctx, given.port = str(path), 32, 32 * 512, 0
    given.cpuparams.n_threads = len(os.sched_getaffinity(0))
    server = xllamacpp.Server(given)

    def ask(text):
        content = {
            "messages": [{"role": "user", "content": text}],
            "max_tokens": new,
            "temperature": 0,
            "ignore_eos": True,
        }
        request = urllib.request.Request(
            f"{server.listening_address}/v1/chat/completions",
            json.dumps(content).encode(),
            {"content-type": "application/json"},
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["usage"]["completion_tokens"]

    ask(texts[0])
    start = time.perf_counter()
    with ThreadPoolExecutor(32) as pool:
        tokens = sum(pool.map(ask, texts))
    return tokens / (time.perf_counter() - start)


def vllm_rate(folder, prompts, new, temperature):
    try:
        import vllm  # type: ignore[import-not-found]
    except ImportError:
        return None
    engine = vllm.LLM(str(folder), dtype="bfloat16")
    how = vllm.SamplingParams(temperature=temperature, max_tokens=new, ignore_eos=True)
    asked = [{"prompt_token_ids": list(ids)} for ids in prompts]
    engine.generate(asked, how)
    start = time.perf_counter()
    engine.generate(asked, how)
    return len(prompts) * new / (time.perf_counter() - start)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="smollm2")
    parser.add_argument("--random", choices=SHAPES)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--prompts", type=int, default=768)
    parser.add_argument("--length", type=int, default=59)
    parser.add_argument("--new", type=int, default=96)
    parser.add_argument("--gguf", help="the same model for llama.cpp")
    parser.add_argument("--static", action="store_true")
    parser.add_argument("--dtype", choices=("float32", "bfloat16"))
    parser.add_argument("--only-ours", action="store_true")
    given = parser.parse_args()
    dtype = getattr(torch, given.dtype or ("bfloat16" if given.device == "cuda" else "float32"))
    with tempfile.TemporaryDirectory() as folder:
        if given.random:
            own = tf_folder(given.random, Path(folder), dtype, given.device)
            model = open_model(own, device=given.device, dtype=str(dtype).removeprefix("torch."))
        else:
            model = open_model(given.model, device=given.device, remote=Remote())
        assert isinstance(model, CausalModel)
        model.load()
        if not given.random:  # replies of one length, as from a model with random weights
            model.model.generation_config.eos_token_id = None
            model.tokenizer.eos_token = None
        for temperature in (0.0, 1.0):
            asked = questions(model.tokenizer, given.prompts, given.length, given.new, temperature)
            measured(model, asked, temperature, given)
        if given.gguf:
            rate = llama_cpp(given.gguf, [q.messages[0].content for q in asked], given.new)
            print(f"llama.cpp, greedy: {rate and round(rate)} tokens/s", flush=True)
        if not given.only_ours and given.device == "cuda":
            prompts = [model.conversation.prompt(question).ids for question in asked]
            print(f"vLLM, temperature 1: {vllm_rate(folder, prompts, given.new, 1.0)} tokens/s", flush=True)


def measured(model, asked, temperature, given):
    tokens = len(asked) * given.new
    (first, second), replies = ours(model, asked, given.device)
    name = "greedy" if temperature == 0 else f"temperature {temperature:g}"
    print(f"{name}, ours: {tokens / second:,.0f} tokens/s (first time {first - second:+.1f} s)", flush=True)
    if given.device == "cuda":
        print(f"  peak memory {torch.cuda.max_memory_allocated() / 2**30:.0f} GiB", flush=True)
    if given.only_ours:
        return
    kinds = [("batches of 256", BATCH, False)]
    if given.static:  # for 7 B, one batch does not fit next to the logits of all prompts
        kinds.append(("static cache", len(asked) // (2 if given.random == "7b" else 1), True))
    for about, batch, static in kinds:
        # The first batch warms up; a static cache needs the same shapes to do so.
        generated(model, asked if static else asked[:batch], temperature, given.device, batch, static)
        start = now(given.device)
        made = generated(model, asked, temperature, given.device, batch, static)
        rate = tokens / (now(given.device) - start)
        print(f"{name}, generate, {about}: {rate:,.0f} tokens/s; ours is {tokens / second / rate:.2f}x", flush=True)
        if temperature == 0 and not static:
            texts = [model.tokenizer.decode(row, skip_special_tokens=True).strip() for row in made]
            same = sum(text == reply.text for text, reply in zip(texts, replies, strict=True))
            print(f"  {same} of {len(asked)} greedy replies are the same ({model.settings.dtype})", flush=True)


def tf_folder(shape, folder, dtype, device):
    model, tokenizer = random_model(shape, folder, dtype, device)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    del model
    return str(folder)


if __name__ == "__main__":
    sys.exit(main())
