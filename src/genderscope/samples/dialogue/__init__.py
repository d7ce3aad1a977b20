"""The WMT24 test suite of gender in dialogue: English passages whose adjectives speak of "I" or "you"."""

from genderscope.samples.dialogue.instances import AdjectiveInstance, Character, DialogueFormatError, Source, derive
from genderscope.samples.dialogue.suite import DialogueSuite, FileDifferences, load_dialogue
from genderscope.samples.dialogue.vocabulary import AdjectiveTraits, Vocabulary, load_vocabulary

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
    "load_dialogue",
    "load_vocabulary",
]
