"""Polish: past tense and conditional mark both person and gender (-łem/-łam, -łbym/-łabym)."""

from collections.abc import Mapping

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.rules import Dictionary, LanguageRules

# First-person ending, third-person ending as listed in the dictionary, and trait.
_PERSONAL = (("łabym", "ła", t.OWN_F), ("łbym", "ł", t.OWN_M), ("łam", "ła", t.OWN_F), ("łem", "ł", t.OWN_M))


def _with_first_person(lexicon: Dictionary, _: Mapping[str, int]) -> Dictionary:
    def traits_of(form: str) -> int:
        for ending, third_person, own in _PERSONAL:
            if form.endswith(ending) and lexicon(form.removesuffix(ending) + third_person) & t.PAST:
                return own
        return lexicon(form)

    return traits_of


RULES = LanguageRules(extend_dictionary=_with_first_person)
