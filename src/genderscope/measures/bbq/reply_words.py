"""Word lists used to read answers, for each language (`words.tsv`), compiled to patterns.

In a pattern, "@" stands for any mention of an option. The categories:

- `female`, `male`: words that show a person's gender; `woman`, `man`, `she`, `he`: words for anybody of that gender;
- `article`, `trans`, `cis`, `generic`, `who`, `people`, `suffix`, `variant`: how an answer may name a person, or vary
  the text of an option;
- `first`, `second`, `third`, `place`: an option named by its position;
- `unknown`, `refusal`, `apology`: statements that nothing tells, refusals, and words that often come with one;
  `unsaid`, `unwilling`: looser forms of both, for answers that name no option;
- `answer`, `right`, `lead`, `aux`: phrases before a choice, after it, at the start of an answer, and at its end;
- `asks`, `stop`: words of questions that say nothing; `next`: labels of another question after the answer;
- `so`, `but`, `because`, `while`: starts of clauses: a conclusion, a contrast, a reason, a circumstance;
- `no`, `or`, `denied`: a denial before or after a mention; `allowed`, `same`: what only looks like one;
- `aside`: other people's views; `insertion`: words between commas after a person;
- `guess`, `maybe`: a choice with or without commitment; `correction`;
- `relative`, `agent`, `contrary`, `reason_end`: parts of clauses that are left out; `tail`: endings of letters;
- `join`, `between`, `after`: words between listed options, before them, and words that may follow a bare letter;
- `key`: names of the field with the answer in a JSON object.

All but the English patterns were written without review by a native speaker.
"""

import csv
import re
from functools import cache
from importlib.resources import files

from genderscope.measures.reply_words import NOTHING, word_table

#: what a mention of an option is replaced by: its letter, its words, another phrase for the unknown
LETTERS, WORDS, NOTHING_TELLS = "\ue000\ue001\ue002", "\ue003\ue004\ue005", "\ue006"
#: a letter that is not an option, and a denied mention
NO_OPTION, DENIED = "\ue007", "\ue008"
#: the words of the question
ECHO = "\ue009"
ANY = f"[{LETTERS}{WORDS}{NOTHING_TELLS}]"
#: anything but a letter, a digit or a mention
GAP = r"[^\w\ue000-\ue009]"
PACKAGE = "genderscope.measures.bbq"


@cache
def name_genders() -> dict[str, str]:
    """Return the gender that a first name suggests, for common ones."""
    with files(PACKAGE).joinpath("names.tsv").open(encoding="utf-8") as file:
        return {row["name"]: row["gender"] for row in csv.DictReader(file, delimiter="\t")}


def languages() -> list[str]:
    """Return the languages whose answers can be read."""
    return list(dict.fromkeys(language for language, _ in word_table(PACKAGE, "words.tsv")))


@cache
def lists(language: str, what: str) -> list[str]:
    """Return the patterns of a category, one per line of the table."""
    return [pattern.replace("@", ANY) for pattern in word_table(PACKAGE, "words.tsv").get((language, what), [])]


def words(language: str, what: str) -> str:
    """Return the pattern of a category; one that never matches if the language has no such words."""
    return f"(?:{'|'.join(lists(language, what) or [NOTHING])})"


@cache
def pattern(language: str, before: str, what: str, after: str = "") -> re.Pattern[str]:
    r"""Compile the words of a category between two patterns, at word boundaries."""
    return re.compile(rf"{before}(?<!\w){words(language, what)}(?!\w){after}", re.IGNORECASE)
