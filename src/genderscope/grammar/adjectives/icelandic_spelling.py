"""Misspelt Icelandic adjectives: a one-letter error hides the word, but seldom its gender."""

from collections.abc import Iterator
from functools import lru_cache

from genderscope.grammar.adjectives.data import word_lists
from genderscope.grammar.adjectives.dictionaries import icelandic_inflections

WORDS = word_lists("is")
# Pairs of letters that are often confused: a missing accent, a missing vowel change, d for ð.
_ALIKE = WORDS["alike_letters"]
_VOWELS = frozenset("aáeéiíoóuúyýæö")
_LONGEST = 30


@lru_cache(maxsize=4096)
def meant_marks(word: str) -> list[str]:
    """Return the grammatical tags of listed adjectives that an unknown word may be a misspelling of."""
    if len(word) > _LONGEST:
        return []
    marks: list[str] = []
    for spelling in set(_spellings(word)):
        _, entries = icelandic_inflections().lookup(spelling)
        marks += [entry.mark for entry in entries if entry.ofl == "lo" and entry.bin_id]
    return marks


def _spellings(word: str) -> Iterator[str]:
    """Yield variants of the word with one letter replaced by a similar one, doubled, undoubled or inserted."""
    for index, letter in enumerate(word):
        before, after = word[:index], word[index + 1 :]
        for pair in _ALIKE:
            if letter in pair:
                yield before + pair.replace(letter, "") + after
        if letter not in _VOWELS:
            yield word[:index] + letter + word[index:]
            if after.startswith(letter):
                yield before + after
    if word[-1:] == "n" and word[-2:-1] not in _VOWELS:
        yield word[:-1] + "in"  # skrítn for skrítin
    if word.startswith("un"):
        yield "ó" + word[2:]  # ungift for ógift
    if word[-1:] not in _VOWELS:
        yield word.replace("g", "gj", 1)  # metnaðargörn for metnaðargjörn
