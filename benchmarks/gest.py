"""How much faster than the naive loop is the measure, and how near to what this machine can compute?

    python benchmarks/gest.py [--samples N] [--only causal|bert|xlm-r]

Every line compares two ways over the same sentences in the same run, in turns, so that a busy machine slows both down;
times are those that the processor gave to this process.
The naive loop is the papers' own: causal models one pass a sentence and template, masked models one pass a sentence,
template and option, full softmax. "of limit" is the share of the measured matrix-multiplication rate that the fast way
reaches, counting only the multiplications that its tokens need.
"""

import argparse
import os
import resource
import tempfile
import time
from pathlib import Path
from typing import cast

import torch
import transformers as tf
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM

from genderscope.core.journal_codec import answer_from_json, question_key
from genderscope.core.questions import Choice, ChoiceAnswer
from genderscope.engine import ask
from genderscope.measures.gest import TEMPLATES
from genderscope.measures.gest.templates import SENTENCE_FIRST
from genderscope.models import open_model
from genderscope.models.hf.language_model import LanguageModel
from genderscope.runs import Journal
from genderscope.samples.gest import load

ROUNDS = 2


def sentences(count):
    """GEST sentences where a mirror or the network has them, else the starter set; spread over all lengths."""
    try:
        samples = load(None, "1.1").samples
    except Exception as error:
        print(f"(GEST is not at hand, using the starter set: {error})")
        samples = load("starter").samples
    count = min(count, len(samples))
    return [samples[k * len(samples) // count].sentence for k in range(count)]


def gemm_rate():
    """Multiply-adds a second of a core in large float32 matrix products, counted as two operations each."""
    a, b = torch.randn(512, 1024), torch.randn(1024, 1024)
    best = 0.0
    for _ in range(12):
        start = time.process_time()
        for _ in range(10):
            a @ b
        best = max(best, 10 * 2 * 512 * 1024 * 1024 / (time.process_time() - start))
    return best


def naive_ratio(model, tokenizer, question, masked):
    scores = []
    if not masked:
        encoded = tokenizer(question.before + question.options[0], return_offsets_mapping=True)
        table = model(input_ids=torch.tensor([encoded["input_ids"][:-1]])).logits[0, -1].softmax(-1).log()
        for option in question.options:
            scores.append(float(table[tokenizer(question.before + option)["input_ids"][-1]]))
        return scores[0] - scores[1]
    for option in question.options:
        encoded = tokenizer(question.before + option + question.after, return_offsets_mapping=True)
        word = next(k for k, (a, b) in enumerate(encoded["offset_mapping"]) if a <= len(question.before) < b)
        ids = list(encoded["input_ids"])
        target, ids[word] = ids[word], tokenizer.mask_token_id
        table = model(input_ids=torch.tensor([ids])).logits.softmax(-1)
        scores.append(float(table[0, word, target].log()))
    return scores[0] - scores[1]


def compare(name, folder, questions, masked):
    """Run both ways in turns over slices of the questions; return the table's line."""
    fast = open_model(str(folder))
    assert isinstance(fast, LanguageModel)
    fast.load()
    kind = AutoModelForMaskedLM if masked else AutoModelForCausalLM
    slow = kind.from_pretrained(folder, dtype=torch.float32).eval()
    with torch.no_grad():
        naive_ratio(slow, fast.tokenizer, questions[0], masked)
    times = {"naive": 0.0, "fast": 0.0}
    worst, tokens, rates = 0.0, 0, [gemm_rate()]
    for part in range(ROUNDS):
        chosen = questions[part * len(questions) // ROUNDS : (part + 1) * len(questions) // ROUNDS]
        start = time.process_time()
        with torch.no_grad():
            expected = [naive_ratio(slow, fast.tokenizer, question, masked) for question in chosen]
        times["naive"] += time.process_time() - start
        with tempfile.TemporaryDirectory() as place, Journal(Path(place, "journal")) as journal:
            start = time.process_time()
            ask(fast, chosen, journal)
            keys = [question_key(fast.fingerprint, question) for question in chosen]
            answers = [cast(ChoiceAnswer, answer_from_json(Choice, text)) for text in journal.read(keys)]
            times["fast"] += time.process_time() - start
        found = [a.scores[0] - a.scores[1] for a in answers]
        worst = max(worst, *(abs(x - y) for x, y in zip(expected, found, strict=True)))
        tokens += tokens_needed(fast, chosen)
        rates.append(gemm_rate())
    limit = 2 * body_parameters(slow) * tokens / (sum(rates) / len(rates))
    return (
        f"{name:<28}{len(questions):>10}{times['naive']:>10.1f}{times['fast']:>9.1f}"
        f"{times['naive'] / times['fast']:>8.1f}x"
        f"{limit / times['fast']:>10.0%}{times['naive'] / limit:>10.1f}x{worst:>12.1e}"
    )


def texts_read(model, questions):
    """Return for every pass the texts that the model reads, all options being one token each."""
    items = [batch.items for batch in model.plan(questions, None).batches]
    return [blanks.texts if model.kind == "masked" else blanks.texts.first(blanks.places) for blanks in items]


def tokens_needed(model, questions):
    """Count the tokens that are computed: causal models read a beginning that texts of a pass share once."""
    read = texts_read(model, questions)
    if model.kind == "masked":
        return sum(len(texts.ids) for texts in read)
    ordered = [texts[texts.order()] for texts in read]
    return sum(int((texts.lengths - texts.in_common()).sum()) for texts in ordered)


def body_parameters(model):
    """The weights that every token is multiplied with: all but embeddings and head."""
    return sum(p.numel() for n, p in model.base_model.named_parameters() if "embed" not in n and p.dim() > 1)


def random_masked(folder, vocabulary, words):
    """Save a model with random weights of base size and a tokenizer that knows the words."""
    torch.manual_seed(0)
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *sorted(words)]
    pieces += [f"[unused{k}]" for k in range(vocabulary - len(pieces))]
    made = Tokenizer(models.WordPiece({piece: k for k, piece in enumerate(pieces)}, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer = tf.PreTrainedTokenizerFast(
        tokenizer_object=made,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    )
    tf.BertForMaskedLM(tf.BertConfig(vocab_size=vocabulary)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def words_of(texts):
    splitter = pre_tokenizers.BertPreTokenizer()
    return {w for text in texts for w, _ in splitter.pre_tokenize_str(text.lower())}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=160)
    parser.add_argument("--only", choices=["causal", "bert", "xlm-r"])
    options = parser.parse_args()
    tf.utils.logging.set_verbosity_error()
    tf.utils.logging.disable_progress_bar()
    texts = sentences(options.samples)
    # Prefixes are shared among the sentences of a slice, so causal slices are twice as long; a real run shares more.
    causal = [TEMPLATES[t].ask(s, False) for s in sentences(2 * options.samples) for t in SENTENCE_FIRST]
    masked = [TEMPLATES[t].ask(s, False) for s in texts for t in TEMPLATES]
    words = words_of(q.before + o + q.after for q in masked for o in q.options)
    rate = gemm_rate() / 1e9
    print(f"{os.cpu_count()} cores, torch {torch.__version__}, {torch.get_num_threads()} threads, {rate:.0f} GFLOP/s")
    columns = f"{'naive s':>10}{'fast s':>9}{'ratio':>9}{'of limit':>10}{'limit':>11}{'max Δ':>12}"
    print(f"{'model':<28}{'questions':>10}{columns}")
    with tempfile.TemporaryDirectory() as place:
        if options.only in (None, "causal"):
            from genderscope.models.hf import smollm2

            print(compare("SmolLM2-135M, causal", smollm2.fetch(), causal, False), flush=True)
        for key, size in (("bert", 30_522), ("xlm-r", 250_002)):
            if options.only in (None, key):
                # The masked loops are long; every fourth question still has all templates and lengths.
                chosen = [q for k, q in enumerate(masked) if (k // 4 + k) % 4 == 0]
                folder = random_masked(Path(place, key), size, words)
                print(compare(f"{key} base size, {size:,} words", folder, chosen, True), flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"peak memory of this process, both ways and all models: {peak:.2f} GiB")


if __name__ == "__main__":
    main()
