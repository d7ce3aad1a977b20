"""An English sentence about people of unknown gender, and sets of such sentences."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from genderscope.samples.subsampling import by_stratum, limits

Role = Literal["subject", "object", "possessor", "other"]
Kind = Literal["profession", "family", "other"]

ROLES: tuple[Role, ...] = ("subject", "object", "possessor", "other")
KINDS: tuple[Kind, ...] = ("profession", "family", "other")


@dataclass(frozen=True, slots=True)
class GatePerson:
    """A person whose gender the sentence does not reveal.

    `masculine` and `feminine` are parallel: the words with which the reference translations name the person, the noun
    first, then the words that agree with it. Both are empty if there is no reference.
    """

    #: as the sentence names the person: "doctor", "police officers"
    entity: str
    role: Role
    kind: Kind
    plural: bool
    masculine: tuple[str, ...] = ()
    feminine: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GateSentence:
    """One sentence to translate into one language."""

    #: zero-based index in the data
    number: int
    source: str
    language: str
    people: tuple[GatePerson, ...]

    @property
    def item(self) -> str:
        """The id of the English sentence, shared across target languages."""
        return hashlib.sha256(self.source.rstrip().encode("utf-8", "surrogatepass")).hexdigest()[:12]


@dataclass(frozen=True)
class GateSet:
    """Sentences with their name and checksum."""

    name: str
    sha256: str
    sentences: tuple[GateSentence, ...]
    #: reason -> number of released people or sentences that were left out
    left_out: Mapping[str, int] = field(default_factory=dict)
    duplicates: int = 0  # number of duplicate rows in the user's own file

    def sources(self, language: str) -> list[str]:
        """Return a language's sources in the order of the data."""
        return [sentence.source for sentence in self.sentences if sentence.language == language]


def limited(found: GateSet, limit: int | None) -> GateSet:
    """Subsample `limit` sentences per language, in proportion to the number of people and the role of the first."""
    languages = dict.fromkeys(sentence.language for sentence in found.sentences)
    kept: list[GateSentence] = []
    for language in languages:
        mine = [sentence for sentence in found.sentences if sentence.language == language]
        kept += by_stratum(mine, limit, lambda s: (len(s.people), s.people[0].role))
    if not limits(found.sentences, len(kept)):
        return found
    return replace(found, name=f"{found.name}:{limit}", sentences=tuple(kept))
