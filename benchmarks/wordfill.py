"""How much faster than the naive loop are the token likelihoods of CrowS?

    python benchmarks/wordfill.py [--pairs N] [--only bert|xlm-r]

Both ways run over the same pairs in the same run, in turns, so that a busy machine slows both down. The naive loop is
the paper's own: one pass for every token that the two sentences share, with a full softmax over all positions. The fast
way asks the questions of the measure, through the engine and its journal. The CPU ratio counts only the time
that the processor gave to this process: on a machine that others use, it is the one to read (with OMP_NUM_THREADS=1).
"""

import argparse
import os
import resource
import sys
import tempfile
import time
from contextlib import contextmanager
from difflib import SequenceMatcher
from pathlib import Path
from typing import cast

import torch
import transformers as tf
from transformers import AutoModelForMaskedLM

from genderscope.core.journal_codec import answer_from_json, question_key
from genderscope.core.questions import LikelihoodAnswer, TokenLikelihood
from genderscope.engine import ask
from genderscope.measures.wordfill.align import shared_as_published
from genderscope.models import open_model
from genderscope.models.hf.language_model import LanguageModel
from genderscope.runs import Journal
from genderscope.samples import crows

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.gest import random_masked, words_of

ROUNDS = 2


def naive_cs(model, tokenizer, first, second):
    both = naive(model, tokenizer, first, second), naive(model, tokenizer, second, first)
    return sum(a - b for a, b in zip(*both, strict=False))


def naive(model, tokenizer, text, other):
    encoded = tokenizer(text, return_special_tokens_mask=True)
    ids, special = encoded["input_ids"], encoded["special_tokens_mask"]
    for op, begin, end, _, _ in SequenceMatcher(None, ids, tokenizer(other)["input_ids"]).get_opcodes():
        for k in range(begin, end) if op == "equal" else ():
            if not special[k]:
                seen = torch.tensor([[*ids[:k], tokenizer.mask_token_id, *ids[k + 1 :]]])
                probabilities = model(input_ids=seen).logits.softmax(-1)
                yield float(probabilities[0, k, ids[k]].log())


def fast_cs(model, pairs):
    questions = [TokenLikelihood(text, (), False, other) for a, b in pairs for text, other in ((a, b), (b, a))]
    with tempfile.TemporaryDirectory() as place, Journal(Path(place, "journal")) as journal:
        ask(model, questions, journal)
        keys = [question_key(model.fingerprint, question) for question in questions]
        answers = [cast(LikelihoodAnswer, answer_from_json(TokenLikelihood, text)) for text in journal.read(keys)]
    found = []
    for a, b in zip(answers[::2], answers[1::2], strict=True):
        aligned = shared_as_published(a.ids, b.ids)
        found.append(sum(a.log_probabilities[i] - b.log_probabilities[j] for i, j in aligned))
    return found


def compare(name, folder, pairs):
    fast = open_model(str(folder))
    assert isinstance(fast, LanguageModel)
    fast.load()
    slow = AutoModelForMaskedLM.from_pretrained(folder, dtype=torch.float32).eval()
    with torch.no_grad():
        naive_cs(slow, fast.tokenizer, *pairs[0])
    times, work = {"naive": 0.0, "fast": 0.0}, {"naive": 0.0, "fast": 0.0}
    worst = 0.0
    for part in range(ROUNDS):
        chosen = pairs[part * len(pairs) // ROUNDS : (part + 1) * len(pairs) // ROUNDS]
        with timed("naive", times, work), torch.no_grad():
            expected = [naive_cs(slow, fast.tokenizer, *pair) for pair in chosen]
        with timed("fast", times, work):
            found = fast_cs(fast, chosen)
        worst = max(worst, *(abs(x - y) for x, y in zip(expected, found, strict=True)))
    ratios = [seconds["naive"] / seconds["fast"] for seconds in (times, work)]
    return (
        f"{name:<34}{len(pairs):>7}{times['naive']:>10.1f}{times['fast']:>9.1f}{ratios[0]:>8.1f}x{ratios[1]:>10.1f}x"
        f"{worst:>12.1e}"
    )


@contextmanager
def timed(name, times, work):
    """Add the seconds that pass, and those that the processor works for this process alone."""
    start, worked = time.perf_counter(), time.process_time()
    yield
    times[name] += time.perf_counter() - start
    work[name] += time.process_time() - worked


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=12)
    parser.add_argument("--only", choices=["bert", "xlm-r"])
    options = parser.parse_args()
    tf.utils.logging.set_verbosity_error()
    tf.utils.logging.disable_progress_bar()
    samples = crows.load("original", ("gender",), False).samples
    count = min(options.pairs, len(samples))
    chosen = [samples[k * len(samples) // count] for k in range(count)]
    pairs = [(sample.s0.text, sample.s2.text) for sample in chosen]
    words = words_of(text for pair in pairs for text in pair)
    print(f"{os.cpu_count()} cores, torch {torch.__version__}, {torch.get_num_threads()} threads")
    print(f"{'model':<34}{'pairs':>7}{'naive s':>10}{'fast s':>9}{'ratio':>9}{'CPU ratio':>11}{'max Δ cs':>12}")
    with tempfile.TemporaryDirectory() as place:
        for key, size in (("bert", 30_522), ("xlm-r", 250_002)):
            if options.only in (None, key):
                folder = random_masked(Path(place, key), size, words)
                print(compare(f"{key} base size, {size:,} words", folder, pairs), flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"peak memory of this process, both ways and all models: {peak:.2f} GiB")


if __name__ == "__main__":
    main()
