"""What "whole" is before an adjective in Lithuanian and Latvian."""

from __future__ import annotations

from genderscope.grammar.speaker.walk_state import VERB
from genderscope.grammar.text import Token
from genderscope.grammar.traits import (
    ADJECTIVE,
    ADJECTIVE_F,
    ADJECTIVE_M,
    COORDINATOR,
    FUNCTION,
    MAYBE,
    MOOD,
    NOUN,
    OPENER,
    PAIR,
    PREPOSITION,
    PRONOUN,
    PUNCTUATION,
    SIDE,
    gender_of,
)


def take_wholly(tokens: list[Token], index: int) -> None:
    """Take "whole" before an adjective without a noun for "wholly", said of the subject: "visa šlapia nuo lietaus"."""
    adjective = tokens[index + 1] if index + 1 < len(tokens) else None
    if adjective is None or not adjective.traits & (ADJECTIVE | PAIR) or adjective.traits & SIDE:
        return
    begins = not index or tokens[index - 1].traits & (PUNCTUATION | OPENER | COORDINATOR | PRONOUN)
    if tokens[index].key == "visas" and not begins and not adjective.traits & MOOD:
        return  # an object in the plural: "visas spintas"
    after = tokens[index + 2].traits if index + 2 < len(tokens) else PUNCTUATION
    alone = after & (PREPOSITION | PUNCTUATION | COORDINATOR) or (after & (VERB | MAYBE) and not after & (NOUN | PAIR))
    feminine = tokens[index].key.endswith("a")
    if alone and gender_of(adjective.traits, ADJECTIVE | PAIR) == ("feminine" if feminine else "masculine"):
        kept = adjective.traits & ~(VERB | PAIR) | MOOD
        shown = ADJECTIVE_F if feminine else ADJECTIVE_M
        tokens[index : index + 2] = tokens[index]._replace(traits=FUNCTION), adjective._replace(traits=kept | shown)
