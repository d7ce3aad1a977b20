"""Serbian: read as Croatian is, after words in Cyrillic have been written in Latin letters."""

from __future__ import annotations

from collections.abc import Callable

from genderscope.grammar.reading import Reading
from genderscope.grammar.speaker.serbocroatian import shared_reader
from genderscope.grammar.text import lookup_key

_LATIN = str.maketrans(
    dict(zip("абвгдђежзијклмнопрстћуфхцчш", "abvgdđežzijklmnoprstćufhcčš", strict=True))
    | {"љ": "lj", "њ": "nj", "џ": "dž"}
)


def latin_key(word: str) -> str:
    """The form a word is looked up under, in Latin letters whichever script it was written in."""
    return lookup_key(word).translate(_LATIN)


def reader() -> Callable[[str], Reading]:
    """The function that reads a Serbian text in either script."""
    return shared_reader("sr", latin_key)
