"""What is drawn out of a dictionary of forms and lemmas, on a few words of Spanish and Bulgarian."""

from genderscope.grammar.dictionaries.agreement_forms import Agreeing, index_agreeing
from genderscope.grammar.speaker.language_file import read_language
from genderscope.grammar.traits import ADJECTIVE_F, ADJECTIVE_M, COMMON, FUNCTION, INFINITIVE, NOUN, PAST_F, PRESENT

SPANISH = {
    "cansado": "cansar",
    "cansada": "cansar",
    "cansar": "cansar",
    "canso": "cansar",
    "cansaba": "cansar",
    "cansando": "cansar",
    "rojo": "rojo",
    "roja": "rojo",
    "mesa": "mesa",
    "artista": "artista",
    "rápidamente": "rápidamente",
    "cantadora": "cantador",
}


def forms_of(language):
    forms = read_language(language).forms
    assert isinstance(forms, Agreeing)
    return forms


def test_feminines_tell_adjectives_and_participles_of_a_dictionary_without_parts_of_speech():
    traits = index_agreeing(SPANISH, forms_of("es"))
    assert traits["cansada"] & ADJECTIVE_F
    assert traits["cansada"] & PAST_F
    assert traits["cansado"] & ADJECTIVE_M
    assert traits["roja"] & ADJECTIVE_F
    assert not traits["roja"] & PAST_F
    assert traits["rojo"] & ADJECTIVE_M
    assert traits["cantadora"] & ADJECTIVE_F


def test_what_is_no_adjective_is_a_verb_a_noun_or_an_adverb():
    traits = index_agreeing(SPANISH, forms_of("es"))
    assert traits["canso"] & PRESENT
    assert traits["cansar"] & INFINITIVE
    assert traits["cansando"] & INFINITIVE
    assert traits["mesa"] & NOUN
    assert not traits["mesa"] & ADJECTIVE_F
    assert traits["artista"] & COMMON
    assert traits["rápidamente"] & FUNCTION


def test_a_dictionary_may_list_forms_with_the_article():
    words = {"уморен": "уморен", "уморена": "уморен", "уморени": "уморен", "уморената": "уморен", "маса": "маса"}
    traits = index_agreeing(words, forms_of("bg"))
    assert traits["уморена"] & ADJECTIVE_F
    assert traits["уморен"] & ADJECTIVE_M
    assert not traits["маса"] & ADJECTIVE_F
