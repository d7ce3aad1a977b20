"""The other tools of `peers.py`: each answers the same questions in its own way, in batches of a given size."""

from types import SimpleNamespace
from typing import Any

import torch
import transformers as tf

from genderscope.core.questions import Choice, Completion

K = 20
REPLY_TOKENS = 40


def batches(items, size):
    return (items[start : start + size] for start in range(0, len(items), size))


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
            texts = [text.removeprefix(" ") for text in after]
            found += self.scorer.conditional_score(list(before), texts, reduction=lambda scores: scores.sum(0).item())
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
        ids = [self.pipe.tokenizer.convert_tokens_to_ids(option) for option in options]
        ratios = []
        for found in self.pipe(texts, batch_size=batch, targets=options):
            scores = {each["token"]: torch.tensor(each["score"]).log().item() for each in found}
            ratios.append(scores[ids[0]] - scores[ids[1]])
        return ratios


class GenderBench:
    """GenderBench: the replies to the prompts of its GEST probe."""

    def __init__(self, folder):
        self.pipe: Any = tf.pipeline("text-generation", model=str(folder), device="cpu")
        self.pipe.tokenizer.padding_side = "left"

    def __call__(self, questions, batch):
        from genderbench.probes import GestProbe
        from genderbench.probing.probe_item import ProbeItem
        from genderbench.probing.prompt import Prompt

        class OfThese(GestProbe):
            def _create_probe_items(self):
                prompts = [Prompt(question.messages[-1].content, {}) for question in questions]
                return [ProbeItem([prompt], self.num_repetitions, {}) for prompt in prompts]

        probe = OfThese(log_strategy="no")
        probe.create_probe_items()
        probe.generate(SimpleNamespace(generate=lambda texts: self.replies(texts, batch)))
        return [item.attempts[0].answer for item in probe.probe_items]

    def replies(self, texts, batch):
        asked = [[{"role": "user", "content": text}] for text in texts]
        settings = {"max_new_tokens": REPLY_TOKENS, "do_sample": False, "return_full_text": False}
        return [found[0]["generated_text"].strip() for found in self.pipe(asked, batch_size=batch, **settings)]


def gest_prompts(texts):
    """Return the prompts of GenderBench's GEST probe for these sentences."""
    from genderbench.probes import GestProbe

    class OfThese(GestProbe):
        def _create_probe_items(self):
            return [self.create_probe_item(SimpleNamespace(sentence=text, stereotype=1)) for text in texts]

    probe = OfThese(log_strategy="no")
    probe.create_probe_items()
    return [prompt.text for item in probe.probe_items for prompt in item.prompts]


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
