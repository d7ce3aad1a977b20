"""How much of a graphics card does the measure use, and how much faster is it than the naive loop?

    python benchmarks/gpu.py [--only bert|xlm-r|causal-1.4b|causal-7b] [--sentences N]

Weights are random, shapes real, precision bfloat16. Every line goes end to end from texts to rows of the GEST measure
with its default templates, journal and tokenizer included; the model is loaded before. "asked" counts the operations of
all tokens of the questions as they are asked, without padding, over the time and the card's measured rate of large
bfloat16 products; "computed" counts a beginning that several questions share only once, so it is what the card really
does. The naive loop is the papers' own: one pass a sentence, template and (masked models) option, full softmax.
"""

import argparse
import datetime
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers as tf
from safetensors.torch import save_file
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from genderscope.engine import ask
from genderscope.evaluation import RowBuilder, SampleQuestions
from genderscope.measures.gest import TEMPLATES, Gest, GestOptions
from genderscope.measures.gest.templates import SENTENCE_FIRST
from genderscope.models import open_model
from genderscope.models.hf.language_model import LanguageModel
from genderscope.runs import Journal
from genderscope.util.memory_tuning import only_new_garbage

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.gest import body_parameters, naive_ratio, sentences, texts_read, tokens_needed, words_of

ROUNDS = 3
NAIVE = 60


def configurations():
    large: dict[str, Any] = {
        "hidden_size": 1024,
        "num_hidden_layers": 24,
        "num_attention_heads": 16,
        "intermediate_size": 4096,
    }
    return {
        "bert": ("BERT-large", tf.BertForMaskedLM, tf.BertConfig(vocab_size=30_522, **large)),
        "xlm-r": (
            "XLM-R-large",
            tf.XLMRobertaForMaskedLM,
            tf.XLMRobertaConfig(vocab_size=250_002, max_position_embeddings=514, pad_token_id=0, **large),
        ),
        "causal-1.4b": (
            "1.4 B causal (NeoX)",
            tf.GPTNeoXForCausalLM,
            tf.GPTNeoXConfig(
                vocab_size=50_304, hidden_size=2048, num_hidden_layers=24, num_attention_heads=16,
                intermediate_size=8192, max_position_embeddings=2048,
            ),
        ),
        "causal-7b": (
            "7 B causal (Llama)",
            tf.LlamaForCausalLM,
            tf.LlamaConfig(
                vocab_size=32_000, hidden_size=4096, num_hidden_layers=32, num_attention_heads=32,
                intermediate_size=11_008, max_position_embeddings=2048,
            ),
        ),
    }  # fmt: skip


def card_rate():
    """Operations a second of large bfloat16 products on random data."""
    a, b = (torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    times = []
    for _ in range(30):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        a @ b
        end.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(end) / 1000)
    return 2 * 8192**3 / sorted(times[10:])[10]


def masked_tokenizer(texts):
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *sorted(words_of(texts))]
    made = Tokenizer(models.WordPiece({piece: k for k, piece in enumerate(pieces)}, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
    return tf.PreTrainedTokenizerFast(tokenizer_object=made, **{f"{k}_token": v for k, v in names.items()})


def causal_tokenizer(texts):
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=8000, special_tokens=["<s>"], show_progress=False))
    return tf.PreTrainedTokenizerFast(tokenizer_object=made, bos_token="<s>", eos_token="<s>")


def opened(key, place, texts):
    """Open a model of this shape with random weights made on the card."""
    _, kind, config = configurations()[key]
    folder = Path(place, key)
    config.architectures = [kind.__name__]
    config.save_pretrained(folder)
    (masked_tokenizer if "Masked" in kind.__name__ else causal_tokenizer)(texts).save_pretrained(folder)
    save_file({"none": torch.zeros(1)}, folder / "model.safetensors")  # a folder without weights is refused
    model = open_model(str(folder), "cuda", "bfloat16")
    assert isinstance(model, LanguageModel)
    torch.manual_seed(0)
    with torch.device("cuda"):
        model.model = kind._from_config(config, dtype=torch.bfloat16).eval()
    return model


