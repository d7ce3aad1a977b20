"""Word lists used to parse replies: tables of patterns by language, and files of English patterns.

The answers of `gest-chat` are parsed with `reply_words.csv`, in each supported language.

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
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

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
def word_table(package: str, name: str) -> dict[tuple[str, str], list[str]]:
    """Return the patterns of a table with the columns language, what and pattern, by language and what they are."""
    patterns: dict[tuple[str, str], list[str]] = {}
    with files(package).joinpath(name).open(encoding="utf-8") as file:
        is_tsv = name.endswith(".tsv")
        reader = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if is_tsv else csv.DictReader(file)
        for row in reader:
            patterns.setdefault((row["language"], row["what"]), []).append(row["pattern"])
    return patterns


@cache
def toml_file(package: str, name: str) -> dict[str, Any]:
    """Return the content of a TOML file next to a package's modules."""
    return tomllib.loads(files(package).joinpath(name).read_text(encoding="utf-8"))


def patterns_in(package: str, name: str) -> dict[str, re.Pattern[str]]:
    """Compile the patterns of a TOML file: alternatives under `words`, which match whole words, or `patterns`."""
    tables = toml_file(package, name)
    words = {what: rf"\b(?:{'|'.join(alternatives)})\b" for what, alternatives in tables.get("words", {}).items()}
    others = {what: "|".join(alternatives) for what, alternatives in tables.get("patterns", {}).items()}
    return {what: re.compile(text, re.IGNORECASE) for what, text in (words | others).items()}


@cache
def words_of(language: str) -> Words:
    """Return the patterns for a language; lead-in phrases always include the English ones."""
    table = word_table("genderscope.measures", "reply_words.csv")
    patterns = {what: listed for (code, what), listed in table.items() if code == language}
    if language != "en":
        patterns["lead"] = [*table["en", "lead"], *patterns.get("lead", [])]
    return Words(**{what: "|".join(listed) for what, listed in patterns.items()})
