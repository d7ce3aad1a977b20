"""What some Spanish words are among their neighbours: lo único, algo malo, contratarme."""

from __future__ import annotations

from genderscope.grammar.dictionaries.agreeing import endings
from genderscope.grammar.speaker.enclitics import with_enclitics
from genderscope.grammar.text import Token
from genderscope.grammar.traits import (
    ADJECTIVE_M,
    ARTICLE,
    COPULA,
    EITHER,
    FEELING,
    FINITE,
    INFINITIVE,
    NOUN,
    OBJECT,
    OTHER_PERSON,
    PRESENT,
    PUNCTUATION,
)

LEAVING = "dejar ver encontrar hallar"
_WITH_ME = endings("arme erme irme ándome iéndome yéndome")


def settle(tokens: list[Token]) -> list[Token]:
    """Take "lo único", "algo malo", "era seguro que" for neuters, and "-la" on an infinitive for the pronoun."""
    for index, token in enumerate(tokens):
        if _is_neuter(tokens, index):
            tokens[index] = token._replace(traits=NOUN)
        elif token.key.endswith(_WITH_ME) and token.traits & (INFINITIVE | FINITE):
            tokens[index] = token._replace(traits=(token.traits & ~FINITE) | INFINITIVE | OBJECT)  # "contratarme"
        elif token.key == "todo" and index + 1 < len(tokens) and tokens[index + 1].traits & (EITHER | FINITE):
            tokens[index] = token._replace(traits=OTHER_PERSON)  # "todo estaba preparado"
        elif token.key in ("tarde", "mañana") and index and tokens[index - 1].traits & ARTICLE:
            tokens[index] = token._replace(traits=NOUN)  # "la tarde", not "late"
        elif token.key == "suelo" and index + 1 < len(tokens) and tokens[index + 1].traits & INFINITIVE:
            tokens[index] = token._replace(traits=PRESENT)  # "en casa suelo cocinar"
    return with_enclitics(tokens, LEAVING)


def _is_neuter(tokens: list[Token], index: int) -> bool:
    token, before = tokens[index], tokens[index - 1] if index else tokens[index]
    after = tokens[index + 1 : index + 3]
    that = bool(after) and after[0].key == "que"
    if before.key == "lo" and token.traits & ADJECTIVE_M and not token.traits & (PRESENT | FINITE):
        return not (that and len(after) > 1 and after[1].traits & COPULA)  # but "lo cansado que estoy"
    if token.key in ("algo", "nada"):
        return not before.traits & (COPULA | FEELING | PUNCTUATION)
    return that and token.key == "seguro" and before.key in ("era", "sería", "fue")
