"""Greek: "whole" as a predicate, feminine adjectives recognised by their stress, and final sigma."""

import re
from collections.abc import Mapping

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.rules import Dictionary, LanguageRules
from genderscope.grammar.text import Token, lookup_key

_SYLLABLES = re.compile("αί|εί|οί|υί|ού|αύ|εύ|αι|ει|οι|υι|ου|αυ|ευ|[αεηιουωάέήίόύώϊϋΐΰ]")


def _disambiguate(tokens: list[Token]) -> list[Token]:
    """Treat "whole" without a noun as describing the subject: "τρέμω ολόκληρη"."""
    for index, token in enumerate(tokens[1:], 1):
        if token.key in ("ολόκληρος", "ολόκληρη"):
            after = tokens[index + 1].traits if index + 1 < len(tokens) else t.PUNCTUATION
            before = tokens[index - 1].traits
            behind_verb = before & (t.VERB | t.FUNCTION) and not before & t.PREPOSITION
            if behind_verb and after & (t.PUNCTUATION | t.COORDINATOR | t.PREPOSITION | t.OPENER):
                tokens[index] = token._replace(traits=t.SIDE_F if token.key.endswith("η") else t.SIDE_M)
    return tokens


def _with_adjectives(lexicon: Dictionary, _: Mapping[str, int]) -> Dictionary:
    """Recognise feminine adjectives by their stress: νιόπαντρη, unlike nouns such as νίκη or κίνηση."""

    def traits_of(form: str) -> int:
        traits = lexicon(form)
        if form.endswith(("ιάρης", "ιάρα")):
            return t.ADJECTIVE_F if form.endswith("α") else t.ADJECTIVE_M  # φοβητσιάρης
        if traits in (0, t.KNOWN) and form.endswith("η") and not form.endswith(("ση", "ξη", "ψη")):
            syllables = _SYLLABLES.findall(form)
            if len(syllables) > 2 and set(syllables[-3]) & set("άέήίόύώ"):
                return t.ADJECTIVE_F
        return traits

    return traits_of


def _lookup_form(word: str) -> str:
    """Return the word in lower case, with final Σ as ς."""
    form = lookup_key(word)
    return form[:-1] + "ς" if form.endswith("σ") else form


RULES = LanguageRules(_disambiguate, _with_adjectives, lookup_form=_lookup_form)
