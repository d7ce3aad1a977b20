"""Finding the adjective that is said of the subject, and telling it from one that belongs to a noun."""

from __future__ import annotations

from collections.abc import Iterator

from .reading import Evidence, Gender
from .text import Token
from .traits import (
    ADJECTIVE,
    AS,
    COORDINATOR,
    FIRST_PERSON,
    FULL,
    FUNCTION,
    NOUN,
    OBJECT,
    OPENER,
    PREPOSITION,
    PUNCTUATION,
    SHORT,
    gender_of,
)


def predicate(tokens: list[Token], start: int, end: int, verb: int, kind: int = ADJECTIVE) -> int | None:
    """Index of the predicate of the verb: the nearest free-standing adjective on either side of it."""
    places = sorted(
        (index for index in range(start, end) if index != verb), key=lambda index: (abs(index - verb), -index)
    )
    for index in places:
        traits = tokens[index].traits
        if not traits & kind or gender_of(traits, kind) is None:
            continue
        before = tokens[index - 1].traits if index > start else 0
        if before & PREPOSITION and not before & AS:
            continue  # a noun's oblique case that looks like an adjective
        if before_noun(tokens, index, kind):
            if index > verb:
                return None  # the predicate is a noun phrase: "am a good teacher"
            continue
        return index
    return None


def before_noun(tokens: list[Token], index: int, kind: int = ADJECTIVE, any_case: bool = False) -> bool:
    """Whether the adjective stands, alone or in a row of adjectives, before a noun it may agree with.

    The dictionary tells nominatives; after a form that may stand in any case, every content word may be its noun.
    """
    if tokens[index].traits & (SHORT | FULL):
        return False
    if any_case and index + 1 < len(tokens) and tokens[index + 1].traits & kind:
        return True  # the second of two adjectives stands for a noun: "an excellent leader" in -щий
    follower = _after_adjectives(tokens, index + 1, kind)
    if follower is None:
        return False
    traits = tokens[follower].traits
    if any_case:
        return not traits & (FUNCTION | PREPOSITION | COORDINATOR | OPENER | FIRST_PERSON)
    if not traits:
        return _looks_nominative(tokens[follower].key, gender_of(tokens[index].traits, kind))
    return bool(traits & NOUN) and not traits & FUNCTION


def _looks_nominative(word: str, gender: Gender | None) -> bool:
    """Whether a word that nothing is known of may be a nominative noun of the gender, by its ending."""
    if gender == "feminine":
        return word.endswith(("a", "а", "я"))
    return word[-1].isalpha() and word[-1] not in _VOWELS and not word.endswith(_OBLIQUE_CONSONANTS)


_VOWELS = frozenset("aeiouyáéíóúýäěůąęаеиіоуяїыюєёэў")
# Instrumentals, plurals and infinitives end in a consonant as well.
_OBLIQUE_CONSONANTS = ("m", "ch", "м", "х", "ih", "ов", "ів", "ť", "ć", "at", "it", "et", "ět", "ít", "át", "ýt", "st")


def _after_adjectives(tokens: list[Token], index: int, kind: int) -> int | None:
    """The first word after a row of adjectives ("strong, brave and very honest …"), None at the end of the clause."""
    while index < len(tokens):
        traits = tokens[index].traits
        if traits & kind and not traits & NOUN:
            index += 1
        elif traits & (PUNCTUATION | COORDINATOR) or (traits & FUNCTION and not traits & PREPOSITION):
            ahead = index + 1
            while ahead < len(tokens) and _may_intensify(tokens[ahead]) and not traits & PUNCTUATION:
                ahead += 1
            goes_on = ahead < len(tokens) and tokens[ahead].traits & kind and not tokens[ahead].traits & SHORT
            if not goes_on or (traits & PUNCTUATION and tokens[index].word != ","):
                return None
            index = ahead
        else:
            return index
    return None


def _may_intensify(token: Token) -> bool:
    return bool(token.traits & FUNCTION) and not token.traits & PREPOSITION


def is_object(tokens: list[Token], part: tuple[int, int]) -> bool:
    """Whether "me" is the object of the part, and not what a preposition governs ("important to me")."""
    return any(
        tokens[index].traits & OBJECT and not (index > part[0] and tokens[index - 1].traits & PREPOSITION)
        for index in range(*part)
    )


def show(token: Token, kind: int, rule: str, weight: int) -> Iterator[Evidence]:
    """The word as evidence, where it shows one gender and not both."""
    gender = gender_of(token.traits, kind)
    if gender is not None:
        yield Evidence(token.word, token.start, token.end, gender, rule, weight)
