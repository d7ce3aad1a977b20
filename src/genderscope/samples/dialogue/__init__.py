"""The WMT24 test suite of gender in dialogue: English passages with adjectives about "I" or "you"."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.samples.dialogue.excerpt import excerpt
    from genderscope.samples.dialogue.instances import AdjectiveInstance, Character, DialogueFormatError, Source, derive
    from genderscope.samples.dialogue.suite import DialogueSuite, FileDifferences, load_dialogue, parse_sources
    from genderscope.samples.dialogue.suite_loader import limited, load, released, starter_vocabulary
    from genderscope.samples.dialogue.suite_vocabulary import AdjectiveTraits, Vocabulary, load_vocabulary, read_text

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
        "AdjectiveTraits": "suite_vocabulary",
        "Character": "instances",
        "DialogueFormatError": "instances",
        "DialogueSuite": "suite",
        "FileDifferences": "suite",
        "Source": "instances",
        "Vocabulary": "suite_vocabulary",
        "derive": "instances",
        "excerpt": "excerpt",
        "limited": "suite_loader",
        "load": "suite_loader",
        "load_dialogue": "suite",
        "load_vocabulary": "suite_vocabulary",
        "parse_sources": "suite",
        "read_text": "suite_vocabulary",
        "released": "suite_loader",
        "starter_vocabulary": "suite_loader",
    },
)
