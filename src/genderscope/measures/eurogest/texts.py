"""Texts to score: gendered pairs as they are, and neutral sentences in their language's scaffold."""

import csv
import io
import json
import re
import string
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from importlib.resources import files
from typing import Literal, NamedTuple

from genderscope.core.languages import LANGUAGES
from genderscope.samples import fetch
from genderscope.samples.eurogest import EuroGest, EuroPair, EuroSentence, Scaffold, is_cut, scaffolds
from genderscope.samples.registry import dataset

#: what alternates in a pair. adjective: the speaker's adjective, participle or past tense; noun: the speaker's noun, or
#: its article; other: a word about someone else; object: an object pronoun; wording: spelling, person, tense, synonyms
Class = Literal["adjective", "noun", "other", "object", "wording"]
SPEAKER: tuple[Class, ...] = ("adjective", "noun")
#: condition -> its number as a template in GEST's rates
CONDITIONS = {"gendered": 1, "pronoun": 2, "noun": 3}
GENDERED = "gendered"
#: the pronoun scaffold if the pronoun is gendered, otherwise the noun scaffold
SCAFFOLD = "scaffold"

#: languages whose quotation marks in 2025 differed from those in the file released in 2026
_QUOTED_2025 = {"en": ('"', '"'), "pt": ('"', ""), "hr": ("'", "',")}
_NOUN_2025 = frozenset({"et", "fi", "hu", "el", "es", "it"})
#: punctuation around a sentence
_AROUND = re.compile(r"\A[^\w\s]+|[^\w\s]+\Z")
_ENDED = re.compile(r"[.!?…][\"'”“»«’]*$")


class Sample(NamedTuple):
    """A male and a female text; `row` is the row in GEST, or the line in the user's own file."""

    row: int
    language: str
    condition: str
    male: str
    female: str
    stereotype: int
    source: str
    alternates: str | None = None


class Texts:
    """A builder of texts for each language, in the default format or as published in a given year."""

    def __init__(self, data: EuroGest, published: str | None, every_pair: bool) -> None:
        self._data = data
        self._published = published
        self._every_pair = every_pair
        #: number of sentences excluded because they are truncated
        self.cut = 0

    @cached_property
    def _scaffolds(self) -> Mapping[str, Scaffold]:
        """Scaffolds for neutral sentences, loaded lazily because the user's own data needs none."""
        return scaffolds() if self._published is None else published_scaffolds(self._published)

    def conditions(self, language: str) -> tuple[str, ...]:
        """Return the conditions for which the language has sentences, with the default ones first."""
        pairs = (GENDERED,) if self._data.pairs.get(language) else ()
        usual = self.usual(language)
        if usual is None:
            return pairs
        return (*pairs, usual, *(c for c in ("pronoun", "noun") if c != usual and self._tells(language, c)))

    def usual(self, language: str) -> str | None:
        """Return the default condition for the language's neutral sentences, or None if it has none."""
        if not self._data.neutral.get(language):
            return None
        if self._published is None:
            return self._scaffolds[language].usual
        if self._published == "2025":
            return "noun" if language in _NOUN_2025 else "pronoun"
        return "pronoun" if LANGUAGES[language].name in _configuration()["gendered_pronouns"] else "noun"

    def _tells(self, language: str, condition: str) -> bool:
        male, female = self._scaffolds[language].words(condition)
        return male != female

    def samples(self, language: str, condition: str) -> Iterator[Sample]:
        """Yield the samples for a language and condition."""
        for row in self.rows(language, condition):
            yield self.sample(language, condition, row)

    def rows(self, language: str, condition: str) -> Iterator[EuroPair | EuroSentence]:
        """Yield the data rows for a language and condition."""
        if condition == GENDERED:
            for pair in self._data.pairs.get(language, ()):
                kind = self._alternates(pair, language)
                wanted = kind is None or self._every_pair or kind in SPEAKER
                if wanted and not self._left_out(pair.male, language):
                    yield pair
            return
        for sentence in self._data.neutral.get(language, ()):
            if not self._left_out(sentence.text, language):
                yield sentence

    def sample(self, language: str, condition: str, row: EuroPair | EuroSentence) -> Sample:
        """Build the sample for a data row."""
        if isinstance(row, EuroPair):
            return self._of_pair(row, language, self._alternates(row, language))
        return self._of_sentence(row, language, condition)

    def _alternates(self, pair: EuroPair, language: str) -> Class | None:
        return alternates(language, pair.row) if self._data.neutral else None

    def _left_out(self, text: str, language: str) -> bool:
        """Return whether to exclude a truncated sentence, and count it; the authors kept such sentences."""
        left_out = self._published is None and is_cut(text, language)
        self.cut += left_out
        return left_out

    def _of_pair(self, pair: EuroPair, language: str, kind: Class | None) -> Sample:
        male, female = (self._form(each) for each in (pair.male, pair.female))
        return Sample(pair.row, language, GENDERED, male, female, pair.stereotype, pair.source, kind)

    def _form(self, text: str) -> str:
        # A form that is a prefix of the other would always be more likely, so both end in a full stop.
        if self._published is None:
            return text if _ENDED.search(text) else f"{text}."
        return text.rstrip(string.punctuation) if self._published == "2025" else text

    def _of_sentence(self, sentence: EuroSentence, language: str, condition: str) -> Sample:
        around = self._scaffolds[language]
        quoted = f"{around.opening}{_AROUND.sub('', sentence.text)}{around.closing}"
        male, female = around.words(condition)
        texts = self._said(f"{quoted} {male}"), self._said(f"{quoted} {female}")
        return Sample(sentence.row, language, condition, *texts, sentence.stereotype, sentence.source)

    def _said(self, text: str) -> str:
        if self._published is None:
            return f"{text}."
        return text.strip().rstrip(string.punctuation) if self._published == "2025" else text


@cache
def _classes() -> dict[tuple[str, int], Class]:
    """Return the class of released pairs whose alternating word is not the speaker's adjective or participle."""
    text = files("genderscope.measures.eurogest").joinpath("pairs.csv").read_text(encoding="utf-8")
    return {
        (row["language"], int(number)): row["class"]  # type: ignore[misc]
        for row in csv.DictReader(io.StringIO(text))
        for number in row["rows"].split()
    }


def alternates(language: str, row: int) -> Class:
    """Return the class of the alternating word in a released pair."""
    return _classes().get((language, row), "adjective")


def published_scaffolds(year: str) -> Mapping[str, Scaffold]:
    """Return the authors' own scaffolds; for English, which their files lack, the strings that they translated."""
    said, quoted = _released("prompt_scaffolds.json"), _released("punc_map.json")
    found = {}
    for code in scaffolds():
        name = LANGUAGES[code].name
        words = {key: said[key].get(name, key) for key in ("he said", "she said", "the man said", "the woman said")}
        opening, closing = quoted[name]
        if year == "2025":
            opening, closing = _QUOTED_2025.get(code, (opening, closing))
        pronoun = words["he said"], words["she said"]
        found[code] = Scaffold(opening, closing, pronoun, (words["the man said"], words["the woman said"]))
    return found


def _configuration() -> Mapping[str, Sequence[str]]:
    found: Mapping[str, Sequence[str]] = _released("language_test_configs.json")["language_types"]
    return found


@cache
def _parsed(content: bytes) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads(content)
    return found


def _released(name: str) -> dict[str, dict[str, str]]:
    return _parsed(fetch.read(dataset("eurogest-scaffolds").file(f"eurogest/{name}")))
