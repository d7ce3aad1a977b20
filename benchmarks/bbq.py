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
difference of log-probabilities, on the same pairs of context and continuation: for `choice`, the answers after the
context; for `letter`, which asks in another form than the task, the letters after the same chat prompts, for the first
questions only.
"""

import argparse
import os
import sys
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"

import torch
import transformers as tf

from genderscope.core.questions import ReplyStart
from genderscope.measures.bbq.prompts import ORDERS, STARTS, chat_prompt, filled_prompt, likelihood_questions
from genderscope.measures.bbq.published_prompts import harness_questions
from genderscope.models.hf import smollm2
from genderscope.samples.bbq.released_items import load_released
from genderscope.samples.bbq.sample import limited

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.peer_tools import Harness
from benchmarks.peers import BATCHES, Ours, answered, timed

ROUNDS = 3
#: questions whose letters the harness scores too
CHECKED = 2


class Task(Harness):
    """The likelihoods of lm-evaluation-harness for given pairs of context and continuation."""

    def __call__(self, pairs, batch):
        from lm_eval.api.instance import Instance

        asked = [Instance("loglikelihood", {}, pair, k) for k, pair in enumerate(pairs)]
        self.lm.batch_size_per_gpu = batch
        return [float(found[0]) for found in self.lm.loglikelihood(asked, disable_tqdm=True)]


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
    ours.model.take_on(frozenset({ReplyStart}))  # so that questions contain the rendered chat prompt
    asked = forms(samples, ours.model.chat)
    compared = {form: [pair for question in asked[form] for pair in pairs_of(question)] for form in asked}
    pairs = [pair for sample in samples for pair in task_pairs(sample)]
    batch = batch or fastest_batch(task, pairs)
    letters = compared["letter"][: CHECKED * len(ORDERS) * len(STARTS)]
    known = dict(zip(letters, task(letters, batch), strict=True))
    harness, spent, found = 0.0, dict.fromkeys(asked, 0.0), {}
    for _ in range(rounds):
        seconds, likelihoods = timed(task, pairs, batch)
        harness += seconds
        known |= dict(zip(pairs, likelihoods, strict=True))
        for form, questions in asked.items():
            ours.forget()
            seconds, answers = timed(lambda questions, _: answered(ours.model, questions), questions, 1)
            spent[form] += seconds
            found[form] = log_probabilities(answers)
    for form, numbers in found.items():
        both = [(mine, known[pair]) for mine, pair in zip(numbers, compared[form], strict=True) if pair in known]
        apart = max(abs(mine - theirs) for mine, theirs in both)
        cells = (
            form,
            len(samples),
            len(asked[form]),
            batch,
            f"{spent[form] / rounds:.1f}",
            f"{harness / spent[form]:.1f}",
        )
        print(f"| {' | '.join(map(str, cells))} | {apart:.1e} ({len(both)}) |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=24)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--batch", type=int, help="batch size of the harness (default: its fastest)")
    options = parser.parse_args()
    torch.set_num_threads(1)
    tf.utils.logging.set_verbosity_error()
    tf.utils.logging.disable_progress_bar()
    print(
        "| form | items | our questions | their batch | our CPU s | times ours | max Δ (compared) |\n|---|---|---|---|---|---|---|"
    )
    compare(limited(load_released("bbq", "en", False), options.items).samples, options.rounds, options.batch)


if __name__ == "__main__":
    main()
