"""Finding the adjective that is said of the subject, and telling it from one that belongs to a noun."""

from __future__ import annotations

from .text import Token
from .traits import ADJECTIVE, COORDINATOR, FULL, FUNCTION, NOUN, OPENER, PREPOSITION, PUNCTUATION, SHORT, gender_of


def predicate(tokens: list[Token], start: int, end: int, verb: int, kind: int = ADJECTIVE) -> int | None:
    """Index of the predicate of the verb: the first free-standing adjective after it, else the nearest before it."""
    for index in [*range(verb + 1, end), *range(verb - 1, start - 1, -1)]:
        traits = tokens[index].traits
        if not traits & kind or gender_of(traits, kind) is None:
            continue
        if before_noun(tokens, index, kind):
            if index > verb:
                return None  # the predicate is a noun phrase: "am a good teacher"
            continue
        return index
    return None


def before_noun(tokens: list[Token], index: int, kind: int = ADJECTIVE) -> bool:
    """Whether the adjective stands, alone or in a row of adjectives, before a noun it may agree with."""
    if tokens[index].traits & (SHORT | FULL):
        return False
    follower = _after_adjectives(tokens, index + 1, kind)
    if follower is None:
        return False
    traits = tokens[follower].traits
    if kind != ADJECTIVE:  # in an oblique case the noun's own form is not in the index: any content word may be it
        return not traits & (FUNCTION | PREPOSITION | COORDINATOR | OPENER)
    return bool(traits & NOUN) and not traits & FUNCTION


def _after_adjectives(tokens: list[Token], index: int, kind: int) -> int | None:
    """The first word after a row of adjectives ("strong, brave and very honest …"), None at the end of the clause."""
    while index < len(tokens):
        traits = tokens[index].traits
        if traits & kind and not traits & NOUN:
            index += 1
        elif traits & (PUNCTUATION | COORDINATOR) or (traits & FUNCTION and not traits & PREPOSITION):
            ahead = index + 1
            while ahead < len(tokens) and tokens[ahead].traits & FUNCTION and not tokens[ahead].traits & PREPOSITION:
                ahead += 1
            goes_on = ahead < len(tokens) and bool(tokens[ahead].traits & kind)
            if not goes_on or (traits & PUNCTUATION and tokens[index].word != ","):
                return None
            index = ahead
        else:
            return index
    return None
