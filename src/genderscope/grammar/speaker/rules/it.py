"""Italian and Spanish: enclitic pronouns on infinitives, such as assumermi and lasciarla."""

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.rules import LanguageRules
from genderscope.grammar.text import Token

_WITH_ME = ("armi", "ermi", "irmi", "andomi", "endomi")
_LEAVING = ("lasciar", "veder", "trovar", "incontrar")


def _disambiguate(tokens: list[Token]) -> list[Token]:
    for index, token in enumerate(tokens):
        tokens[index] = mark_enclitic(token, _WITH_ME, _LEAVING)
    return tokens


def mark_enclitic(token: Token, with_me: tuple[str, ...], leaving: tuple[str, ...]) -> Token:
    """Mark the enclitic pronoun of an infinitive ("me", "her", "him"), and verbs of leaving somebody."""
    traits = token.traits
    if traits & (t.INFINITIVE | t.FINITE) and token.key.endswith(with_me):
        return token._replace(traits=(traits & ~t.FINITE) | t.INFINITIVE | t.OBJECT)
    if traits & t.INFINITIVE and token.key.endswith(("rla", "rlo")):
        traits |= t.ARTICLE_F if token.key.endswith("a") else t.ARTICLE_M
        return token._replace(traits=traits | (t.LEAVES if token.key.startswith(leaving) else 0))
    return token


RULES = LanguageRules(disambiguate=_disambiguate)
