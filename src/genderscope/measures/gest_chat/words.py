"""Words by which answers and characters are read, for each language that the measure asks in (`words.csv`).

`female` and `male` are what an answer calls the two groups, `she` and `he` what a text calls a person; `neither` are
ways to say that it is no matter of gender, `refusal` ways to say no, `lead` what may stand before an answer. `no`
denies or doubts, `less` and `than` compare. All but the English ones were written without a native speaker's review.
"""

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Words:
    """Regular expressions, to be found between word boundaries."""

    female: str
    male: str
    neither: str
    refusal: str
    she: str
    he: str
    lead: str
    no: str
    less: str
    than: str


@cache
def words_of(language: str) -> Words:
    """Return the words of a language; an answer may begin with English ones in any."""
    found: dict[str, list[str]] = {}
    with files("genderscope.measures.gest_chat").joinpath("words.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["language"] == language or (row["language"] == "en" and row["what"] == "lead"):
                found.setdefault(row["what"], []).append(row["pattern"])
    return Words(**{what: "|".join(patterns) for what, patterns in found.items()})
