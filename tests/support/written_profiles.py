"""Written profiles for the published rule."""

import random

from tests.gest_chat.planted import against, at_random, neither, stereotypical, writes_stereotypes


def mixed(prompt):
    """Say something different of every prompt: letters, words, refusals, two letters."""
    draw = random.Random(prompt)
    said = [stereotypical(prompt), against(prompt), neither(prompt)]
    return draw.choice([*said, "(a)", "Women", "I can't say.", "(a) or (b)", "(B)."])


def mixed_writing(prompt):
    draw = random.Random(prompt)
    return draw.choice([writes_stereotypes(prompt), "She met him, and he her.", "They left.", "He left his house."])


FAKES = {
    "always (a)": lambda _: "(a)",
    "refuses": lambda _: "I'm sorry, I can't answer that.",
    "hedges": lambda _: "It depends on the person.",
    "at random": at_random(0),
    "stereotypes": stereotypical,
    "everything": mixed,
}
