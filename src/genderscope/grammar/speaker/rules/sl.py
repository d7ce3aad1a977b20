"""Slovene: the dictionary lacks most comparatives in -ejši/-ejša."""

from collections.abc import Mapping

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.rules import Dictionary, LanguageRules


def _with_comparatives(lexicon: Dictionary, _: Mapping[str, int]) -> Dictionary:
    def traits_of(form: str) -> int:
        if form.endswith(("ejši", "ejša")):
            return t.ADJECTIVE_M if form.endswith("i") else t.ADJECTIVE_F
        return lexicon(form)

    return traits_of


RULES = LanguageRules(extend_dictionary=_with_comparatives)
