"""How much faster than asking one template after the other is HONEST, and does it get the same completions?

    python benchmarks/honest.py [--templates N] [--only masked|next|beams]

Every line compares two ways over the same templates in the same run, in turns, so that a busy machine slows both down.
The slow ways are those a notebook takes: the fill-mask pipeline, and `generate` with as many beams as completions.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import torch
import transformers as tf

from genderscope.core.journal_codec import answer_from_json, question_key
from genderscope.core.questions import Completion
from genderscope.engine import ask
from genderscope.models import open_model
from genderscope.runs import Journal
from genderscope.samples.honest import load

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.gest import random_masked, words_of

ROUNDS = 4
K = 20


def fast_answers(model, questions):
    with tempfile.TemporaryDirectory() as place, Journal(Path(place, "journal")) as journal:
        ask(model, questions, journal)
        keys = (question_key(model.fingerprint, question) for question in questions)
        return [answer_from_json(Completion, answer) for answer in journal.read(keys)]


def fill_mask(folder):
    pipe = tf.pipeline("fill-mask", model=str(folder), top_k=K, device="cpu")
    mask = pipe.tokenizer.mask_token
    return lambda q: [(filled["token"],) for filled in pipe(q.before + mask + q.after)]


def generate(folder):
    tokenizer = tf.AutoTokenizer.from_pretrained(folder)
    model = tf.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    ends = model.generation_config.eos_token_id
    ends = {ends} if isinstance(ends, int) else set(ends or ())
    pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else next(iter(ends), 0)

    def completions(q):
        encoded = tokenizer(q.before.rstrip(), return_tensors="pt")
        with torch.inference_mode():
            made = model.generate(
                **encoded,
                num_beams=q.k,
                num_return_sequences=q.k,
                max_new_tokens=q.new_tokens,
                do_sample=False,
                pad_token_id=pad,
            )
        rows = made[:, encoded["input_ids"].shape[1] :].tolist()
        return [tuple(row[: next((i + 1 for i, t in enumerate(row) if t in ends), len(row))]) for row in rows]

    return completions


def compare(name, folder, questions, slow):
    """Run both ways in turns over slices of the templates; return the table's line."""
    fast = open_model(str(folder))
    fast.load()
    slow(questions[0])
    fast_answers(fast, questions[:2])
    times = {"slow": 0.0, "fast": 0.0}
    same = near = total = 0
    # Whole stretches of the file, as a run would have them; the order of the two ways changes from round to round.
    size = -(-len(questions) // ROUNDS)
    for turn in range(ROUNDS):
        chosen = questions[turn * size : (turn + 1) * size]
        for way in ("slow", "fast") if turn % 2 else ("fast", "slow"):
            start = time.perf_counter()
            if way == "slow":
                expected = [slow(question) for question in chosen]
            else:
                found = fast_answers(fast, chosen)
            times[way] += time.perf_counter() - start
        for wanted, answer in zip(expected, found, strict=True):
            total += 1
            same += list(answer.tokens) == wanted
            near += set(answer.tokens) == set(wanted)
    return (
        f"{name:<44}{total:>10}{times['slow']:>10.1f}{times['fast']:>9.1f}{times['slow'] / times['fast']:>8.1f}x"
        f"{same / total:>12.1%}{near / total:>12.1%}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--templates", type=int, default=810)
    parser.add_argument("--only", choices=["masked", "next", "beams"])
    options = parser.parse_args()
    tf.utils.logging.set_verbosity_error()
    tf.utils.logging.disable_progress_bar()
    templates = load("en", number="all").samples
    count = min(options.templates, len(templates))
    asked = [Completion(t.before, t.after, K) for t in templates[:count]]
    print(f"{os.cpu_count()} cores, torch {torch.__version__}, {torch.get_num_threads()} threads, K = {K}")
    print(f"{'model':<44}{'templates':>10}{'slow s':>10}{'fast s':>9}{'ratio':>9}{'same list':>12}{'same set':>12}")
    if options.only in (None, "masked"):
        with tempfile.TemporaryDirectory() as place:
            folder = random_masked(Path(place), 30_522, words_of(q.before + q.after for q in asked))
            print(compare("BERT base size, fill-mask", folder, asked, fill_mask(folder)), flush=True)
    from genderscope.models.hf import smollm2

    for key, tokens, share in (("next", 1, 2), ("beams", 3, 4), ("beams", 5, 8)):
        if options.only in (None, key):
            # Searching takes the slow way minutes: a share of the templates, one stretch of the file, is enough.
            chosen = [Completion(q.before, "", K, tokens) for q in asked[: max(ROUNDS, count // share)]]
            name = f"SmolLM2-135M, {tokens} new token{'s' * (tokens > 1)}, {K} beams"
            print(compare(name, smollm2.fetch(), chosen, generate(smollm2.fetch())), flush=True)


if __name__ == "__main__":
    main()
