"""Identification of adjectives that are predicates of the subject and do not modify a noun."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from genderscope.grammar import traits as t
from genderscope.grammar.reading import Evidence, Gender
from genderscope.grammar.text import Token, TokenList


class Predicates:
    """Adjectives in a token span that can be predicates of the verbs in that span, collected once for all verbs."""

    def __init__(self, tokens: TokenList, start: int, end: int) -> None:
        self._places: list[int] = []
        self._free: list[int] = []
        for index in range(start, end):
            traits = tokens[index].traits
            if not traits & t.ADJECTIVE or t.gender_of(traits, t.ADJECTIVE) is None:
                continue
            before = tokens[index - 1].traits if index > start else 0
            if before & t.PREPOSITION and not before & t.AS:
                continue  # an oblique noun form that looks like an adjective
            self._places.append(index)
            if not before_noun(tokens, index):
                self._free.append(index)

    def of(self, verb: int) -> int | None:
        """Return the index of the verb's predicate, the nearest non-attributive adjective on either side, or None."""
        after = bisect_right(self._places, verb)
        before = bisect_left(self._free, verb) - 1
        right = self._places[after] if after < len(self._places) else None
        left = self._free[before] if before >= 0 else None
        if right is None or (left is not None and verb - left < right - verb):
            return left
        # If the adjective precedes a noun, the predicate is a noun phrase: "am a good teacher".
        free = bisect_left(self._free, right)
        return right if free < len(self._free) and self._free[free] == right else None


def before_noun(tokens: TokenList, index: int, kind: int = t.ADJECTIVE, any_case: bool = False) -> bool:
    """Return whether the adjective precedes a nominative noun or, with `any_case`, any content word."""
    if tokens[index].traits & (t.SHORT | t.FULL):
        return False
    if any_case and index + 1 < len(tokens) and tokens[index + 1].traits & kind:
        return True  # the second of two adjectives is nominalised: "an excellent leader" in -щий
    if kind not in tokens.followers:
        tokens.followers[kind] = _after_adjectives(tokens, kind)
    follower = tokens.followers[kind][index + 1]
    if follower is None:
        return False
    traits = tokens[follower].traits
    if any_case:
        return not traits & (t.FUNCTION | t.PREPOSITION | t.COORDINATOR | t.OPENER | t.FIRST_PERSON)
    if not traits:
        return _looks_nominative(tokens[follower].key, t.gender_of(tokens[index].traits, kind))
    return bool(traits & t.NOUN) and not traits & t.FUNCTION


def _looks_nominative(word: str, gender: Gender | None) -> bool:
    """Return whether an unknown word may be a nominative noun of the given gender, judging by its ending."""
    if gender == "feminine":
        return word.endswith(("a", "а", "я"))
    return word[-1].isalpha() and word[-1] not in _VOWELS and not word.endswith(_OBLIQUE_CONSONANTS)


_VOWELS = frozenset("aeiouyáéíóúýäěůąęаеиіоуяїыюєёэў")
# Consonantal endings of instrumentals, plurals and infinitives.
_OBLIQUE_CONSONANTS = ("m", "ch", "м", "х", "ih", "ов", "ів", "ť", "ć", "at", "it", "et", "ět", "ít", "át", "ýt", "st")


def _after_adjectives(tokens: TokenList, kind: int) -> list[int | None]:
    """Return, for each index, the first word after the adjectives that start there ("strong, brave and very …")."""
    followers: list[int | None] = [None] * (len(tokens) + 1)
    behind_intensifiers = len(tokens)
    for index in range(len(tokens) - 1, -1, -1):
        traits = tokens[index].traits
        if traits & kind and not traits & t.NOUN:
            followers[index] = followers[index + 1]
        elif traits & (t.PUNCTUATION | t.COORDINATOR) or _may_intensify(traits):
            ahead = index + 1 if traits & t.PUNCTUATION else behind_intensifiers
            goes_on = ahead < len(tokens) and tokens[ahead].traits & kind and not tokens[ahead].traits & t.SHORT
            if goes_on and (not traits & t.PUNCTUATION or tokens[index].word == ","):
                followers[index] = followers[ahead]
        else:
            followers[index] = index
        if not _may_intensify(traits):
            behind_intensifiers = index
    return followers


def _may_intensify(traits: int) -> bool:
    return bool(traits & t.FUNCTION) and not traits & t.PREPOSITION


def is_object(tokens: TokenList, part: tuple[int, int]) -> bool:
    """Return whether "me" is an object in the clause part and not governed by a preposition ("important to me")."""
    return any(
        tokens[index].traits & t.OBJECT and not (index > part[0] and tokens[index - 1].traits & t.PREPOSITION)
        for index in range(*part)
    )


def show(token: Token, kind: int, rule: str, weight: int) -> Iterator[Evidence]:
    """Yield evidence from the word if it marks exactly one gender."""
    gender = t.gender_of(token.traits, kind)
    if gender is not None:
        yield Evidence(token.word, token.start, token.end, gender, rule, weight)


_ROLE_OF_SUBJECT = t.COPULA | t.REGARD | t.FEELING | t.WORKS
_BEFORE_ROLE = _ROLE_OF_SUBJECT | t.INFINITIVE | t.TO_BE | t.BEEN | t.PREPOSITION
_DECIDES = t.FIRST_PERSON | t.OTHER_PERSON | t.FINITE | t.NOUN | t.PUNCTUATION


def show_roles(tokens: TokenList, part: tuple[int, int], is_to_be_mine: bool) -> Iterator[Evidence]:
    """Yield evidence from roles in the instrumental: "am a mother", "want to be a nurse", "being a father, I …"."""
    for index in range(*part):
        role, verb = tokens[index], index - 1
        if not role.traits & t.PERSON:
            continue
        while verb > part[0] and not tokens[verb].traits & _BEFORE_ROLE:
            agrees = not tokens[verb].traits & ~t.KNOWN and tokens[verb].key[-1] == role.key[-1]
            if not agrees and not tokens[verb].traits & (t.OBLIQUE | t.FUNCTION):
                break
            verb -= 1
        traits = tokens[verb].traits if verb >= part[0] else 0
        main = next((token.traits for token in tokens[part[1] + 1 : part[1] + 8] if token.traits & _DECIDES), 0)
        is_mine = traits & _ROLE_OF_SUBJECT or (traits & t.TO_BE and is_to_be_mine)
        if is_mine or (traits & t.BEEN and main & t.FIRST_PERSON):
            yield from show(role, t.PERSON, "noun describing the speaker", 3)
