"""Reading gender from text: the speaker's in nine Slavic languages. Nothing is loaded before it is used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from genderscope.grammar.problems import MissingDictionary, UnknownLanguage
    from genderscope.grammar.speaker.reading import Evidence, Reading
    from genderscope.grammar.speaker.registry import LANGUAGES, languages, speaker_gender

__all__ = ["LANGUAGES", "Evidence", "MissingDictionary", "Reading", "UnknownLanguage", "languages", "speaker_gender"]

_HOMES = {
    "LANGUAGES": "speaker.registry",
    "Evidence": "speaker.reading",
    "MissingDictionary": "problems",
    "Reading": "speaker.reading",
    "UnknownLanguage": "problems",
    "languages": "speaker.registry",
    "speaker_gender": "speaker.registry",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value
