"""Lithuanian: "nors", and "whole" before an adjective, a rule shared with Latvian."""

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.language_file import read_language
from genderscope.grammar.speaker.rules import LanguageRules
from genderscope.grammar.text import Token


def _disambiguate(tokens: list[Token]) -> list[Token]:
    """Treat "nors" after a pronoun as "any-" (kas nors: anybody) and elsewhere as "although"."""
    indefinite = read_language("lt").rules["indefinite"]
    for index, token in enumerate(tokens[1:], 1):
        before = tokens[index - 1]
        if before.key in ("visas", "visa"):
            take_wholly(tokens, index - 1)
        if token.key == "nors" and before.key in indefinite:
            tokens[index] = token._replace(traits=t.FUNCTION)
            if before.key != "kas":
                tokens[index - 1] = before._replace(traits=t.FUNCTION)
    return tokens


def take_wholly(tokens: list[Token], index: int) -> None:
    """Treat "whole" before an adjective without a noun as "wholly": "visa šlapia nuo lietaus"."""
    adjective = tokens[index + 1] if index + 1 < len(tokens) else None
    if adjective is None or not adjective.traits & (t.ADJECTIVE | t.PAIR) or adjective.traits & t.SIDE:
        return
    begins = not index or tokens[index - 1].traits & (t.PUNCTUATION | t.OPENER | t.COORDINATOR | t.PRONOUN)
    if tokens[index].key == "visas" and not begins and not adjective.traits & t.MOOD:
        return  # a plural object: "visas spintas"
    after = tokens[index + 2].traits if index + 2 < len(tokens) else t.PUNCTUATION
    is_verb = after & (t.VERB | t.MAYBE) and not after & (t.NOUN | t.PAIR)
    feminine = tokens[index].key.endswith("a")
    agrees = t.gender_of(adjective.traits, t.ADJECTIVE | t.PAIR) == ("feminine" if feminine else "masculine")
    if agrees and (is_verb or after & (t.PREPOSITION | t.PUNCTUATION | t.COORDINATOR)):
        traits = adjective.traits & ~(t.VERB | t.PAIR) | t.MOOD | (t.ADJECTIVE_F if feminine else t.ADJECTIVE_M)
        tokens[index : index + 2] = tokens[index]._replace(traits=t.FUNCTION), adjective._replace(traits=traits)


RULES = LanguageRules(disambiguate=_disambiguate)
