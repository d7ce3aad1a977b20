"""Data types for source adjectives and for the gender detected in their translations."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from genderscope.core.errors import UserError

Gender = Literal["masculine", "feminine", "neutral", "unread"]
Strategy = Literal["common form", "neuter", "noun or verb phrase", "untranslated", "split form"]
How = Literal["dictionary", "ending"]


class AskedAdjective(Protocol):
    """Adjective predicated of the speaker or the listener in the English source."""

    @property
    def adjective(self) -> str:
        """The English adjective."""

    @property
    def referent(self) -> str:
        """The referent: "I" or "you"."""

    @property
    def negated(self) -> bool:
        """Whether the adjective is negated ("I'm not …")."""


class AdjectiveReading(NamedTuple):
    """Grammatical gender of one adjective in a translation.

    `plural` indicates the polite plural ("vy jste laskaví"), which marks gender although it refers to one person.
    `noun` indicates that a noun, pronoun or auxiliary marks the gender instead of an adjective ("jsem hlupák", "soy la
    que …", "byla jsem …").
    """

    adjective: str
    word: str | None
    start: int | None
    end: int | None
    gender: Gender
    strategy: Strategy | None = None
    how: How | None = None
    plural: bool = False
    noun: bool = False

    @property
    def located(self) -> bool:
        """Whether the rendering of the adjective was found, regardless of its gender."""
        return self.word is not None or self.strategy is not None


@dataclass(frozen=True, slots=True)
class Form:
    """Gender that a word form marks, independent of context."""

    gender: Gender
    strategy: Strategy | None = None
    how: How | None = None
    plural: bool = False
    noun: bool = False


MASCULINE = Form("masculine", None, "dictionary")
FEMININE = Form("feminine", None, "dictionary")
MASCULINE_PLURAL = Form("masculine", None, "dictionary", plural=True)
FEMININE_PLURAL = Form("feminine", None, "dictionary", plural=True)
MASCULINE_NOUN = Form("masculine", None, "dictionary", noun=True)
FEMININE_NOUN = Form("feminine", None, "dictionary", noun=True)
COMMON = Form("neutral", "common form", "dictionary")
NEUTER = Form("neutral", "neuter", "dictionary")
PHRASE = Form("neutral", "noun or verb phrase", "dictionary")
MASCULINE_ENDING = Form("masculine", None, "ending")
FEMININE_ENDING = Form("feminine", None, "ending")
COMMON_ENDING = Form("neutral", "common form", "ending")
NEUTER_ENDING = Form("neutral", "neuter", "ending")
PHRASE_BY_SHAPE = Form("neutral", "noun or verb phrase", "ending")
UNTRANSLATED = Form("neutral", "untranslated", None)
SPLIT = Form("neutral", "split form", "ending")
UNREAD = Form("unread")


def form_of_words(words: str, form_of: Callable[[str], Form]) -> Form:
    """Return the form of words with a slash between them; those that show no gender do not count: “delgado/ágil”."""
    forms = [form_of(word.strip()) for word in words.split("/")]
    shown = [form for form in forms if form.gender in ("masculine", "feminine")] or forms
    return shown[0] if len({form.gender for form in shown}) == 1 else SPLIT


class UnknownLanguageError(UserError, ValueError):
    """Raised for a language in which the gender of adjectives cannot be detected."""


class MissingDictionaryError(UserError, ImportError):
    """Raised if the package with a language's dictionary is not installed."""
