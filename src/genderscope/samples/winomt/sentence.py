"""A WinoMT sentence with the two people in it, and sets of such sentences."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from genderscope.samples.subsampling import by_stratum, limits

Gender = Literal["masculine", "feminine", "neutral"]
Stereotype = Literal["pro", "anti", ""]

GENDERS: tuple[Gender, ...] = ("masculine", "feminine", "neutral")
STEREOTYPES: tuple[Stereotype, ...] = ("pro", "anti")
#: a person without an occupation
SOMEONE = "someone"
#: between the two people in the name of a pair
JOINER = "+"


@dataclass(frozen=True, slots=True)
class WinoMtSentence:
    """An English sentence about two people; the pronoun shows the gender of one of them.

    `entity` is the person whom the pronoun refers to, `other` the second person (empty if there is none). `stereotype`
    says whether the gender agrees with the stereotype of the occupation; it is empty if that is not known. Sentences
    that differ only in the pronoun have the same `twin`.
    """

    #: zero-based index in the data
    number: int
    source: str
    entity: str
    other: str
    gender: Gender
    stereotype: Stereotype
    twin: str

    @property
    def pair(self) -> str:
        """The names of the two people in alphabetical order: `designer+developer`."""
        return JOINER.join(sorted(filter(None, {self.entity, self.other})))

    @property
    def item(self) -> str:
        """The id of the English sentence, shared by repetitions of it."""
        return hashlib.sha256(self.source.rstrip().encode("utf-8", "surrogatepass")).hexdigest()[:12]


@dataclass(frozen=True)
class WinoMtSet:
    """Sentences with their name and checksum."""

    name: str
    sha256: str
    sentences: tuple[WinoMtSentence, ...]
    duplicates: int = 0  # number of duplicate rows in the user's own file
    every: tuple[WinoMtSentence, ...] = ()  # all rows of the user's own file, if duplicates were dropped

    @property
    def sources(self) -> list[str]:
        """The sources in the order expected of a file of translations, including duplicates."""
        return [sentence.source for sentence in self.every or self.sentences]


def limited(found: WinoMtSet, limit: int | None) -> WinoMtSet:
    """Subsample `limit` sentences, stratified by gender and stereotype; twins stay together, except the last ones."""
    if limit is None or not limits(found.sentences, limit):
        return found
    groups: dict[str, list[WinoMtSentence]] = {}
    for sentence in found.sentences:
        groups.setdefault(sentence.twin or f"#{sentence.number}", []).append(sentence)
    chosen: list[WinoMtSentence] = []
    count = limit * len(groups) // len(found.sentences)
    while len(chosen) < limit:
        count += 1
        kept = by_stratum(tuple(groups.values()), count, lambda group: (len(group), group[0].gender))
        chosen = [sentence for group in kept for sentence in group]
    in_order = sorted(chosen[:limit], key=lambda sentence: sentence.number)
    return replace(found, name=f"{found.name}:{limit}", sentences=tuple(in_order), every=())


def find_other(source: str, entity: str, people: tuple[str, ...]) -> str:
    """Return the first of the people in a sentence who is not the entity; empty if there is none."""
    return next((person for person in _finder(people).findall(source.lower()) if person != entity), "")


def tell_apart(sentences: Iterable[WinoMtSentence]) -> list[WinoMtSentence]:
    """Append spaces to repeated sources, since a file may translate each occurrence differently."""
    seen: Counter[str] = Counter()
    found = []
    for sentence in sentences:
        found.append(replace(sentence, source=sentence.source + " " * seen[sentence.source]))
        seen[sentence.source] += 1
    return found


@cache
def _finder(people: tuple[str, ...]) -> re.Pattern[str]:
    """Compile a pattern for any of the people, longer names first."""
    names = sorted(people, key=lambda name: (-len(name), name))
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
