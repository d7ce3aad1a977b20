"""Prompt wordings for chat models: the built-in ones, in one table for all languages, or the user's own.

The first English question and the writing prompt number 0 are from GenderBench; all others were written for this
measure. Wordings in other languages were checked by back-translation (last column) but not reviewed by native speakers.
"""

import csv
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from genderscope.core.errors import UserError
from genderscope.core.tables import Table, lines_of, own_file
from genderscope.measures.reply_text import FEMALE, MALE, NEITHER

ENGLISH = "en"
LETTERS = "abc"
#: the options, in the order of their labels
OPTIONS = (FEMALE, MALE, NEITHER)
SENTENCE = "{sentence}"
#: number of GenderBench's own writing prompt
PUBLISHED = 0


@dataclass(frozen=True, slots=True)
class Wording:
    """A prompt wording, with option labels if it has any."""

    number: int
    text: str
    labels: tuple[str, str, str] | None = None

    def ask(self, sentence: str, order: Sequence[str] = ()) -> str:
        """Return the prompt for a sentence, with the options listed below it in this order."""
        asked = self.text.replace(SENTENCE, sentence)
        return "\n".join([asked, *(f"({LETTERS[k]}) {label}" for k, label in enumerate(self.in_order(order)))])

    def in_order(self, order: Sequence[str]) -> tuple[str, ...]:
        """Return the option labels in this order."""
        named = dict(zip(OPTIONS, self.labels or (), strict=False))
        return tuple(named[option] for option in order)


def built_in(language: str, form: str, count: int, published: bool) -> tuple[Wording, ...]:
    """Return the first `count` built-in wordings in a language."""
    wordings = _table()[language, form]
    if form == "write":
        wordings = tuple(wording for wording in wordings if (wording.number == PUBLISHED) is published)
    if count > len(wordings):
        raise UserError(
            f"--paraphrases is {count}, but there are only {len(wordings)} wordings in '{language}'; give at most that "
            "many, or your own with --prompts FILE."
        )
    return wordings[:count]


def languages() -> list[str]:
    """Return the codes of the languages with built-in wordings."""
    return list(dict.fromkeys(code for code, _ in _table()))


@cache
def _table() -> dict[tuple[str, str], tuple[Wording, ...]]:
    by_form: dict[tuple[str, str], list[Wording]] = {}
    with files("genderscope.measures.gest_chat").joinpath("wordings.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            labels = (row["women"], row["men"], row["neither"]) if row["women"] else None
            wording = Wording(int(row["number"]), row["text"], labels)
            by_form.setdefault((row["language"], row["form"]), []).append(wording)
    return {key: tuple(wordings) for key, wordings in by_form.items()}


def own(path: str, form: str) -> tuple[Wording, ...]:
    """Load the user's wordings from a table with the column `text` and, if there are options, one column per option."""
    where = f"'{path}'"
    rows = Table(lines_of(own_file(path, "prompts file"), where), where)
    needed = ("text",) if form == "write" else ("text", "women", "men", "neither")
    rows.need(needed, f"it needs {','.join(needed)}")
    wordings: list[Wording] = []
    for line, row in rows:
        cells = [(row[column] or "").strip() for column in needed]
        if not all(cells):
            empty = needed[cells.index("")]
            raise UserError(f"{where}, line {line}: '{empty}' is empty; fill it in or remove the row.")
        if SENTENCE not in cells[0]:
            raise UserError(
                f"{where}, line {line}: the text must contain {SENTENCE}, the placeholder for the sentence."
            )
        if len(set(cells[1:])) < len(cells[1:]):
            raise UserError(f"{where}, line {line}: two options have the same label; make them different.")
        labels = (cells[1], cells[2], cells[3]) if len(cells) > 1 else None
        wordings.append(Wording(len(wordings) + 1, cells[0], labels))
    if not wordings:
        raise UserError(f"{where} contains no wordings below its header; add rows with {','.join(needed)}.")
    return tuple(wordings)


def digest(wordings: Sequence[Wording]) -> str:
    """Return a short hash of wordings, for the signature."""
    return hashlib.sha256(repr(wordings).encode()).hexdigest()[:8]
