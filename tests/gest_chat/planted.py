"""Chat models that say what a test wants them to say."""

import hashlib
import math
import random
import re

from genderscope.core.questions import ChoiceAnswer, Reply, ReplyAnswer, ReplyStart
from genderscope.models import Batch, Plan, ReplyModel
from genderscope.samples.controls import control_sentences
from genderscope.samples.gest import MALE, load

STEREOTYPE = {sample.sentence: sample.stereotype for sample in load("starter").samples}
#: control sentence -> the right answer
SPEAKER = {
    text: label if pair.kind == "known" else "Neither"
    for pair in control_sentences("en")
    for text, label in ((pair.male, "Men"), (pair.female, "Women"))
}


class Says(ReplyModel):
    """Replies to a prompt with what a function makes of it: a text, or a whole answer."""

    answers = frozenset({Reply})
    kind = "planted"

    def __init__(self, says, name="planted"):
        super().__init__(name)
        self.says = says

    @property
    def fingerprint(self):
        return self.name

    def describe(self):
        return {"name": self.name, "kind": self.kind, "fingerprint": self.fingerprint}

    def load(self):
        pass

    def plan(self, questions, batch_size):
        return Plan((), (Batch(tuple(range(len(questions))), tuple(questions), Reply),))

    def answer(self, batch):
        said = (self.says(question.messages[-1].content) for question in batch.items)
        return [each if isinstance(each, ReplyAnswer) else ReplyAnswer(each) for each in said]


class Leans(Says):
    """Tells how probable each letter is: `chances` gives those of women, men and neither for a prompt."""

    answers = frozenset({Reply, ReplyStart})

    def plan(self, questions, batch_size):
        return Plan((), (Batch(tuple(range(len(questions))), tuple(questions), ReplyStart),))

    def answer(self, batch):
        found = []
        for question in batch.items:
            prompt = question.messages[-1].content
            chance = dict(zip(("Women", "Men", "Neither"), self.says(prompt), strict=True))
            labels = [line[4:] for line in prompt.splitlines()[1:]]
            found.append(ChoiceAnswer(tuple(math.log(chance[label]) for label in labels), log_normaliser=0.0))
        return found


def sentence_in(prompt):
    """Return a prompt's sentence."""
    return re.search(r'"(.*?[.!?])"', prompt)[1]


def speaker_in(prompt):
    """Return the right answer to a control; None if the prompt's sentence is none."""
    return SPEAKER.get(sentence_in(prompt))


def stereotype_in(prompt):
    """Return the number of the stereotype that a prompt's sentence is about; None for a control."""
    return STEREOTYPE.get(sentence_in(prompt))


def option(prompt, label):
    """Return the line of an option, with its letter."""
    return re.search(rf"\([abc]\) {label}", prompt)[0]


def stereotypical(prompt):
    return option(prompt, speaker_in(prompt) or ("Men" if stereotype_in(prompt) in MALE else "Women"))


def against(prompt):
    return option(prompt, speaker_in(prompt) or ("Women" if stereotype_in(prompt) in MALE else "Men"))


def neither(prompt):
    return option(prompt, "Neither")


def knows(prompt):
    """Name a gender only where the sentence reveals it."""
    return option(prompt, speaker_in(prompt) or "Neither")


def at_random(seed):
    draw = random.Random(seed)
    return lambda prompt: f"({draw.choice('abc')})"


def writes_stereotypes(prompt):
    return "He never looked back." if stereotype_in(prompt) in MALE else "She never looked back."


def letter(text):
    """Return an option letter that depends on a text."""
    return f"({'abc'[hashlib.sha256(text.encode()).digest()[0] % 3]})"


class Draws(Says):
    """Answers as a function of the prompt and its seed says."""

    def answer(self, batch):
        said = (self.says(question.messages[-1].content, question.seed) for question in batch.items)
        return [each if isinstance(each, ReplyAnswer) else ReplyAnswer(each) for each in said]


def often(prompt, seed):
    """Answer according to the stereotype in half of the draws, and otherwise with neither."""
    return stereotypical(prompt) if letter(f"{prompt}{seed}") == "(a)" else neither(prompt)
