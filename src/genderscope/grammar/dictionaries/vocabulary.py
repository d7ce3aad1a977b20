"""Lookup of a word's traits in a language's word lists, dictionary and endings."""

from collections.abc import Callable
from functools import lru_cache

from genderscope.grammar import traits as t
from genderscope.grammar.text import lookup_key

_REMEMBERED = 1 << 16  # Cache size; bounded, since vocabulary is repetitive but grows without limit in long runs


def vocabulary(
    table: dict[str, int],
    dictionary: Callable[[str], int],
    guesses: tuple[tuple[tuple[str, ...], int], ...] = (),
    key_of: Callable[[str], str] = lookup_key,
    shortest_guess: int = 4,
) -> Callable[[str], tuple[str, int]]:
    """Return a function that maps words to forms and traits, using word lists, then the dictionary, then endings."""

    @lru_cache(maxsize=_REMEMBERED)
    def look_up(word: str) -> tuple[str, int]:
        form = key_of(word)
        listed = table.get(form, t.ALSO)
        if not listed & t.ALSO:
            return form, listed
        return form, (listed & ~t.ALSO) | (dictionary(form) or by_ending(form, guesses, shortest_guess))

    return look_up


def by_ending(form: str, guesses: tuple[tuple[tuple[str, ...], int], ...], shortest: int = 4) -> int:
    """Guess a word's traits from its ending; return 0 if no ending matches."""
    if len(form) >= shortest:
        for endings, traits in guesses:
            if form.endswith(endings):
                return traits
    return 0


def without_prefix(prefixes: tuple[str, ...], dictionary: Callable[[str], int]) -> Callable[[str], int]:
    """Wrap a dictionary so that it also finds prefixed forms: negations, superlatives."""

    def traits_of(form: str) -> int:
        traits = dictionary(form)
        if not traits and form.startswith(prefixes):
            for prefix in prefixes:
                if form.startswith(prefix) and len(form) > len(prefix) + 2:
                    traits |= dictionary(form[len(prefix) :]) & _PREFIXED
        return traits

    return traits_of


# A prefixed noun is usually a different word, so only traits of verbs and adjectives carry over.
_PREFIXED = t.PAST | t.ADJECTIVE | t.OBLIQUE | t.PRESENT | t.SHORT | t.RESTS
