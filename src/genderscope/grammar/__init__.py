"""Reading gender from text. Nothing is loaded before it is used."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.grammar.problems import MissingDictionary, UnknownLanguage
    from genderscope.grammar.reading import Evidence, Gender, Reading, weigh
    from genderscope.grammar.scripts import in_the_language
    from genderscope.grammar.speaker.registry import draft_languages, language_plugins, languages, speaker_gender

__all__ = [
    "Evidence",
    "Gender",
    "MissingDictionary",
    "Reading",
    "UnknownLanguage",
    "draft_languages",
    "in_the_language",
    "language_plugins",
    "languages",
    "speaker_gender",
    "weigh",
]

__getattr__ = door(
    __name__,
    {
        "Evidence": "reading",
        "Gender": "reading",
        "MissingDictionary": "problems",
        "Reading": "reading",
        "UnknownLanguage": "problems",
        "draft_languages": "speaker.registry",
        "in_the_language": "scripts",
        "language_plugins": "speaker.registry",
        "languages": "speaker.registry",
        "speaker_gender": "speaker.registry",
        "weigh": "reading",
    },
)
