"""The released WinoMT sentences: 3,168 from WinoBias in pro- and anti-stereotypical versions, 720 from Winogender."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from genderscope.core.tables import decoded
from genderscope.samples import fetch
from genderscope.samples.parse_cache import cached
from genderscope.samples.registry import dataset
from genderscope.samples.winomt.sentence import (
    GENDERS,
    STEREOTYPES,
    Gender,
    Stereotype,
    WinoMtSentence,
    WinoMtSet,
    find_other,
    tell_apart,
)

WHOLE = "winomt/aggregates/en.txt"
PARTS: dict[Stereotype, str] = {part: f"winomt/aggregates/en_{part}.txt" for part in STEREOTYPES}
_RELEASED: dict[str, Gender] = dict(zip(("male", "female", "neutral"), GENDERS, strict=True))
_PRONOUN = re.compile(r"\b(?:s?he|him|his|himself|hers?|herself|they|them|theirs?|themselves)\b")
_BE = re.compile(r"\b(?:was|were|is|are|has|have)\b")  # agrees with “they”


class _Line(NamedTuple):
    gender: Gender
    source: str
    entity: str


@cached
def load_released() -> WinoMtSet:
    """Load the released sentences in the order of `en.txt`, to which released translations are aligned."""
    contents = {path: fetch.read(dataset("winomt").file(path)) for path in (WHOLE, *PARTS.values())}
    lines = _lines(contents[WHOLE], WHOLE)
    people = tuple(sorted({line.entity for line in lines}))
    labels = _labels([_lines(contents[path], path) for path in PARTS.values()])
    sentences: list[WinoMtSentence] = []
    triples: dict[str, str] = {}
    for number, line in enumerate(lines):
        label = next(labels.get(line, iter(())), None)
        stereotype, twin = label or ("", triples.setdefault(_without_pronoun(line), f"winogender {len(triples) + 1}"))
        other = find_other(line.source, line.entity, people)
        sentences.append(WinoMtSentence(number, line.source, line.entity, other, line.gender, stereotype, twin))
    return WinoMtSet("winomt", hashlib.sha256(b"".join(contents.values())).hexdigest(), tuple(tell_apart(sentences)))


def _lines(content: bytes, path: str) -> list[_Line]:
    found = []
    for row in decoded(content, path).splitlines():
        gender, _, source, entity = row.split("\t")
        found.append(_Line(_RELEASED[gender], source, entity.strip().lower()))
    return found


def _labels(parts: Sequence[Sequence[_Line]]) -> dict[_Line, Iterator[tuple[Stereotype, str]]]:
    """Return, for each line, the stereotype and the twin of each of its occurrences in the two parts.

    The two files are aligned. Two of their 1,584 lines do not match; they have no twin.
    """
    found: dict[_Line, list[tuple[Stereotype, str]]] = {}
    for place, both in enumerate(zip(*parts, strict=True)):
        matches = len({line.entity for line in both}) == 1 and len({line.gender for line in both}) == 2
        for stereotype, line in zip(STEREOTYPES, both, strict=True):
            found.setdefault(line, []).append((stereotype, f"winobias {place + 1}" if matches else ""))
    return {line: iter(labels) for line, labels in found.items()}


def _without_pronoun(line: _Line) -> str:
    """Return what the masculine, feminine and neutral versions of a Winogender sentence have in common."""
    return f"{line.entity}: {_BE.sub('be', _PRONOUN.sub('_', line.source))}"
