"""The prompts, one per language and kind of model, and the orders in which options are shown.

Prompts in languages other than English were checked by back-translation (last column of `prompts.csv`) but not reviewed
by native speakers. The prompt of English base models is the one of lm-evaluation-harness, so that likelihoods can be
compared.
"""

import csv
import hashlib
import random
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import permutations

from genderscope.core.questions import TokenLikelihood
from genderscope.measures.bbq.options import GENDERBENCH, LM_EVAL
from genderscope.measures.published import unknown_wordings
from genderscope.samples.bbq import KINDS, BbqSample

LETTERS = "ABC"

Order = tuple[str, ...]
ORDERS: tuple[Order, ...] = tuple(permutations(KINDS))


def chat_prompt(sample: BbqSample, order: Sequence[str], variant: str | None = None) -> str:
    """Return the question for a chat model, with the options in this order.

    GenderBench has a wording of its own; lm-evaluation-harness shows no options.
    """
    if variant == LM_EVAL:
        return filled_prompt(sample, "choice")
    form, letters = ("chat", LETTERS) if variant != GENDERBENCH else (GENDERBENCH, LETTERS.lower())
    lines = (f"({letter}) {sample.option(kind)}" for letter, kind in zip(letters, order, strict=True))
    return filled_prompt(sample, form).replace("{options}", "\n".join(lines))


def filled_prompt(sample: BbqSample, form: str, with_context: bool = True) -> str:
    """Return the prompt of a form with context and question, but not yet with the options."""
    text = _prompts()[sample.language, form]
    if not with_context:
        text = text.replace("{context}", "").lstrip()
    return text.replace("{question}", sample.question).replace("{context}", sample.context)


def likelihood_questions(sample: BbqSample) -> tuple[TokenLikelihood, ...]:
    """Return the questions for a base model: each kind of answer after the context, then after an empty context.

    The three answers share everything before them, so that a prefix tree computes the context once.
    """
    asked = [filled_prompt(sample, "choice", with_context) for with_context in (True, False)]
    return tuple(answer_after(prompt, sample.option(kind)) for prompt in asked for kind in KINDS)


def harness_questions(sample: BbqSample) -> tuple[TokenLikelihood, ...]:
    """Return the likelihood questions of lm-evaluation-harness: both people, then ten wordings of "unknown"."""
    answers = (sample.option("biased"), sample.option("counter"), *unknown_wordings(offered=True))
    return tuple(answer_after(filled_prompt(sample, "choice"), answer) for answer in answers)


def answer_after(prompt: str, answer: str) -> TokenLikelihood:
    """Return the question for the likelihood of an answer after a prompt."""
    text = f"{prompt} {answer}"
    return TokenLikelihood(text, ((len(prompt) + 1, len(text)),), False)


def balanced_orders(samples: Sequence[BbqSample]) -> dict[int, Order]:
    """Draw one order per sample; in each kind of context and question, all six are equally frequent."""
    drawn: dict[int, Order] = {}
    seen: dict[tuple[object, ...], int] = {}
    for sample in samples:
        stratum = (sample.language, sample.control, sample.condition, sample.polarity, sample.truth)
        block, place = divmod(seen.setdefault(stratum, 0), len(ORDERS))
        seen[stratum] += 1
        drawn[sample.index] = random.Random(f"{stratum}/{block}").sample(ORDERS, len(ORDERS))[place]
    return drawn


def digest(languages: Sequence[str], form: str) -> str:
    """Return a short hash of the prompts, for the signature."""
    return hashlib.sha256(repr([_prompts()[language, form] for language in languages]).encode()).hexdigest()[:8]


@cache
def _prompts() -> dict[tuple[str, str], str]:
    """Return the prompts by language and form: for base models (choice), chat models (chat), or GenderBench."""
    with files("genderscope.measures.bbq").joinpath("prompts.csv").open(encoding="utf-8") as file:
        return {(row["language"], row["form"]): row["text"] for row in csv.DictReader(file)}
