"""EuroGEST samples: GEST in 29 more languages, as masculine/feminine pairs or gender-neutral sentences.

Each row of the two files corresponds to a row of GEST 1.1 and has, in each language, a pair, a neutral sentence, or
neither.
"""

import csv
import hashlib
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from genderscope.core.errors import UserError, unknown
from genderscope.core.languages import LANGUAGES, language_code, require_language, suggested_language
from genderscope.core.tables import decoded
from genderscope.samples import fetch
from genderscope.samples.dataset import OwnRow, SampleDataset, SampleSet, resource_rows, single_spaced
from genderscope.samples.gest import GEST, STEREOTYPES, GestSample, stereotype_of
from genderscope.samples.registry import dataset

PAIRS = "eurogest/gest_translations_gender_sensitive.csv"
NEUTRAL = "eurogest/gest_translations_gender_insensitive.csv"

#: Maltese words that must be followed by an apostrophe and a noun, so that no complete sentence ends with them
_CUT = re.compile(r"(?:^|\s)(?:ta|ma|sa|b|f|m|x|l)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class EuroSentence:
    """A sentence that does not reveal the speaker's gender; `row` is its row in GEST 1.1."""

    row: int
    text: str
    stereotype: int
    source: str


@dataclass(frozen=True, slots=True)
class EuroPair:
    """The masculine and feminine forms of a sentence."""

    row: int
    male: str
    female: str
    stereotype: int
    source: str


OWN_PAIRS: SampleDataset[tuple[str, EuroPair]] = SampleDataset(
    columns=("language", "male", "female", "stereotype"),
    noun="pairs",
    same=lambda pair: (pair[0], replace(pair[1], row=0, source="")),
)


@dataclass(frozen=True)
class EuroGestData:
    """EuroGEST's pairs and neutral sentences by language, with name and checksum."""

    name: str
    sha256: str
    pairs: Mapping[str, Sequence[EuroPair]]
    neutral: Mapping[str, Sequence[EuroSentence]]
    duplicates: int = 0  # number of duplicate rows in the user's own file


def languages() -> tuple[str, ...]:
    """Return the codes of EuroGEST's thirty languages, English first."""
    return tuple(sorted(scaffolds(), key=lambda code: (code != "en", code)))


def load() -> EuroGestData:
    """Load both files; English uses GEST's own sentences, none of which reveals the speaker's gender."""
    released = dataset("eurogest")
    gendered, plain = fetch.read(released.file(PAIRS)), fetch.read(released.file(NEUTRAL))
    return parse(gendered, plain)


def neutral_samples(language: str) -> SampleSet[GestSample]:
    """Return a language's gender-neutral sentences as GEST samples."""
    require_language("language of EuroGEST", language, languages())
    rows = (GestSample(row.row, row.text, row.stereotype) for row in load().neutral[language])
    return GEST.loaded(f"eurogest-{language}", dataset("eurogest").file(NEUTRAL).sha256, rows)


@lru_cache(maxsize=1)
def parse(gendered: bytes, plain: bytes) -> EuroGestData:
    """Parse both files, skipping unusable cells; cached per process."""
    return EuroGestData("eurogest", hashlib.sha256(gendered + plain).hexdigest(), _pairs(gendered), _neutral(plain))


def is_cut(text: str, language: str) -> bool:
    """Return whether a sentence is truncated: many Maltese cells end where an apostrophe should follow."""
    return language == "mt" and _CUT.search(text) is not None


def load_own(path: str, keep_duplicates: bool = False) -> EuroGestData:
    """Load the user's own pairs; pairs with the same source in several languages share a row number."""
    file = OWN_PAIRS.opened(path)
    parsed = OWN_PAIRS.own(file, ((_language(row), _own(row)) for row in file), keep_duplicates)
    pairs: dict[str, list[EuroPair]] = {}
    numbers: dict[tuple[str, int], int] = {}
    taken: set[tuple[str, int]] = set()
    for language, pair in parsed.samples:
        number = numbers.setdefault((pair.source, pair.stereotype), pair.row) if pair.source else pair.row
        if (language, number) in taken:
            number = pair.row
        taken.add((language, number))
        pairs.setdefault(language, []).append(replace(pair, row=number))
    return EuroGestData(file.name, file.sha256, pairs, {}, parsed.duplicates)


def _language(row: OwnRow) -> str:
    code = language_code(row.text("language"))
    if code not in LANGUAGES:
        raise UserError(f"{row.where}: {unknown('language', code, LANGUAGES, suggested_language(code, LANGUAGES))}")
    return code


def _own(row: OwnRow) -> EuroPair:
    male, female = (single_spaced(row.text(column)) for column in ("male", "female"))
    if not male or not female:
        raise row.error("one of the two sentences is empty; fill it in or remove the row")
    if male == female:
        raise row.error("the two sentences are the same; a pair must differ in the speaker's gender")
    stereotype = stereotype_of(row.text("stereotype"), row.where)
    return EuroPair(row.line, male, female, stereotype, row.cells.get("source") or "")


def _pairs(content: bytes) -> dict[str, list[EuroPair]]:
    rows = _rows(content, "EuroGEST's pairs")
    names, forms = next(rows), next(rows)
    columns: dict[str, dict[str, int]] = {}
    for k, (name, form) in enumerate(zip(names, forms, strict=True)):
        if (code := _codes().get(name)) is not None:
            columns.setdefault(code, {})[form] = k
    pairs: dict[str, list[EuroPair]] = {code: [] for code in columns}
    for row in rows:
        stereotype = _stereotype(row[-1])
        for code, at in columns.items():
            male, female = (single_spaced(row[at[form]]) for form in ("the man said", "the woman said"))
            if stereotype is not None and _has_words(male) and _has_words(female) and male != female:
                pairs[code].append(EuroPair(int(row[0]), male, female, stereotype, row[1]))
    return pairs


def _neutral(content: bytes) -> dict[str, list[EuroSentence]]:
    rows = _rows(content, "EuroGEST's neutral sentences")
    header = ["English" if name == "GEST_sentence" else name for name in next(rows)]
    columns = {_codes()[name]: k for k, name in enumerate(header) if name in _codes()}
    sentences: dict[str, list[EuroSentence]] = {code: [] for code in columns}
    for row in rows:
        stereotype = _stereotype(row[-1])
        for code, k in columns.items():
            text = single_spaced(row[k])
            if stereotype is not None and _has_words(text):
                sentences[code].append(EuroSentence(int(row[0]), text, stereotype, row[header.index("English")]))
    return sentences


def _rows(content: bytes, where: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(decoded(content, where), newline=""))


def _has_words(text: str) -> bool:
    return re.search(r"[^\W\d_]", text) is not None


def _stereotype(cell: str) -> int | None:
    """Parse a stereotype number as written by pandas (9 or 9.0); return None if it is missing."""
    number = cell.strip().removesuffix(".0")
    return int(number) if number.isdecimal() and int(number) in STEREOTYPES else None


@cache
def _codes() -> dict[str, str]:
    """Map the English names of EuroGEST's languages to their codes."""
    return {LANGUAGES[code].name: code for code in scaffolds()}


@dataclass(frozen=True, slots=True)
class Scaffold:
    """The frame around a neutral sentence: quotation marks, and masculine and feminine attributions ("he said")."""

    opening: str
    closing: str
    pronoun: tuple[str, str]
    noun: tuple[str, str]

    def words(self, condition: str) -> tuple[str, str]:
        """Return the masculine and feminine attributions for a condition."""
        return self.pronoun if condition == "pronoun" else self.noun

    @property
    def usual(self) -> str:
        """The default condition for neutral sentences: the pronoun if it is gendered, else the noun."""
        return "pronoun" if self.pronoun[0] != self.pronoun[1] else "noun"


@cache
def scaffolds() -> dict[str, Scaffold]:
    """Load each language's scaffold."""
    return {
        row["language"]: Scaffold(
            row["opening"],
            row["closing"],
            (row["he said"], row["she said"]),
            (row["the man said"], row["the woman said"]),
        )
        for row in resource_rows("scaffolds.csv")
    }
