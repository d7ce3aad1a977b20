"""Highlighting of a named person: in the English source, and the words that show their gender in the translation."""

import re
from collections.abc import Iterable

from genderscope.report.views.explorer import Mark, Part, marked

Span = tuple[int, int, Mark]


def mark_people(text: object, *people: tuple[object, Mark]) -> list[Part]:
    """Highlight people in an English source; the first one wins if two overlap."""
    if not isinstance(text, str):
        return []
    spans = [(*found, mark) for name, mark in people if isinstance(name, str) for found in _occurrences(text, name)[:1]]
    return marked(text, _apart(spans))


def mark_words(text: object, *people: tuple[object, Mark]) -> list[Part]:
    """Highlight the words, joined by spaces, that name people in a translation; the first one wins if two overlap."""
    if not isinstance(text, str):
        return []
    spans = [(*found, mark) for words, mark in people if isinstance(words, str) for found in _closest(text, words)]
    return marked(text, _apart(spans))


def _occurrences(text: str, word: str) -> list[tuple[int, int]]:
    """Return where a word or name occurs; it must not continue on a side that is a letter."""
    before, after = (r"(?<!\w)" if word[:1].isalnum() else ""), (r"(?!\w)" if word[-1:].isalnum() else "")
    return [match.span() for match in re.finditer(f"{before}{re.escape(word)}{after}", text, re.IGNORECASE)]


def _closest(text: str, words: str) -> list[tuple[int, int]]:
    """Return one occurrence of each word, the one closest to the longest word: an article may occur more than once."""
    places = {word: found for word in words.split() if (found := _occurrences(text, word))}
    if not places:
        return []
    anchor = places[max(places, key=len)][0][0]
    return [min(found, key=lambda span: abs(span[0] - anchor)) for found in places.values()]


def _apart(spans: Iterable[Span]) -> list[Span]:
    """Drop spans that overlap an earlier one."""
    kept: list[Span] = []
    for span in spans:
        if all(span[1] <= other[0] or other[1] <= span[0] for other in kept):
            kept.append(span)
    return kept
