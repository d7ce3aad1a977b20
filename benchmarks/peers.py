"""The tools people would use otherwise, on the same job in the same run: are the numbers the same, and who is faster?

    pip install lm-eval minicons          (in the development environment)
    python benchmarks/peers.py [--only JOB] [--samples N]

Every job is done by each tool in turns over slices of the same questions, on one thread; what is compared is processor
time, so that a busy machine does no harm. A tool gets the batch size at which it is fastest here (of 1, 8 and 32, tried
on the first questions). Our time is from questions to answers read back from the journal. "max Δ" is the largest
difference from our numbers.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"

import torch
import transformers as tf
from gest import random_masked, sentences, words_of

from genderscope.engine import ask
from genderscope.measures.gest import TEMPLATES
from genderscope.measures.gest.measure import SENTENCE_FIRST
from genderscope.models import open_model
from genderscope.models.hf import smollm2
from genderscope.questions import Choice, Completion, TokenLikelihood, answer_from_json, question_key
from genderscope.runs import Journal
from genderscope.samples.honest import load as honest_templates
from genderscope.samples.wordfill import crows

ROUNDS = 3
K = 20
BATCHES = (1, 8, 32)


def answered(model, questions):
    """Have the questions answered through the engine and its journal."""
    with tempfile.TemporaryDirectory() as place, Journal(Path(place, "journal")) as journal:
        ask(model, questions, journal)
        keys = (question_key(model.fingerprint, question) for question in questions)
        return [answer_from_json(type(questions[0]), text) for text in journal.read(keys)]


def batches(items, size):
    return (items[start : start + size] for start in range(0, len(items), size))


class Ours:
    """Genderscope itself; every kind of question becomes one number, or one list of tokens."""

    def __init__(self, folder):
        self.model = open_model(str(folder), "cpu")
        self.model.load()

    def __call__(self, questions, _batch):
        answers = answered(self.model, questions)
        if isinstance(questions[0], Choice):
            return [answer.scores[0] - answer.scores[1] for answer in answers]
        if isinstance(questions[0], Completion):
            return [[tokens[0] for tokens in answer.tokens] for answer in answers]
        return [sum(answer.log_probabilities) for answer in answers]


class Harness:
    """lm-evaluation-harness: the log-likelihood of a continuation by its class for models of transformers."""

    def __init__(self, folder):
        from lm_eval.models.huggingface import HFLM

        model = tf.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
        self.lm = HFLM(pretrained=model, tokenizer=tf.AutoTokenizer.from_pretrained(folder), device="cpu")

    def __call__(self, questions, batch):
        from lm_eval.api.instance import Instance

        pairs = [pair for question in questions for pair in continuations(question)]
        asked = [Instance("loglikelihood", {}, pair, k) for k, pair in enumerate(pairs)]
        self.lm.batch_size_per_gpu = batch
        return combined(questions, [float(found[0]) for found in self.lm.loglikelihood(asked, disable_tqdm=True)])


class MiniconsCausal:
    """minicons: the conditional score of a continuation."""

    def __init__(self, folder):
        from minicons.scorer import IncrementalLMScorer

        self.scorer = IncrementalLMScorer(str(folder), "cpu")

    def __call__(self, questions, batch):
        pairs = [pair for question in questions for pair in continuations(question)]
        found = []
        for part in batches(pairs, batch):
            before, after = zip(*part, strict=True)
            after = [text.removeprefix(" ") for text in after]
            found += self.scorer.conditional_score(list(before), after, reduction=lambda scores: scores.sum(0).item())
        return combined(questions, found)


class MiniconsMasked:
    """minicons: the pseudo-log-likelihood of a text, every token masked in turn."""

    def __init__(self, folder):
        from minicons.scorer import MaskedLMScorer

        self.scorer = MaskedLMScorer(str(folder), "cpu", PLL_metric="original")
        if not hasattr(self.scorer.tokenizer, "batch_encode_plus"):  # it is gone from transformers 5, minicons calls it
            self.scorer.tokenizer.batch_encode_plus = self.scorer.tokenizer

    def __call__(self, questions, batch):
        found = []
        for part in batches([question.text for question in questions], batch):
            found += self.scorer.sequence_score(list(part), reduction=lambda scores: scores.sum(0).item())
        return found


class Pipeline:
    """The fill-mask pipeline of transformers."""

    def __init__(self, folder):
        self.pipe = tf.pipeline("fill-mask", model=str(folder), device="cpu")

    def __call__(self, questions, batch):
        mask = self.pipe.tokenizer.mask_token
        texts = [question.before + mask + question.after for question in questions]
        if isinstance(questions[0], Completion):
            return [[each["token"] for each in found] for found in self.pipe(texts, batch_size=batch, top_k=K)]
        options = [option.lower() for option in questions[0].options]
        ids = self.pipe.tokenizer.convert_tokens_to_ids(options)
        ratios = []
        for found in self.pipe(texts, batch_size=batch, targets=options):
            scores = {each["token"]: torch.tensor(each["score"]).log().item() for each in found}
            ratios.append(scores[ids[0]] - scores[ids[1]])
        return ratios


def continuations(question):
    """Write a question as beginnings and continuations, the space with the continuation."""
    if isinstance(question, Choice):
        return [(question.before.rstrip(), f" {option}") for option in question.options]
    ((begin, _),) = question.spans
    return [(question.text[:begin].rstrip(), f" {question.text[begin:]}")]


def combined(questions, found):
    """Return a log-ratio for a choice, the likelihood itself otherwise."""
    if isinstance(questions[0], Choice):
        return [first - second for first, second in zip(found[::2], found[1::2], strict=True)]
    return found


def after_first_word(text):
    begin = text.index(" ") + 1
    return TokenLikelihood(text, ((begin, len(text)),), together=False)


def crows_texts(count):
    """Both sentences of the first gender pairs of CrowS-Pairs, without those of one word."""
    pairs = crows.load("original", ("gender",), False).samples
    texts = [text for pair in pairs for text in (pair.s0.text, pair.s2.text)]
    return [text for text in texts if " " in text][:count]


def difference(ours, theirs):
    """The largest difference of numbers; the share of other lists."""
    if isinstance(ours[0], list):
        return f"{sum(a != b for a, b in zip(ours, theirs, strict=True)) / len(ours):.1%} other"
    return f"{max(abs(a - b) for a, b in zip(ours, theirs, strict=True)):.1e}"


def compare(name, questions, tools):
    """Do a job with every tool in turns and print its lines; the first tool is ours."""
    chosen = {}
    for tool, run in tools.items():
        few = questions[:: max(1, len(questions) // 24)][:24]
        run(few[:2], 1)
        sizes = {size: timed(run, few, size)[0] for size in (BATCHES if tool != "genderscope" else (1,))}
        chosen[tool] = min(sizes, key=sizes.get)
    spent, found = dict.fromkeys(tools, 0.0), {tool: [] for tool in tools}
    for k in range(ROUNDS):
        part = questions[k * len(questions) // ROUNDS : (k + 1) * len(questions) // ROUNDS]
        for tool, run in tools.items():
            seconds, numbers = timed(run, part, chosen[tool])
            spent[tool] += seconds
            found[tool] += numbers
    ours = spent["genderscope"]
    for tool, seconds in spent.items():
        apart = "" if tool == "genderscope" else difference(found["genderscope"], found[tool])
        size = "" if tool == "genderscope" else chosen[tool]
        print(f"| {name} | {len(questions):,} | {tool} | {size} | {seconds / ours:.1f} | {apart} |", flush=True)


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

    harness = {"lm-evaluation-harness": Harness, "minicons": MiniconsCausal}
    return {
        "gest": lambda _: causal(lambda: [TEMPLATES[t].ask(s, False) for s in texts for t in SENTENCE_FIRST], harness),
        "crows": lambda _: causal(lambda: list(map(after_first_word, crows_texts(samples))), harness),
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
            lambda: [Completion(t.before, t.after, K) for t in honest_templates("en").templates][:samples],
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
    options = parser.parse_args()
    torch.set_num_threads(1)
    tf.utils.logging.set_verbosity_error()
    tf.utils.logging.disable_progress_bar()
    print("| job | questions | tool | batch | times ours | max Δ |\n|---|---|---|---|---|---|")
    made = jobs(options.samples)
    for name in [options.only] if options.only else made:
        with tempfile.TemporaryDirectory() as place:
            compare(name, *made[name](place))


if __name__ == "__main__":
    main()
