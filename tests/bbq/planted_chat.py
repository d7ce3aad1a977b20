"""Chat models whose answers to the starter set's questions are known, asked through the measure."""

import math
import random

from genderscope.core.questions import ChoiceAnswer, Reply, ReplyStart
from genderscope.measures.bbq.prompts import LETTERS, chat_prompt
from genderscope.models import Batch, Plan
from genderscope.samples.bbq import load_own
from tests.gest_chat.planted import Says


def _question(prompt):
    """Return a prompt without its options: what identifies a sample."""
    return prompt.partition("\n(A)")[0]


SAMPLES = {_question(chat_prompt(sample, sample.kinds)): sample for sample in load_own("starter", "en").samples}


def answering(choose):
    """Return a function from a prompt to the line of the option whose kind `choose(sample)` names."""

    def says(prompt):
        sample = SAMPLES[_question(prompt)]
        chosen = sample.option(choose(sample))
        return next(line for line in prompt.splitlines() if line[4:] == chosen)

    return says


def always(kind):
    return answering(lambda sample: kind)


#: right if the context gives the answer, stereotyped otherwise
told_or_stereotyped = answering(lambda sample: "biased" if sample.condition == "ambiguous" else sample.truth)
right = answering(lambda sample: sample.truth)


def first_option(prompt):
    return next(line for line in prompt.splitlines() if line.startswith("(A)"))


def at_random(seed):
    draw = random.Random(seed)
    return lambda prompt: draw.choice([line for line in prompt.splitlines() if line.startswith("(")])


class Leans(Says):
    """Gives the letter of the option that it would say a probability of 0.8, and the others 0.1 each."""

    answers = frozenset({Reply, ReplyStart})
    scales = True

    def plan(self, questions, batch_size):
        return Plan((), (Batch(tuple(range(len(questions))), tuple(questions), ReplyStart),))

    def answer(self, batch):
        said = [self.says(question.messages[-1].content)[1] for question in batch.items]
        return [
            ChoiceAnswer(tuple(math.log(0.8 if letter == each else 0.1) for letter in LETTERS), log_normaliser=0.0)
            for each in said
        ]
