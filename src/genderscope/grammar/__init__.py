"""Gender detection in text. Submodules are loaded on first use."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .language_guess import foreign_texts as foreign_texts
    from .language_guess import SAMPLED as SAMPLED, language_warning as language_warning
    from .problems import MissingDictionary as MissingDictionary, UnknownLanguage as UnknownLanguage
    from .reading import Evidence as Evidence, Gender as Gender, Reading as Reading, weigh as weigh
    from .scripts import in_the_language as in_the_language
    from .speaker.registry import draft_languages as draft_languages, language_plugins as language_plugins
    from .speaker.registry import languages as languages, speaker_gender as speaker_gender

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
