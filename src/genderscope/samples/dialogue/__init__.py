"""The WMT24 test suite on gender in dialogue: English passages with adjectives that describe "I" or "you"."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from .annotation import AdjectiveInstance as AdjectiveInstance, Character as Character
    from .annotation import DialogueFormatError as DialogueFormatError, Source as Source, derive as derive
    from .suite_files import DialogueSuite as DialogueSuite, FileDifferences as FileDifferences
    from .suite_files import load_dialogue as load_dialogue, parse_sources as parse_sources
    from .suite_sources import excerpt as excerpt, limited as limited, load as load, released as released
    from .suite_sources import starter_vocabulary as starter_vocabulary
    from .suite_vocabulary import AdjectiveTraits as AdjectiveTraits, Vocabulary as Vocabulary
    from .suite_vocabulary import load_vocabulary as load_vocabulary, read_text as read_text

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
