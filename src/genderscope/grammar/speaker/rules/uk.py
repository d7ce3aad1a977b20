"""Ukrainian: noun genders and other traits that the dictionary lacks."""

from collections.abc import Mapping

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.rules import Dictionary, LanguageRules

_NEUTER_OR_PLURAL = ("о", "е", "є", "и", "і", "ї", "ння", "ття", "еня", "оля")
_PERSONS = (
    "ник",
    "тель",
    "ер",
    "ор",
    "ар",
    "яр",
    "ець",
    "іст",
    "ист",
    "ач",
    "брат",
    "друг",
    "син",
    "чоловік",
    "бос",
    "пес",
)


def _with_noun_genders(lexicon: Dictionary, _: Mapping[str, int]) -> Dictionary:
    def traits_of(form: str) -> int:
        traits = lexicon(form)
        if not traits & t.ADJECTIVE and form.endswith(("іший", "іша")):
            traits |= t.ADJECTIVE_M if form.endswith("й") else t.ADJECTIVE_F
        if form.endswith(("но", "то")):  # adverbs and impersonal participles
            traits = traits & ~t.FINITE | t.FUNCTION
        if form.endswith(("ти", "тися", "тись")) and not traits & (t.NOUN | t.PAST):
            traits |= t.FUNCTION | t.INFINITIVE
        if traits & t.NOUN and not traits & t.PAST:
            traits = traits & ~t.NOUN if form.endswith(_NEUTER_OR_PLURAL) else traits | _noun_gender(form)
        return traits

    return traits_of


def _noun_gender(form: str) -> int:
    if form.endswith(("а", "я", "ість")):
        return t.FEMININE
    # Nouns for persons have a distinct accusative, so only things can be mistaken for the object.
    return 0 if form.endswith(("ь", *_PERSONS)) else t.OBJECTLIKE


RULES = LanguageRules(extend_dictionary=_with_noun_genders)
