"""Object pronouns written onto an infinitive: Spanish dejarla, Italian lasciarlo."""

from __future__ import annotations

from genderscope.grammar.text import Token
from genderscope.grammar.traits import ARTICLE_F, ARTICLE_M, INFINITIVE, LEAVES


def with_enclitics(tokens: list[Token], leaving: str) -> list[Token]:
    """Show the pronoun's gender on its infinitive, and whether the verb is one of those that leave somebody (alone)."""
    leaves = tuple(verb.rstrip("e") for verb in leaving.split())
    for index, token in enumerate(tokens):
        if token.traits & INFINITIVE and token.key.endswith(("rla", "rlo")):
            shown = ARTICLE_F if token.key.endswith("a") else ARTICLE_M
            left = LEAVES if token.key.startswith(leaves) else 0
            tokens[index] = token._replace(traits=token.traits | shown | left)
    return tokens
