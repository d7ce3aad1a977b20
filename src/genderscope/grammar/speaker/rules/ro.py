"""Romanian: "de" as part of "how", and "toată ziua"."""

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.language_file import read_language
from genderscope.grammar.speaker.rules import LanguageRules
from genderscope.grammar.text import Token


def _disambiguate(tokens: list[Token]) -> list[Token]:
    """Treat "de" after a copula as part of "how" ("atât eram de emoționată"), and "toată ziua" as an adverb."""
    spans = read_language("ro").grammar.time_spans
    for index, token in enumerate(tokens[1:-1], 1):
        before = tokens[index - 1]
        if token.key == "de" and before.traits & t.COPULA and tokens[index + 1].traits & t.ADJECTIVE:
            tokens[index] = token._replace(traits=t.FUNCTION)
        if token.key in spans and before.key in ("toată", "tot"):
            tokens[index - 1] = before._replace(traits=t.FUNCTION)
    return tokens


RULES = LanguageRules(disambiguate=_disambiguate)
