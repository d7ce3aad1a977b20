"""The tools people would use otherwise, on the same job in the same run: are the numbers the same, and who is faster?

    pip install lm-eval minicons          (in the development environment)
    pip install --no-deps genderbench     (it wants older packages, which its GEST probe does not need; its clients do
                                           need anthropic, openai, nest-asyncio, python-dotenv and nltk)
    python benchmarks/peers.py [--only JOB] [--samples N] [--rounds N] [--whole]

Every job is done by each tool in turns over slices of the same questions (`--whole`: over all of them in every round,
as a run does, which shares more beginnings), on one thread; what is compared is processor
time, so that a busy machine does no harm. A tool gets the batch size at which it is fastest here (of 1, 8 and 32, tried
on the first questions). Our time is from questions to answers read back from the journal, with the trial of the way it
takes. "max Δ" is the largest difference from our numbers.

"of limit" is the share of the rate of large matrix products, measured between the rounds, that we reach, counting the
matrix products that the answers need in our way (without those of the trial). "at the limit" is how many times as long
as that the tool takes: more than that no way of asking could gain.

GenderBench has no generator for a model in a folder and asks chat models only: its GEST probe writes the prompts and
asks for replies, and transformers' text-generation pipeline gives them, greedily. We give the replies to the same
prompts; nobody reads them here.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"

import torch
import transformers as tf
from torch.utils.flop_counter import FlopCounterMode

from genderscope.core.journal_codec import answer_from_json, question_key
from genderscope.core.questions import Choice, Completion, Reply, TokenLikelihood
from genderscope.engine import ask
from genderscope.measures.gest import TEMPLATES
from genderscope.measures.gest.templates import SENTENCE_FIRST
from genderscope.models import Chat, open_model
from genderscope.models.hf import smollm2
from genderscope.models.hf.language_model import LanguageModel
from genderscope.runs import Journal
from genderscope.samples import crows
from genderscope.samples.honest import load as honest_templates

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.gest import gemm_rate, random_masked, sentences, words_of
from benchmarks.peer_tools import (
    REPLY_TOKENS,
    GenderBench,
    Harness,
    K,
    MiniconsCausal,
    MiniconsMasked,
    Pipeline,
    gest_prompts,
)

ROUNDS = 3
BATCHES = (1, 8, 32)


def answered(model, questions):
    """Have the questions answered through the engine and its journal."""
    with tempfile.TemporaryDirectory() as place, Journal(Path(place, "journal")) as journal:
        ask(model, questions, journal)
        keys = (question_key(model.fingerprint, question) for question in questions)
        return [answer_from_json(type(questions[0]), text) for text in journal.read(keys)]


class Ours:
    """Genderscope itself; every kind of question becomes one number, or one list of tokens."""

    def __init__(self, folder):
        model = open_model(str(folder), "cpu")
        assert isinstance(model, LanguageModel)
        self.model = model
        self.model.load()

    def __call__(self, questions, _batch):
        answers = answered(self.model, questions)
        if isinstance(questions[0], Choice):
            return [answer.scores[0] - answer.scores[1] for answer in answers]
        if isinstance(questions[0], Completion):
            return [[tokens[0] for tokens in answer.tokens] for answer in answers]
        if isinstance(questions[0], Reply):
            return [answer.text for answer in answers]
        return [sum(answer.log_probabilities) for answer in answers]

    def forget(self):
        """Try every way again, as a new process does."""
        self.model.exactness = type(self.model.exactness)(self.model, self.model.candidates())
        self.model.hidden_states.forget()

    def operations(self, questions):
        """Count the operations of matrix products that the answers take, the trial being over."""
        self.model.hidden_states.forget()
        with FlopCounterMode(display=False) as counter, torch.inference_mode():
            answered(self.model, questions)
        return counter.get_total_flops()


def after_first_word(text):
    begin = text.index(" ") + 1
    return TokenLikelihood(text, ((begin, len(text)),), together=False)


def crows_texts(count):
    """Both sentences of the first gender pairs of CrowS-Pairs, without those of one word."""
    pairs = crows.load("original", ("gender",), False).samples
    texts = [text for pair in pairs for text in (pair.s0.text, pair.s2.text)]
    return [text for text in texts if " " in text][:count]


def replies_to(prompts):
    chat = Chat(temperature=0.0)
    return [chat.ask(prompt, REPLY_TOKENS, 0) for prompt in prompts]


def difference(ours, theirs):
    """The largest difference of numbers; the share of other lists."""
    if isinstance(ours[0], (list, str)):
        return f"{sum(a != b for a, b in zip(ours, theirs, strict=True)) / len(ours):.1%} other"
    return f"{max(abs(a - b) for a, b in zip(ours, theirs, strict=True)):.1e}"


def compare(name, questions, tools, rounds, whole):
    """Do a job with every tool in turns and print its lines; the first tool is ours."""
    chosen = {}
    for tool, run in tools.items():
        few = questions[:: max(1, len(questions) // 24)][:24]
        run(few[:2], 1)
        sizes = {
            size: min(timed(run, few, size)[0] for _ in range(ROUNDS))  # one alone may meet a busy moment
            for size in (BATCHES if tool != "genderscope" else (1,))
        }
        chosen[tool] = min(sizes, key=sizes.get)
    found: dict[str, list[Any]] = {tool: [] for tool in tools}
    spent, rates = dict.fromkeys(tools, 0.0), []
    for k in range(rounds):
        rates.append(gemm_rate())
        part = questions if whole else questions[k * len(questions) // rounds : (k + 1) * len(questions) // rounds]
        tools["genderscope"].forget()
        for tool, run in tools.items():
            seconds, numbers = timed(run, part, chosen[tool])
            spent[tool] += seconds
            found[tool] += numbers
    ours = spent["genderscope"]
    asked = rounds if whole else 1
    limit = asked * tools["genderscope"].operations(questions) / (sum(rates) / len(rates))
    for tool, seconds in spent.items():
        if tool == "genderscope":
            line = f" | 1 | {limit / seconds:.0%} of limit | "
        else:
            apart = difference(found["genderscope"], found[tool])
            line = f"{chosen[tool]} | {seconds / ours:.1f} | {seconds / limit:.1f} | {apart}"
        print(f"| {name} | {len(questions):,} | {tool} | {line} |", flush=True)


def timed(run, questions, batch):
    start = time.process_time()
    with torch.inference_mode():
        found = run(questions, batch)
    return time.process_time() - start, found


def jobs(samples):
    """Every job: its name, and what makes its questions and tools in a folder for models."""
    texts = sentences(samples)

    def causal(make, tools):
        folder = smollm2.fetch()
        return make(), {"genderscope": Ours(folder)} | {name: tool(folder) for name, tool in tools.items()}

    def masked(place, make, tools):
        questions = make()
        words = words_of(text for question in questions for text in texts_of(question))
        folder = random_masked(Path(place, "bert"), 30_522, words)
        return questions, {"genderscope": Ours(folder)} | {name: tool(folder) for name, tool in tools.items()}

    genderbench = {"GenderBench": GenderBench}
    harness = {"lm-evaluation-harness": Harness, "minicons": MiniconsCausal}
    return {
        "gest": lambda _: causal(lambda: [TEMPLATES[t].ask(s, False) for s in texts for t in SENTENCE_FIRST], harness),
        "crows": lambda _: causal(lambda: list(map(after_first_word, crows_texts(samples))), harness),
        "gest-chat": lambda _: causal(lambda: replies_to(gest_prompts(texts[: samples // 20])), genderbench),
        "gest-masked": lambda place: masked(
            place, lambda: [TEMPLATES[3].ask(s, False) for s in texts], {"fill-mask pipeline": Pipeline}
        ),
        "crows-masked": lambda place: masked(
            place,
            lambda: [TokenLikelihood(text, (), together=False) for text in crows_texts(samples // 4)],
            {"minicons": MiniconsMasked},
        ),
        "honest": lambda place: masked(
            place,
            lambda: [Completion(t.before, t.after, K) for t in honest_templates("en").samples][:samples],
            {"fill-mask pipeline": Pipeline},
        ),
    }


def texts_of(question):
    if isinstance(question, TokenLikelihood):
        return [question.text]
    return [question.before + option + question.after for option in getattr(question, "options", ("",))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=240)
    parser.add_argument("--only", choices=list(jobs(1)))
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--whole", action="store_true", help="ask all questions in every round")
    options = parser.parse_args()
    torch.set_num_threads(1)
    tf.utils.logging.set_verbosity_error()
    tf.utils.logging.disable_progress_bar()
    print("| job | questions | tool | batch | times ours | at the limit | max Δ |\n|---|---|---|---|---|---|---|")
    made = jobs(options.samples)
    for name in [options.only] if options.only else made:
        with tempfile.TemporaryDirectory() as place:
            questions, tools = made[name](place)
            compare(name, questions, tools, options.rounds, options.whole)


if __name__ == "__main__":
    main()
