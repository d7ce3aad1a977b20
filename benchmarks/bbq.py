"""BBQ against lm-evaluation-harness: are the log-probabilities the same, and who is faster?

    pip install lm-eval          (in the development environment)
    python benchmarks/bbq.py [--items N] [--rounds N] [--batch N]

The harness's task `bbq` asks for the log-likelihood of twelve continuations per question: the two people and ten
wordings of "unknown". Its choices come from the task's own code, its likelihoods from its model class;
only the download of the dataset is skipped, so that both tools get the same questions of our copy of BBQ. The model is
SmolLM2, on one thread, and what is compared is CPU time, so that a busy machine does no harm. The harness gets the
batch size at which it is fastest (of 1, 8 and 32, tried on the first questions). Our time includes the check of the
packing and the journal.

"times ours" is the CPU time of the harness's task on the same questions, divided by ours. "max Δ" is the largest
difference of log-probabilities for the same tokens after the same tokens: for `choice`, the answers after the context;
for `letter`, which asks in another form than the task, the letters after the same chat prompts. It is given twice, as
the harness computes by default and with its `softmax_dtype` set to float64: on some processors, torch's float32
log-softmax over a vocabulary is off by up to 1e-4 per token. Letters are scored by tokens, because the harness moves
white space at the end of a context, such as the last newline of a chat prompt, to the continuation and scores it too.
The differences are of the first questions only.
"""

import argparse
import os
import sys
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"

import torch
import transformers as tf

from genderscope.core.questions import ReplyStart
from genderscope.measures.bbq.prompts import (
    LETTERS,
    ORDERS,
    chat_prompt,
    filled_prompt,
    harness_questions,
    likelihood_questions,
)
from genderscope.models.hf import smollm2
from genderscope.samples.bbq import load_released

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.peer_tools import Harness
from benchmarks.peers import BATCHES, Ours, answered, timed

ROUNDS = 3
STARTS = tuple(f"({letter}" for letter in LETTERS)
#: questions of each form whose log-probabilities are compared
CHECKED = 24


class Task(Harness):
    """The likelihoods of lm-evaluation-harness for given pairs of context and continuation."""

    def __call__(self, pairs, batch):
        from lm_eval.api.instance import Instance

        asked = [Instance("loglikelihood", {}, pair, k) for k, pair in enumerate(pairs)]
        self.lm.batch_size_per_gpu = batch
        return [float(found[0]) for found in self.lm.loglikelihood(asked, disable_tqdm=True)]

    def by_tokens(self, pairs, batch, softmax):
        """Return the likelihoods of the continuations' own tokens, with the softmax in this precision."""
        encode = self.lm.tokenizer.encode
        contexts = [encode(context) for context, _ in pairs]
        asked = [
            (pair, before, encode("".join(pair))[len(before) :]) for pair, before in zip(pairs, contexts, strict=True)
        ]
        self.lm.batch_size_per_gpu, self.lm.softmax_dtype = batch, softmax
        found = [float(each[0]) for each in self.lm._loglikelihood_tokens(asked, disable_tqdm=True)]
        self.lm.softmax_dtype = None
        return found


def task_pairs(sample):
    """Return the context and the continuations that the task `bbq` makes of a question, its delimiter a space."""
    from lm_eval.tasks.bbq.utils import doc_to_choice

    choices = doc_to_choice({f"ans{k}": option for k, option in enumerate(sample.options)})
    return [(filled_prompt(sample, "choice"), f" {choice}") for choice in choices]


def log_probabilities(answers):
    """Return the sum over tokens for likelihoods, and the scores less their normaliser for letters."""
    if hasattr(answers[0], "log_probabilities"):
        return [sum(p for p in answer.log_probabilities if p is not None) for answer in answers]
    return [score - answer.log_normaliser for answer in answers for score in answer.scores]


def forms(samples, chat):
    """Return the questions of each form; the last asks for the same twelve continuations as the task."""
    return {
        "choice": [q for sample in samples for q in likelihood_questions(sample)],
        "letter": [chat.ask_start(chat_prompt(s, order), STARTS) for s in samples for order in ORDERS],
        "choice, as published lm-eval": [q for sample in samples for q in harness_questions(sample)],
    }


def pairs_of(question):
    """Write one of our questions as pairs of context and continuation."""
    if hasattr(question, "starts"):
        return [(question.prompt, start) for start in question.starts]
    ((begin, _),) = question.spans
    return [(question.text[: begin - 1], question.text[begin - 1 :])]


def fastest_batch(task, pairs):
    few = pairs[:: max(1, len(pairs) // 24)][:24]
    task(few[:2], 1)
    return min(BATCHES, key=lambda size: timed(task, few, size)[0])


def compare(samples, rounds, batch):
    """Ask both tools in turns and print one line per form."""
    folder = smollm2.fetch()
    ours, task = Ours(folder), Task(folder)
    ours.model.unanswerable(frozenset({ReplyStart}))  # so that questions contain the rendered chat prompt
    asked = forms(samples, ours.model.chat)  # type: ignore[attr-defined] # a chat model
    pairs = [pair for sample in samples for pair in task_pairs(sample)]
    batch = batch or fastest_batch(task, pairs)
    harness, spent, found = 0.0, dict.fromkeys(asked, 0.0), {}
    for _ in range(rounds):
        harness += timed(task, pairs, batch)[0]
        for form, questions in asked.items():
            ours.forget()
            seconds, answers = timed(lambda questions, _: answered(ours.model, questions), questions, 1)
            spent[form] += seconds
            found[form] = log_probabilities(answers)
    for form, numbers in found.items():
        speed = f"{spent[form] / rounds:.1f} | {harness / spent[form]:.1f}"
        print(f"| {form} | {len(samples)} | {len(asked[form])} | {batch} | {speed} |", end=" ", flush=True)
        same = [pair for question in asked[form][:CHECKED] for pair in pairs_of(question)]
        for softmax in (None, torch.float64):
            theirs = task.by_tokens(same, batch, softmax)
            print(f"{max(abs(a - b) for a, b in zip(numbers, theirs, strict=False)):.1e} |", end=" ", flush=True)
        print(f"{len(same)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=24)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--batch", type=int, help="batch size of the harness (default: its fastest)")
    options = parser.parse_args()
    torch.set_num_threads(1)
    tf.utils.logging.set_verbosity_error()
    tf.utils.logging.disable_progress_bar()
    print("| form | items | our questions | their batch | our CPU s | times ours | max Δ | in float64 | compared |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    compare(load_released("bbq", "en", False).limited(options.items).samples, options.rounds, options.batch)


if __name__ == "__main__":
    main()
