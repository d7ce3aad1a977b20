"""Ukrainian: noun genders and other traits that the dictionary lacks."""

from collections.abc import Mapping

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.language_file import read_language
from genderscope.grammar.speaker.rules import Dictionary, LanguageRules


def _with_noun_genders(lexicon: Dictionary, _: Mapping[str, int]) -> Dictionary:
    endings = read_language("uk").rules

    def traits_of(form: str) -> int:
        traits = lexicon(form)
        if not traits & t.ADJECTIVE and form.endswith(("іший", "іша")):
            traits |= t.ADJECTIVE_M if form.endswith("й") else t.ADJECTIVE_F
        if form.endswith(("но", "то")):  # adverbs and impersonal participles
            traits = traits & ~t.FINITE | t.FUNCTION
        if form.endswith(("ти", "тися", "тись")) and not traits & (t.NOUN | t.PAST):
            traits |= t.FUNCTION | t.INFINITIVE
        if traits & t.NOUN and not traits & t.PAST:
            if form.endswith(endings["neuter_or_plural"]):
                traits &= ~t.NOUN
            elif form.endswith(("а", "я", "ість")):
                traits |= t.FEMININE
            elif not form.endswith(("ь", *endings["persons"])):
                traits |= t.OBJECTLIKE
        return traits

    return traits_of


RULES = LanguageRules(extend_dictionary=_with_noun_genders)
