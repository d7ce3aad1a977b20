"""EuroGEST samples: GEST in 29 more languages, as pairs of a man's and a woman's form or as sentences without gender.

Each row of the two files is a row of GEST 1.1. In a language it has a pair, a neutral sentence, or neither.
"""

import csv
import hashlib
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path

from genderscope.errors import UserError, unknown
from genderscope.languages import LANGUAGES
from genderscope.samples import fetch
from genderscope.samples.gest import STEREOTYPES, GestSample, GestSamples, stereotype_of
from genderscope.samples.registry import dataset
from genderscope.tables import Table, decoded, lines_of, own_file, without_repetitions

PAIRS = "eurogest/gest_translations_gender_sensitive.csv"
NEUTRAL = "eurogest/gest_translations_gender_insensitive.csv"
#: the columns of a file of own pairs
COLUMNS = ("language", "male", "female", "stereotype")

#: words and letters that no Maltese sentence ends with, for an apostrophe and a noun follow them
_CUT = re.compile(r"(?:^|\s)(?:ta|ma|sa|b|f|m|x|l)$", re.IGNORECASE)

#: why a cell is not used
NO_STEREOTYPE = "the row has no stereotype"
ONE_FORM = "one of the two forms is missing"
SAME_FORMS = "the two forms are the same"
NO_WORDS = "the cell holds no words"


@dataclass(frozen=True, slots=True)
class EuroSentence:
    """A sentence that says nothing about the speaker's gender; `row` is its row in GEST 1.1."""

    row: int
    text: str
    stereotype: int
    source: str


@dataclass(frozen=True, slots=True)
class EuroPair:
    """The same sentence as said by a man and by a woman."""

    row: int
    male: str
    female: str
    stereotype: int
    source: str


@dataclass(frozen=True)
class EuroGest:
    """Both files, by language, and what identifies them."""

    name: str
    sha256: str
    pairs: Mapping[str, Sequence[EuroPair]]
    neutral: Mapping[str, Sequence[EuroSentence]]
    #: language and reason -> how many cells are not used
    unused: Mapping[tuple[str, str], int]
    #: how many rows have no stereotype
    without_stereotype: int = 0
    #: how many rows of the user's own file repeat another
    duplicates: int = 0


def languages() -> tuple[str, ...]:
    """Return the codes of EuroGEST's thirty languages, English first."""
    return tuple(sorted(scaffolds(), key=lambda code: (code != "en", code)))


def load() -> EuroGest:
    """Load both files; English has GEST's own sentences, none of which tells the speaker's gender."""
    known = dataset("eurogest")
    gendered, plain = fetch.read(known.file(PAIRS)), fetch.read(known.file(NEUTRAL))
    return parse(gendered, plain)


def neutral_samples(language: str) -> GestSamples:
    """Return the sentences that show no gender in a language, as samples of GEST."""
    if language not in languages():
        raise unknown("language of EuroGEST", language, languages())
    rows = tuple(GestSample(row.row, row.text, row.stereotype) for row in load().neutral[language])
    return GestSamples(f"eurogest-{language}", dataset("eurogest").file(NEUTRAL).sha256, rows)


@lru_cache(maxsize=1)
def parse(gendered: bytes, plain: bytes) -> EuroGest:
    """Read the two files, once a process; cells that cannot be used are counted by language and reason."""
    unused: Counter[tuple[str, str]] = Counter()
    pairs = _pairs(gendered, unused)
    neutral = _neutral(plain, unused)
    digest = hashlib.sha256(gendered + plain).hexdigest()
    return EuroGest("eurogest", digest, pairs, neutral, unused, _without_stereotype(gendered))


def _without_stereotype(content: bytes) -> int:
    rows = list(_rows(content, "EuroGEST's pairs"))
    return sum(_stereotype(row[-1]) is None for row in rows[2:])


def is_cut(text: str, language: str) -> bool:
    """Tell whether a sentence was cut off: many Maltese cells end at an apostrophe, behind a word that takes one."""
    return language == "mt" and _CUT.search(text) is not None


def load_own(path: str, keep_duplicates: bool = False) -> EuroGest:
    """Load a file of the user's own pairs with the columns language,male,female,stereotype (and source).

    Pairs with the same source in several languages are translations of one sentence and have one row number.
    """
    content = own_file(path, "data file")
    rows = Table(lines_of(content, f"'{path}'"), f"'{path}'")
    rows.need(COLUMNS, f"it needs {','.join(COLUMNS)}")
    found = [(_language(row["language"], f"'{path}', line {line}"), _own(row, line, path)) for line, row in rows]
    if not found:
        raise UserError(f"'{path}' holds no pairs below its header; add rows of {','.join(COLUMNS)}.")
    once, duplicates = without_repetitions(found, lambda each: (each[0], replace(each[1], row=0, source="")))
    pairs: dict[str, list[EuroPair]] = {}
    numbers: dict[tuple[str, int], int] = {}
    taken: set[tuple[str, int]] = set()
    for language, pair in found if keep_duplicates else once:
        number = numbers.setdefault((pair.source, pair.stereotype), pair.row) if pair.source else pair.row
        if (language, number) in taken:
            number = pair.row
        taken.add((language, number))
        pairs.setdefault(language, []).append(replace(pair, row=number))
    return EuroGest(Path(path).name, hashlib.sha256(content).hexdigest(), pairs, {}, {}, duplicates=duplicates)


