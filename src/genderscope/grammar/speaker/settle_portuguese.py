"""What some Portuguese words are among their neighbours: se, a, há, enquanto, obrigada."""

from __future__ import annotations

from itertools import pairwise

from genderscope.grammar.text import Token
from genderscope.grammar.traits import (
    ADJECTIVE,
    ADJECTIVE_M,
    ARTICLE,
    AS,
    CHILD,
    COMMON,
    COORDINATOR,
    COPULA,
    EITHER,
    FEELING,
    FINITE,
    FUNCTION,
    IMPERSONAL,
    INFINITIVE,
    NOUN,
    OBJECT,
    OPENER,
    PAIR,
    PERSON,
    PREPOSITION,
    PRESENT,
    PRONOUN,
    PUNCTUATION,
    SIDE_F,
    SIDE_M,
    STANDING,
)


def settle(tokens: list[Token]) -> list[Token]:
    """Tell what some small words are: "se" that is "if", "algo" that is an object, "obrigada" that is "I thank"."""
    for index, token in enumerate(tokens):
        before = tokens[index - 1] if index else None
        after = tokens[index + 1].traits if index + 1 < len(tokens) else 0
        if token.key == "a" and (after & ARTICLE or (after & INFINITIVE and not after & (NOUN | ADJECTIVE))):
            tokens[index] = token._replace(traits=PREPOSITION)  # "continuo a ser", "a um"
        if token.key == "enquanto" and after & (PERSON | COMMON | ADJECTIVE | PAIR) and not after & (PRESENT | FINITE):
            tokens[index] = token._replace(traits=AS)  # "enquanto mulher"
        if token.key == "preciso" and before and before.key in ("é", "era", "foi", "será", "seria"):
            tokens[index] = token._replace(traits=ADJECTIVE_M | IMPERSONAL)
        if token.key == "em" and after & CHILD:
            tokens[index] = token._replace(traits=AS | PREPOSITION)  # "em miúda"
        if token.key in ("toda", "todo") and index > 1 and tokens[index - 2].traits & ARTICLE and after & ADJECTIVE:
            tokens[index] = token._replace(traits=FUNCTION)  # "a noite toda acordada"
        if token.key == "tarde" and before and before.traits & ARTICLE:
            tokens[index] = token._replace(traits=NOUN)  # "a tarde", not "late"
        if token.key in ("há", "faz"):
            _take_span(tokens, index)
        joins = before is None or before.traits & (PUNCTUATION | COORDINATOR)
        if token.key == "se" and (joins or _is_if(tokens, index)):
            tokens[index] = token._replace(traits=OPENER)  # "if", not a reflexive
        if token.key in ("algo", "nada") and before and not before.traits & (COPULA | FEELING | PUNCTUATION):
            tokens[index] = token._replace(traits=NOUN)
    start = 1 if tokens and tokens[0].key == "muito" else 0
    if len(tokens) > start and tokens[start].key in ("obrigado", "obrigada") and not _said_by_others(tokens):
        thanks = tokens[start]
        shown = STANDING | (SIDE_F if thanks.key.endswith("a") else SIDE_M)
        tokens[start] = thanks._replace(traits=shown)
        tokens.insert(start, Token("", thanks.start, thanks.start, "", PRONOUN | STANDING))
    return tokens


_SPANS = frozenset(["horas", "dias", "semanas", "meses", "anos", "minutos", "tempo", "décadas"])


def _take_span(tokens: list[Token], start: int) -> None:
    """Take "há horas", "há muito tempo" for an adverb."""
    for end in range(start + 1, min(start + 4, len(tokens))):
        if tokens[end].key in _SPANS:
            for index in range(start, end + 1):
                tokens[index] = tokens[index]._replace(traits=FUNCTION)


def _is_if(tokens: list[Token], index: int) -> bool:
    """Whether "se" is "if": before a verb of the speaker's, or one that only a condition has."""
    for token in tokens[index + 1 : index + 4]:
        if token.traits & PRONOUN or token.key.endswith("sse"):
            return True
        if token.traits & (PRESENT | COPULA | FINITE):
            return not token.traits & (EITHER | FINITE | ADJECTIVE | NOUN)
        if not token.traits & (FUNCTION | OBJECT):
            break
    return False


def _said_by_others(tokens: list[Token]) -> bool:
    """Whether the sentence goes on as somebody else's speech: "Obrigada, disse ela"."""
    return any(
        before.traits & PUNCTUATION and token.key in ("disse", "respondeu", "diz", "falou")
        for before, token in pairwise(tokens)
    )
