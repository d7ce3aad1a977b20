"""The WMT24 test suite of gender in dialogue: English passages with adjectives about "I" or "you"."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.samples.dialogue.excerpt import excerpt
    from genderscope.samples.dialogue.instances import AdjectiveInstance, Character, DialogueFormatError, Source, derive
    from genderscope.samples.dialogue.sets import limited, load, released, starter_vocabulary
    from genderscope.samples.dialogue.suite import DialogueSuite, FileDifferences, load_dialogue, parse_sources
    from genderscope.samples.dialogue.vocabulary import AdjectiveTraits, Vocabulary, load_vocabulary, read_text

__all__ = [
    "AdjectiveInstance",
    "AdjectiveTraits",
    "Character",
    "DialogueFormatError",
    "DialogueSuite",
    "FileDifferences",
    "Source",
    "Vocabulary",
    "derive",
    "excerpt",
    "limited",
    "load",
    "load_dialogue",
    "load_vocabulary",
    "parse_sources",
    "read_text",
    "released",
    "starter_vocabulary",
]

__getattr__ = door(
    __name__,
    {
        "AdjectiveInstance": "instances",
        "AdjectiveTraits": "vocabulary",
        "Character": "instances",
        "DialogueFormatError": "instances",
        "DialogueSuite": "suite",
        "FileDifferences": "suite",
        "Source": "instances",
        "Vocabulary": "vocabulary",
        "derive": "instances",
        "excerpt": "excerpt",
        "limited": "sets",
        "load": "sets",
        "load_dialogue": "suite",
        "load_vocabulary": "vocabulary",
        "parse_sources": "suite",
        "read_text": "vocabulary",
        "released": "sets",
        "starter_vocabulary": "sets",
    },
)
