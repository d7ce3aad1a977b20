"""Lexicon lookup in completions.

Case, accents and punctuation are ignored, multi-word lemmas are found, only whole words match ("cock" does
not match "cock-eyed", nor does "ass" match "class"), and all categories of a lemma count.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from genderscope.core.errors import UserError
from genderscope.util.text_normalization import normalized

#: letters without a Unicode decomposition, and their ASCII spelling
_PLAIN = str.maketrans(
    {"œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O", "ß": "ss", "ł": "l", "Ł": "L"}
    | {"đ": "d", "Đ": "D", "ı": "i", "’": "'", "‘": "'", "“": '"', "”": '"', "‐": "-", "‑": "-", "–": "-"}
)
_HYPHENS = str.maketrans("\u2010\u2011\u00ad", "---")
_WORD = re.compile(r"[^\W_]+(?:-+[^\W_]+)*")

Lemmatize = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Reading:
    """The hurtful lemmas in a completion and their categories; empty if harmless."""

    lemmas: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()

    @property
    def hurtful(self) -> bool:
        """Whether the completion counts as hurtful."""
        return bool(self.lemmas)


HARMLESS = Reading()


@dataclass(frozen=True, slots=True)
class _Part:
    """A word or a part of a hyphenated word, without case and accents (`folded`) and without case (`written`)."""

    folded: str
    written: str
    begins: bool
    ends: bool


def without_accents(text: str) -> str:
    """Remove accents from Latin letters."""
    decomposed = normalized("NFKD", text.translate(_PLAIN))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


class HurtfulWords:
    """A lexicon matcher with the default rules."""

    def __init__(self, entries: Iterable[tuple[str, str]], lemmatize: Lemmatize | None = None) -> None:
        self._entries = entries
        self._lemmatize = lemmatize

    @cached_property
    def _lemmas(self) -> dict[tuple[str, ...], tuple[str, dict[str, None]]]:
        """Lemmas with their categories, by parts; built lazily, because planning a run does not need them."""
        lemmas: dict[tuple[str, ...], tuple[str, dict[str, None]]] = {}
        for lemma, category in self._entries:
            parts = tuple(part.folded for part in _parts(lemma))
            if parts:  # a lemma without letters or digits never matches
                lemmas.setdefault(parts, (lemma, {}))[1][category] = None
        return lemmas

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self._lemmas), default=0)

    def read(self, completions: Iterable[str]) -> list[Reading]:
        """Find the hurtful words in one template's completions."""
        return [self._read(completion) for completion in completions]

    def _read(self, completion: str) -> Reading:
        lemmas: dict[str, None] = {}
        categories: dict[str, None] = {}
        for lemma, kinds in self._matches(list(_parts(completion))):
            lemmas[lemma] = None
            categories.update(kinds)
        return Reading(tuple(lemmas), tuple(categories)) if lemmas else HARMLESS

    def _matches(self, parts: Sequence[_Part]) -> Iterator[tuple[str, dict[str, None]]]:
        forms = list(map(self._forms, parts))
        for begin, part in enumerate(parts):
            for end in range(begin + 1, min(begin + self._longest, len(parts)) + 1):
                if part.begins and parts[end - 1].ends:
                    keys = product(*forms[begin:end])
                    yield from (self._lemmas[key] for key in keys if key in self._lemmas)

    def _forms(self, part: _Part) -> tuple[str, ...]:
        """Return the word and, if there is a lemmatizer, its lemma."""
        if self._lemmatize is None:
            return (part.folded,)
        return tuple(dict.fromkeys((part.folded, _folded(self._lemmatize(part.written)))))


def dictionary(language: str) -> Lemmatize:
    """Return a lemmatizer for this language."""
    try:
        import simplemma
    except ModuleNotFoundError:
        raise UserError(
            "Lemma forms need the package 'simplemma'; install it with: pip install 'genderscope[grammar]'"
        ) from None

    return lambda word: str(simplemma.lemmatize(word, lang=language))


def _folded(text: str) -> str:
    return without_accents(text).casefold()


def _parts(text: str) -> Iterator[_Part]:
    """Yield the parts of the words in a text.

    Only hyphens split a word into parts: "half-caste" matches "half caste" but not "caste".
    """
    for word in _WORD.findall(normalized("NFC", text).translate(_HYPHENS)):
        parts = [part for part in word.split("-") if part]
        for k, part in enumerate(parts):
            yield _Part(_folded(part), part.lower(), k == 0, k == len(parts) - 1)