def rows_of(model, measure):
    """The whole way from texts to rows, through the engine and its journal."""
    with tempfile.TemporaryDirectory() as place, Journal(Path(place, "journal")) as journal, only_new_garbage():
        asked = SampleQuestions(measure)
        rows = RowBuilder(measure, asked, model.fingerprint, journal)
        ask(model, asked.all(), journal, progress=lambda _: rows.read_available())
        return list(rows.rows())


def operations(model, tokens, length):
    """Multiplications and additions: linear layers, and attention over a text of this length."""
    config = model.config
    return tokens * (2 * body_parameters(model.model) + 4 * length * config.hidden_size * config.num_hidden_layers)


def compare(key, place, samples, rate):
    name, _, _ = configurations()[key]
    masked = not key.startswith("causal")
    asked = [TEMPLATES[t].ask(s, False) for s in samples for t in (TEMPLATES if masked else SENTENCE_FIRST)]
    model = opened(key, place, [q.before + option + q.after for q in asked for option in q.options])
    measure = Gest(GestOptions(), model)
    measure.samples = measure.samples[: len(samples)]
    rows_of(model, measure)  # warm up
    times = []
    for _ in range(ROUNDS):
        torch.cuda.synchronize()
        start = time.perf_counter()
        rows = rows_of(model, measure)
        times.append(time.perf_counter() - start)
    seconds = sorted(times)[len(times) // 2]
    unread = sum(row.unread is not None for row in rows)
    lengths = np.concatenate([texts.lengths for texts in texts_read(model, asked)])
    mean = float(lengths.mean())
    shares = [operations(model, t, mean) / seconds / rate for t in (int(lengths.sum()), tokens_needed(model, asked))]
    naive = asked[:: max(1, len(asked) // NAIVE)][:NAIVE]
    with torch.inference_mode(), torch.device("cuda"):
        naive_ratio(model.model, model.tokenizer, naive[0], masked)
        start = time.perf_counter()
        for question in naive:
            naive_ratio(model.model, model.tokenizer, question, masked)
        slow = (time.perf_counter() - start) / len(naive) * len(asked)
    peak = torch.cuda.max_memory_allocated() / 2**30
    print(
        f"{name:<22}{len(samples):>10}{len(asked):>10}{unread:>7}{mean:>7.1f}{seconds:>8.2f}"
        f"{len(samples) / seconds:>12.0f}{shares[0]:>8.2f}{shares[1]:>10.2f}{slow / seconds:>8.0f}x{peak:>9.1f}",
        flush=True,
    )
    return model, measure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=list(configurations()))
    parser.add_argument("--sentences", type=int, default=3565)
    parser.add_argument("--profile", action="store_true", help="say where the host's time goes")
    options = parser.parse_args()
    tf.utils.logging.set_verbosity_error()
    tf.utils.logging.disable_progress_bar()
    samples = sentences(options.sentences)
    rate = card_rate()
    print(
        f"{datetime.date.today()}, {torch.cuda.get_device_name()}, {rate / 1e12:.0f} TFLOP/s, {os.cpu_count()} cores, "
        f"torch {torch.__version__}, transformers {tf.__version__}"
    )
    print(
        f"{'model':<22}{'sentences':>10}{'questions':>10}{'unread':>7}{'tokens':>7}{'s':>8}{'sentences/s':>12}"
        f"{'asked':>8}{'computed':>10}{'naive':>9}{'peak GiB':>9}"
    )
    for key in [options.only] if options.only else configurations():
        with tempfile.TemporaryDirectory() as place:
            model, measure = compare(key, place, samples, rate)
            if options.profile:
                profile(model, measure)
            del model, measure
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()


def profile(model, measure):
    import cProfile
    import pstats

    with cProfile.Profile() as profiler:
        rows_of(model, measure)
    pstats.Stats(profiler).sort_stats("tottime").print_stats(22)


if __name__ == "__main__":
    main()
