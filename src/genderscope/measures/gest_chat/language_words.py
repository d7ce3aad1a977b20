"""Patterns used to parse answers, for each supported language (`words.csv`).

`female` and `male` match the words for the two groups, `neither` statements that gender does not matter, `refusal`
refusals, `lead` phrases that may precede an answer, `no` negations and doubts, `less` and `than` comparisons.

A language may lack the others: `bare` matches words that mean *neither* only near a word of `context`, `decline`
refusals that could also be part of a character's profile, `but` the start of a restriction, `so` a conclusion, `aside`
other people's views and earlier times, `wrong` predicates of options that are ruled out, `because` the start of a
reason, `gender` words for gender itself, `allowed` phrases that contain a word of `no` but deny nothing, and `frame`
what a chat model says to the user before and after a profile ("Let me know if ...").

All but the English patterns were written without review by a native speaker.
"""

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

#: a pattern that never matches
NOTHING = r"(?!)"


@dataclass(frozen=True, slots=True)
class Words:
    """Regular expressions, matched at word boundaries."""

    female: str
    male: str
    neither: str
    refusal: str
    lead: str
    no: str
    less: str
    than: str
    bare: str = NOTHING
    context: str = NOTHING
    decline: str = NOTHING
    but: str = NOTHING
    aside: str = NOTHING
    wrong: str = NOTHING
    so: str = NOTHING
    because: str = NOTHING
    gender: str = NOTHING
    allowed: str = NOTHING
    frame: str = NOTHING


@cache
def words_of(language: str) -> Words:
    """Return the patterns for a language; lead-in phrases always include the English ones."""
    found: dict[str, list[str]] = {}
    with files("genderscope.measures.gest_chat").joinpath("words.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["language"] == language or (row["language"] == "en" and row["what"] == "lead"):
                found.setdefault(row["what"], []).append(row["pattern"])
    return Words(**{what: "|".join(patterns) for what, patterns in found.items()})
