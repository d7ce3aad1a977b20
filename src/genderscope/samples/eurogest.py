"""EuroGEST: GEST 1.1 in 29 languages, machine-translated once as a man's words and once as a woman's.

Where both translations are the same the sentence shows no gender (`neutral`); where they differ in one word it is a
pair. A sentence may be missing in a language; some rows have no stereotype and are left out.
"""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass

from genderscope.errors import unknown
from genderscope.languages import LANGUAGES
from genderscope.samples import fetch
from genderscope.samples.gest import STEREOTYPES, GestSample, GestSamples
from genderscope.samples.registry import dataset

_NEUTRAL = "eurogest/gest_translations_gender_insensitive.csv"
_PAIRS = "eurogest/gest_translations_gender_sensitive.csv"

#: how the files name the languages that `languages.py` does not know, or names otherwise
NAMES = {
    **{code: language.name for code, language in LANGUAGES.items()},
    **{"ca": "Catalan", "et": "Estonian", "fi": "Finnish", "ga": "Irish", "gl": "Galician", "el": "Greek"},
    **{"hu": "Hungarian", "lt": "Lithuanian", "lv": "Latvian", "mt": "Maltese", "tr": "Turkish"},
}


@dataclass(frozen=True, slots=True)
class EuroGestSample:
    """A sentence in one language; cells that the data leaves empty are None."""

    index: int
    english: str
    stereotype: int
    neutral: str | None
    masculine: str | None
    feminine: str | None


def languages() -> list[str]:
    """Return the codes of the languages, in the order of the data."""
    header = next(_table(_NEUTRAL))
    codes = {name: code for code, name in NAMES.items()}
    return [codes[name] for name in header if name in codes and name != "English"]


def load(language: str) -> tuple[EuroGestSample, ...]:
    """Return all rows that the data has in a language."""
    if language not in (known := languages()):
        raise unknown("language of EuroGEST", language, known)
    neutral = dict(_cells(_NEUTRAL, language))
    pairs = dict(_cells(_PAIRS, language))
    found = []
    for key in dict.fromkeys([*neutral, *pairs]):
        plain, both = neutral.get(key, ("",))[0], (pairs.get(key) or ("", ""))[:2]
        if plain or all(both):
            index, english, stereotype = key
            shown = (plain or None, *(cell or None for cell in both))
            found.append(EuroGestSample(index, english, stereotype, *shown))
    return tuple(sorted(found, key=lambda sample: sample.index))


def neutral_samples(language: str) -> GestSamples:
    """Return the sentences that show no gender in a language, as samples of GEST."""
    if language not in (known := languages()):
        raise unknown("language of EuroGEST", language, known)
    rows = (GestSample(key[0], cell, key[2]) for key, (cell, *_) in _cells(_NEUTRAL, language) if cell)
    return GestSamples(f"eurogest-{language}", dataset("eurogest").file(_NEUTRAL).sha256, tuple(rows))


def _table(path: str) -> Iterator[list[str]]:
    content = fetch.read(dataset("eurogest").file(path)).decode("utf-8")
    return csv.reader(io.StringIO(content, newline=""))


def _cells(path: str, language: str) -> Iterator[tuple[tuple[int, str, int], tuple[str, ...]]]:
    """Yield (number, English, stereotype) and the cells of a language; rows without a stereotype are passed over."""
    rows = _table(path)
    header = next(rows)
    columns = [k for k, name in enumerate(header) if name == NAMES[language]]
    for row in rows:
        number = row[-1].removesuffix(".0")
        if row[0].isdecimal() and number.isdecimal() and int(number) in STEREOTYPES:
            yield (int(row[0]), row[1], int(number)), tuple(row[k].strip() for k in columns)
