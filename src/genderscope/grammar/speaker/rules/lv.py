"""Latvian: "tas" and "tā" before relative clauses, "whole" before adjectives, and participles of prefixed verbs."""

from collections.abc import Mapping

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.language_file import read_language
from genderscope.grammar.speaker.rules import Dictionary, LanguageRules
from genderscope.grammar.speaker.rules.lt import take_wholly
from genderscope.grammar.text import Token


def _disambiguate(tokens: list[Token]) -> list[Token]:
    """Treat "tas" and "tā" before a relative clause as "the one" (esmu tā, kas …), elsewhere as "that" and "so"."""
    relatives = read_language("lv").rules["relatives"]
    for index, token in enumerate(tokens[:-2]):
        if token.key in ("viss", "visa"):
            take_wholly(tokens, index)
        if token.key in ("tas", "tā") and tokens[index + 1].word == "," and tokens[index + 2].key in relatives:
            tokens[index] = token._replace(traits=t.ADJECTIVE_M if token.key == "tas" else t.ADJECTIVE_F)
    return tokens


def _with_participles(lexicon: Dictionary, _: Mapping[str, int]) -> Dictionary:
    """Recognise masculine participles of prefixed verbs (aizmirsis), which the dictionary may list as nouns."""

    words = read_language("lv").rules

    def traits_of(form: str) -> int:
        traits = lexicon(form)
        prefixed = form.endswith("is") and form.startswith(words["prefixes"]) and len(form) > 6
        if traits in (0, t.NOUN, t.KNOWN) and prefixed:
            return traits if form in words["not_participles"] else t.ADJECTIVE_M | t.PAST_M
        return traits

    return traits_of


RULES = LanguageRules(_disambiguate, _with_participles)
