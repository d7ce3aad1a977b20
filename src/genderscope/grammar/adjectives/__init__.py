"""Gender of adjectives in translated dialogue: Spanish, Czech, Icelandic."""

from genderscope.grammar.adjectives.english import Predication, predications
from genderscope.grammar.adjectives.reader import adjective_gender, adjective_readings
from genderscope.grammar.adjectives.readings import (
    AdjectiveReading,
    AskedAdjective,
    MissingDictionaryError,
    UnknownLanguageError,
)

__all__ = [
    "AdjectiveReading",
    "AskedAdjective",
    "MissingDictionaryError",
    "Predication",
    "UnknownLanguageError",
    "adjective_gender",
    "adjective_readings",
    "predications",
]
