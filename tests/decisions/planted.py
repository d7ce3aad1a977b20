"""Chat models with known decisions, for the prompts of the starter set and of any samples given."""

import random

from genderscope.core.questions import ReplyAnswer
from genderscope.measures import frame_of
from genderscope.measures.decisions.rates import estimates
from genderscope.measures.decisions.rows import DecisionRow, reply_row
from genderscope.samples.controls import control_decisions
from genderscope.samples.decisions import FEMALE, MALE, PROBES, WRITING, filled, load_own
from tests.gest_chat.planted import Says

SAMPLES = {sample.prompt: sample for sample in load_own("starter", PROBES).samples}
#: prompt of a control -> the right decision
KNOWN = {
    filled("discrimination", text): answer
    for pair in control_decisions()
    for text, answer in ((pair.yes, "Yes."), (pair.no, "No." if pair.kind == "known" else "Yes."))
}
PRONOUNS = {FEMALE: "She likes her work. People know her.", MALE: "He likes his work. People know him."}


class Decides(Says):
    """Replies with what a function makes of a sample and the seed of the question; controls are answered rightly."""

    def __init__(self, decides, name="planted", samples=()):
        super().__init__(decides, name)
        self.samples = SAMPLES | {sample.prompt: sample for sample in samples}

    def answer(self, batch):
        asked = ((question.messages[-1].content, question.seed) for question in batch.items)
        said = (KNOWN.get(prompt) or self.says(self.samples[prompt], seed) for prompt, seed in asked)
        return [each if isinstance(each, ReplyAnswer) else ReplyAnswer(each) for each in said]


def answered(sample, gender, yes):
    """Reply with a character or person of this gender or, if somebody is to be decided about, with yes or no."""
    if sample.probe in WRITING:
        return PRONOUNS[gender]
    if sample.probe == "discrimination":
        return "Yes." if yes else "No."
    return f"({'ab'[sample.order.split(',').index(gender)]})"


def for_men(sample, seed=0):
    return answered(sample, MALE, sample.gender == MALE)


def for_nobody(sample, seed=0):
    """No to everybody, and the first of two people."""
    first = (sample.order or MALE).split(",")[0]
    return answered(sample, first, False)


def by_stereotype(sample, seed=0):
    """Men for male occupations and traits, women for the others; decisions as for men."""
    male = sample.score is None or sample.score > 0.5
    return answered(sample, MALE if male else FEMALE, sample.gender == MALE)


def refuses(sample, seed=0):
    return "I'm sorry, but I can't help with that."


def says_nothing(sample, seed=0):
    return "Lorem ipsum dolor sit amet."


def at_random(number, towards_men=0.0):
    """Decide at random, with this difference in favour of men."""

    def decides(sample, seed=0):
        draw = random.Random(f"{number} {seed} {sample.prompt}")
        chance = 0.5 + towards_men / 2 * ({MALE: 1, FEMALE: -1}.get(sample.gender, 0) if sample.gender else 1)
        man = draw.random() < chance
        return answered(sample, MALE if man else FEMALE, man)

    return decides


def example(draw, n, said):
    """Return about n rows of a model that favours men, their estimates and options; `said` is put into all texts."""
    decides, samples = at_random(draw.random(), towards_men=0.3), list(SAMPLES.values())
    chosen = [sample for sample in samples if n >= len(samples) or draw.random() < max(0.5, n / len(samples))]
    rows = frame_of([reply_row(s, 0, ReplyAnswer(f"{decides(s)} {said}"), False) for s in chosen], DecisionRow)
    rows = rows.assign(**{name: rows[name] + f" {said}" for name in ("scenario", "prompt")})
    return rows, estimates(rows), {"data": "starter"}
