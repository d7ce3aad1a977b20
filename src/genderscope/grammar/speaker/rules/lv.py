"""Latvian: "tas" and "tā" before a relative clause, "whole" before an adjective, participles of prefixed verbs."""

from collections.abc import Mapping

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.rules import Dictionary, LanguageRules
from genderscope.grammar.speaker.rules.lt import take_wholly
from genderscope.grammar.text import Token

_RELATIVES = frozenset(["kas", "ko", "kam", "kurš", "kura", "kuru", "kuram", "kurai"])
_PREFIXES = ("aiz", "ap", "at", "ie", "iz", "no", "pa", "pār", "pie", "sa", "uz")
_NOT_PARTICIPLES = frozenset(["pavasaris", "pavadonis", "aizstāvis"])


def _disambiguate(tokens: list[Token]) -> list[Token]:
    """Treat "tas" and "tā" before a relative clause as "the one" (esmu tā, kas …), elsewhere as "that" and "so"."""
    for index, token in enumerate(tokens[:-2]):
        if token.key in ("viss", "visa"):
            take_wholly(tokens, index)
        if token.key in ("tas", "tā") and tokens[index + 1].word == "," and tokens[index + 2].key in _RELATIVES:
            tokens[index] = token._replace(traits=t.ADJECTIVE_M if token.key == "tas" else t.ADJECTIVE_F)
    return tokens


def _with_participles(lexicon: Dictionary, _: Mapping[str, int]) -> Dictionary:
    """Recognise masculine participles of prefixed verbs (aizmirsis), which the dictionary may list as nouns."""

    def traits_of(form: str) -> int:
        traits = lexicon(form)
        if traits in (0, t.NOUN, t.KNOWN) and form.endswith("is") and form.startswith(_PREFIXES) and len(form) > 6:
            return traits if form in _NOT_PARTICIPLES else t.ADJECTIVE_M | t.PAST_M
        return traits

    return traits_of


RULES = LanguageRules(_disambiguate, _with_participles)
