"""Italian and Spanish: enclitic pronouns on infinitives, such as assumermi and lasciarla; "one" for the speaker."""

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.language_file import LanguageFile, read_language
from genderscope.grammar.speaker.rules import LanguageRules
from genderscope.grammar.text import Token

_WITH_ME = ("armi", "ermi", "irmi", "andomi", "endomi")
_LEAVING = ("lasciar", "veder", "trovar", "incontrar")


def _disambiguate(tokens: list[Token]) -> list[Token]:
    for index, token in enumerate(tokens):
        tokens[index] = mark_enclitic(token, _WITH_ME, _LEAVING)
    return mark_one(tokens, read_language("it"))


def mark_one(tokens: list[Token], language: LanguageFile) -> list[Token]:
    """Treat "one" before its verb as "I", unless "other" contrasts with it: "una está harta", "una si sente sola"."""
    ones, verbs, others = (language.rules[key] for key in ("one", "verbs_of_one", "others"))
    one = next((i for i, token in enumerate(tokens) if token.traits & t.FINITE or token.key in ones), len(tokens))
    if one == len(tokens) or tokens[one].key not in ones:
        return tokens
    small = t.FUNCTION | t.OTHER_PERSON
    verb = next((i for i in range(one + 1, len(tokens)) if not tokens[i].traits & small), len(tokens))
    is_said = verb < len(tokens) and tokens[verb].key in verbs
    is_other = any(token.traits & (t.ARTICLE | t.DETERMINER) for token in tokens[verb + 1 : verb + 2])
    if is_said and not is_other and not any(token.key in others for token in tokens):
        for index in range(one, verb):
            if index == one or tokens[index].traits & t.OTHER_PERSON:  # "se" in "una se siente" is "me"
                tokens[index] = tokens[index]._replace(traits=t.PRONOUN if index == one else t.OBJECT)
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
