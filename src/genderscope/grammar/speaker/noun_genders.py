"""What gender a noun has, by its determiner or its ending: an adjective of the other gender is not the noun's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

# Bits, since a clause may hold nouns of both; a plural noun is no singular adjective's.
MASCULINE, FEMININE, PLURAL, TIME = 1, 2, 4, 8
UNKNOWN = MASCULINE | FEMININE


class NounGenders(NamedTuple):
    """What determiners, and contractions of prepositions with them, show, and what endings of nouns do."""

    determiners: dict[str, int]
    endings: tuple[tuple[tuple[str, ...], int], ...]
    #: "the day", which one spends in a state
    times: frozenset[str] = frozenset()

    def of(self, noun: str, capital: bool, shown: int) -> int:
        """The genders a noun may have; a name may have any."""
        if shown:
            return shown
        if not capital:
            for endings, gender in self.endings:
                if noun.endswith(endings):
                    return gender
        return UNKNOWN


def noun_genders(masculine: str, feminine: str, plural: str, *endings: tuple[str, int]) -> NounGenders:
    """From determiners and endings, written one after another; the first ending that fits counts."""
    return NounGenders(
        {word: gender for words, gender in _sided(masculine, feminine, plural) for word in words.split()},
        tuple((tuple(listed.split()), gender) for listed, gender in endings),
    )


def _sided(masculine: str, feminine: str, plural: str) -> Iterable[tuple[str, int]]:
    return (masculine, MASCULINE), (feminine, FEMININE), (plural, PLURAL)
