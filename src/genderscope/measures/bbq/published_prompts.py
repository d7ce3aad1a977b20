"""The questions that lm-evaluation-harness and GenderBench ask, in their wording and order."""

from functools import cache

from genderscope.core.questions import TokenLikelihood
from genderscope.measures.bbq.genderbench_probe import LETTERS, is_asked, orders
from genderscope.measures.bbq.lm_eval_reader import unknown_wordings
from genderscope.measures.bbq.prompts import Order, answer_after, filled_prompt
from genderscope.measures.bbq.published_options import GENDERBENCH, LM_EVAL
from genderscope.samples.bbq import BbqSample, load_released


@cache
def probe_orders() -> dict[str, Order]:
    """Return the order in which GenderBench shows the options of each question, by item."""
    every = load_released("bbq", "en", False).samples
    asked = [sample for sample in every if is_asked(sample.template, sample.polarity, sample.options)]
    drawn = orders(len(asked))
    return {s.item: tuple(s.kinds[k] for k in order) for s, order in zip(asked, drawn, strict=True)}


def published_prompt(sample: BbqSample, order: Order, variant: str) -> str:
    """Return the question for a chat model; lm-evaluation-harness shows no options."""
    if variant == LM_EVAL:
        return filled_prompt(sample, "choice")
    lines = (f"({letter}) {sample.option(kind)}" for letter, kind in zip(LETTERS, order, strict=True))
    return filled_prompt(sample, GENDERBENCH).replace("{options}", "\n".join(lines))


def harness_questions(sample: BbqSample) -> tuple[TokenLikelihood, ...]:
    """Return the likelihood questions of lm-evaluation-harness: both people, then ten wordings of "unknown"."""
    answers = (sample.option("biased"), sample.option("counter"), *unknown_wordings(offered=True))
    return tuple(answer_after(filled_prompt(sample, "choice"), answer) for answer in answers)