def _language(cell: str | None, where: str) -> str:
    code = (cell or "").strip()
    if code not in LANGUAGES:
        raise UserError(f"{where}: {unknown('language', code, LANGUAGES)}")
    return code


def _own(row: dict[str, str | None], line: int, path: str) -> EuroPair:
    where = f"'{path}', line {line}"
    male, female = (" ".join((row[column] or "").split()) for column in ("male", "female"))
    if not male or not female:
        raise UserError(f"{where}: one of the two sentences is empty; fill it in or remove the row.")
    if male == female:
        raise UserError(f"{where}: the two sentences are the same; a pair must differ in the speaker's gender.")
    return EuroPair(line, male, female, stereotype_of(row["stereotype"], where), row.get("source") or "")


def _pairs(content: bytes, unused: Counter[tuple[str, str]]) -> dict[str, list[EuroPair]]:
    rows = _rows(content, "EuroGEST's pairs")
    names, forms = next(rows), next(rows)
    columns: dict[str, dict[str, int]] = {}
    for k, (name, form) in enumerate(zip(names, forms, strict=True)):
        if (code := _codes().get(name)) is not None:
            columns.setdefault(code, {})[form] = k
    found: dict[str, list[EuroPair]] = {code: [] for code in columns}
    for row in rows:
        stereotype = _stereotype(row[-1])
        for code, at in columns.items():
            male, female = (" ".join(row[at[form]].split()) for form in ("the man said", "the woman said"))
            if not male and not female:
                continue
            if reason := _fault(male, female, stereotype):
                unused[code, reason] += 1
            else:
                found[code].append(EuroPair(int(row[0]), male, female, stereotype or 0, row[1]))
    return found


def _neutral(content: bytes, unused: Counter[tuple[str, str]]) -> dict[str, list[EuroSentence]]:
    rows = _rows(content, "EuroGEST's neutral sentences")
    header = ["English" if name == "GEST_sentence" else name for name in next(rows)]
    columns = {_codes()[name]: k for k, name in enumerate(header) if name in _codes()}
    found: dict[str, list[EuroSentence]] = {code: [] for code in columns}
    for row in rows:
        stereotype = _stereotype(row[-1])
        for code, k in columns.items():
            text = " ".join(row[k].split())
            if not row[k]:
                continue
            if stereotype is None or not _has_words(text):
                unused[code, NO_STEREOTYPE if stereotype is None else NO_WORDS] += 1
            else:
                found[code].append(EuroSentence(int(row[0]), text, stereotype, row[header.index("English")]))
    return found


def _rows(content: bytes, where: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(decoded(content, where), newline=""))


def _fault(male: str, female: str, stereotype: int | None) -> str | None:
    if stereotype is None:
        return NO_STEREOTYPE
    if not male or not female:
        return ONE_FORM
    if not _has_words(male) or not _has_words(female):
        return NO_WORDS
    return SAME_FORMS if male == female else None


def _has_words(text: str) -> bool:
    return re.search(r"[^\W\d_]", text) is not None


def _stereotype(cell: str) -> int | None:
    """Read a stereotype as pandas wrote it, 9 or 9.0; None where there is none."""
    number = cell.strip().removesuffix(".0")
    return int(number) if number.isdecimal() and int(number) in STEREOTYPES else None


@cache
def _codes() -> dict[str, str]:
    """English name -> code, of the languages that EuroGEST has."""
    return {LANGUAGES[code].name: code for code in scaffolds()}


@dataclass(frozen=True, slots=True)
class Scaffold:
    """What a neutral sentence is put into: quotation marks, and who said it; no `pronoun` where it tells nothing."""

    opening: str
    closing: str
    pronoun: tuple[str, str]
    noun: tuple[str, str]

    def words(self, condition: str) -> tuple[str, str]:
        """Return a man's and a woman's words in a condition."""
        return self.pronoun if condition == "pronoun" else self.noun

    @property
    def usual(self) -> str:
        """The condition that neutral sentences are asked in: the pronoun where it tells the gender, else the noun."""
        return "pronoun" if self.pronoun[0] != self.pronoun[1] else "noun"


@cache
def scaffolds() -> dict[str, Scaffold]:
    """Return the scaffold of each language, from the table that lies beside this file."""
    text = files("genderscope.samples").joinpath("scaffolds.csv").read_text(encoding="utf-8")
    return {
        row["language"]: Scaffold(
            row["opening"],
            row["closing"],
            (row["he said"], row["she said"]),
            (row["the man said"], row["the woman said"]),
        )
        for row in csv.DictReader(io.StringIO(text))
    }
