"""Which languages can be read, and the one function that reads them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from .problems import UnknownLanguage
from .reading import Reading

# Language code → module of this package that has ``reader() -> Callable[[str], Reading]``.
LANGUAGES: dict[str, str] = {
    "be": "be",
    "cs": "cs",
    "hr": "hr",
    "pl": "pl",
    "ru": "ru",
    "sk": "sk",
    "sl": "sl",
    "sr": "sr",
    "uk": "uk",
}


def speaker_gender(text: str, language: str) -> Reading:
    """The gender that a text in the first person gives its speaker, with the words that show it."""
    return _reader(language)(text)


@cache
def _reader(language: str) -> Callable[[str], Reading]:
    if language not in LANGUAGES:
        raise UnknownLanguage(language, LANGUAGES)
    module = import_module(f".{LANGUAGES[language]}", __package__)
    reader: Callable[[str], Reading] = module.reader()
    return reader
