"""Belarusian: genitive plurals in -аў and -яў look like past-tense verbs."""

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.language_file import read_language
from genderscope.grammar.speaker.rules import LanguageRules
from genderscope.grammar.text import Token


def _disambiguate(tokens: list[Token]) -> list[Token]:
    """Recognise genitive plurals after a preposition, an adjective in -ых/-іх, or a verb and a quantifier."""
    words, verb_seen = read_language("be").rules, 0
    for index, token in enumerate(tokens):
        if token.traits & t.PUNCTUATION:
            verb_seen = 0
        elif (
            index and token.traits & t.PAST_M and token.key.endswith(("аў", "яў")) and not token.traits & t.INTRANSITIVE
        ):
            before = tokens[index - 1]
            adjective = before.key.endswith(("ых", "іх")) and before.key not in words["them"]
            if before.traits & t.PREPOSITION or adjective or (verb_seen and before.key in words["counting"]):
                tokens[index] = token._replace(traits=t.FUNCTION)
        verb_seen |= token.traits & (t.PAST | t.PRESENT | t.FINITE)
    return tokens


RULES = LanguageRules(disambiguate=_disambiguate)
