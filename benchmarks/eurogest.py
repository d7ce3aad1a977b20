"""How fast is EuroGEST beside the authors' loop of 2026, on the embedded model and three languages?

    python benchmarks/eurogest.py [--limit N] [--languages sk,fr,fi]

The loop reads one text at a time, computes the whole vocabulary at every token, takes the mean from the first token
that differs on, and then, for every pair, generates a greedy continuation of what the two texts share: at least five
tokens, three more than differ. Both are timed, since the continuations are no part of the scores. Counts processor
time, so that a busy machine changes little. Loading is left out on both sides; the trial of the ways is not.
"""

import argparse
import math
import time

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from genderscope.measures.eurogest.measure import EuroGest
from genderscope.measures.eurogest.texts import EuroGestOptions
from genderscope.models import open_model
from genderscope.models.hf import smollm2
from genderscope.models.hf.language_model import LanguageModel


def naive(model, tokenizer, text):
    ids = tokenizer(text, return_tensors="pt")["input_ids"]
    with torch.no_grad():
        logits = model(ids).logits
    table = torch.nn.functional.log_softmax(logits[0, :-1], dim=-1)
    return ids[0].tolist(), table.gather(1, ids[0, 1:, None])[:, 0].tolist()


def loop(model, tokenizer, samples):
    """Return the scores, and the seconds that scoring and generating took."""
    found, generating, begun = [], 0.0, time.process_time()
    for sample in samples:
        (one, first), (other, second) = (naive(model, tokenizer, text) for text in (sample.male, sample.female))
        differing = [k for k in range(min(len(one), len(other))) if one[k] != other[k]]
        start = differing[0] - 1 if differing else min(len(one), len(other)) - 2
        found.append(math.fsum(first[start:]) / len(first[start:]) - math.fsum(second[start:]) / len(second[start:]))
        generating -= time.process_time()
        if start > 0:
            new = max(max(len(first[start:]), len(second[start:])) + 3, 5)
            shared, seen = torch.tensor([one[:start]]), torch.ones(1, start, dtype=torch.long)
            pad = tokenizer.eos_token_id
            model.generate(shared, attention_mask=seen, max_new_tokens=new, do_sample=False, pad_token_id=pad)
        generating += time.process_time()
    return found, time.process_time() - begun - generating, generating


def ours(model, measure):
    questions = [question for sample in measure.samples for question in measure.ask(sample)]
    plan = model.plan(questions, None)
    answers = dict(plan.immediate)
    for batch in plan.batches:
        answers.update(zip(batch.indices, model.answer(batch), strict=True))
    pairs = zip(measure.samples, range(0, len(questions), 2), strict=True)
    return [next(iter(measure.read(s, (answers[k], answers[k + 1])))).log_ratio for s, k in pairs]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=int, default=200)
    parser.add_argument("--languages", default="sk,fr,fi")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    opened = open_model("smollm2")
    assert isinstance(opened, LanguageModel)
    opened.load()
    with torch.inference_mode():
        opened.model(opened.tensor([0, 1])[None])  # the first pass of a process is slower, whatever it is for
    options = EuroGestOptions(lang=tuple(chosen.languages.split(",")), limit=chosen.limit, as_published="2026")
    measure = EuroGest(options, opened)
    start = time.process_time()
    mine = ours(opened, measure)
    took = time.process_time() - start
    folder = smollm2.folder()
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    naive(model, tokenizer, measure.samples[0].male)
    theirs, scoring, generating = loop(model, tokenizer, measure.samples)
    apart = max(abs(a - b) for a, b in zip(mine, theirs, strict=True))
    print(f"{len(mine)} pairs of texts in {chosen.languages}: {took:.1f} s; scores differ by at most {apart:.1g}")
    print(f"the loop: {scoring + generating:.1f} s, {(scoring + generating) / took:.1f} times as long")
    print(f"its scoring alone: {scoring:.1f} s, {scoring / took:.1f} times as long")


if __name__ == "__main__":
    main()
