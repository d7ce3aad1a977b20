"""French: words that context disambiguates, as in j'ai l'air, en voyant, c'est moi qui."""

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.language_file import read_language
from genderscope.grammar.speaker.rules import LanguageRules
from genderscope.grammar.text import Token


def _disambiguate(tokens: list[Token]) -> list[Token]:
    """Resolve words by context: "moi qui" as "I", "toute" before "seule" as an adverb, verbs after "je"."""
    for index, token in enumerate(tokens):
        if token.key in ("tout", "toute") and index + 1 < len(tokens) and tokens[index + 1].traits & t.SIDE:
            tokens[index] = token._replace(traits=t.FUNCTION)
        if token.key == "je" and index and tokens[index - 1].traits & _INVERTED:
            tokens[index - 1 : index + 1] = token, tokens[index - 1]  # "suis-je"
        if token.traits & t.PRONOUN:
            _take_verb(tokens, index + 1)
        if token.key == "air" and index > 1 and tokens[index - 1].key == "l'":
            _take_look(tokens, index)
        if token.key == "en" and index + 1 < len(tokens):
            _take_gerund(tokens, index + 1)
        if token.key == "moi" and index + 2 < len(tokens):
            comma = tokens[index + 1].word == ","
            if tokens[index + 1 + comma].key == "qui":
                _say_i(tokens, index, index + 1 + comma)
            elif tokens[index + 1].key in ("celui", "celle"):
                _it_is_i(tokens, index)
    return tokens


_INVERTED = t.COPULA | t.HAVE | t.PRESENT  # Verbs that may precede "je" in a question


def _take_verb(tokens: list[Token], index: int) -> None:
    """Mark the word after "je" and its clitics as a verb: "je me lève"."""
    clitics = read_language("fr").rules["clitics"]
    while index < len(tokens) and tokens[index].key in clitics:
        index += 1
    if index < len(tokens):
        traits = tokens[index].traits
        small = t.PUNCTUATION | t.FUNCTION | t.OPENER | t.COORDINATOR | t.PREPOSITION | t.AS
        if traits and not traits & (t.VERB | small):
            kept = traits & (t.FEELING | t.MAKES | t.LEAVES | t.RESTS | t.WORKS | t.LIKES | t.PROMISES)
            tokens[index] = tokens[index]._replace(traits=kept | t.PRESENT)


def _take_look(tokens: list[Token], index: int) -> None:
    """Mark "l'air" after "avoir" as part of a copula: j'ai l'air inquiète."""
    have = index - 2
    while have and have > index - 5 and tokens[have].traits & t.FUNCTION:
        have -= 1
    if tokens[have].key == "eu" and have:
        tokens[have] = tokens[have]._replace(traits=t.FUNCTION)
        have -= 1
    if tokens[have].traits & t.HAVE:
        tokens[index - 1] = tokens[index - 1]._replace(traits=t.FUNCTION)
        tokens[index] = tokens[index]._replace(traits=t.BEEN)


def _take_gerund(tokens: list[Token], start: int) -> None:
    """Mark a form in -ant after "en" and clitics as a gerund."""
    for index in range(start, min(start + 3, len(tokens))):
        token = tokens[index]
        if token.key.endswith("ant") and not token.traits & t.TO_BE:
            kept = token.traits & (t.FEELING | t.MAKES | t.LEAVES | t.RESTS | t.WORKS)
            tokens[index] = token._replace(traits=kept | t.INFINITIVE)
        if not token.traits & (t.OBJECT | t.CLITIC | t.TO_OTHERS):
            break


def _say_i(tokens: list[Token], moi: int, qui: int) -> None:
    """Mark "moi qui", "moi, qui" and "c'est moi qui" as "I"."""
    start = moi - 2 if moi > 1 and tokens[moi - 2].key == "c'" else moi
    for index in range(start, qui):
        tokens[index] = tokens[index]._replace(key="", traits=t.FUNCTION)
    tokens[qui] = tokens[qui]._replace(traits=t.PRONOUN)


def _it_is_i(tokens: list[Token], moi: int) -> None:
    """Mark "c'est moi" and "c'était toujours moi" before "the one who" as "I am"."""
    verb = moi - 1
    while verb > max(0, moi - 4) and tokens[verb].traits & t.FUNCTION:
        verb -= 1
    it = verb - 2 if verb > 1 and tokens[verb - 1].key == "n'" else verb - 1
    if it >= 0 and tokens[it].key in ("c'", "ce"):
        tokens[it] = tokens[it]._replace(traits=t.PRONOUN)
        tokens[verb] = tokens[verb]._replace(traits=t.COPULA)
        tokens[moi] = tokens[moi]._replace(traits=t.FUNCTION)


RULES = LanguageRules(disambiguate=_disambiguate)
