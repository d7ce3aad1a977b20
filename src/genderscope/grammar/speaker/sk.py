"""Slovak: som, by som with the l-participle; adjectives in -ý/-á; rád/rada, sám/sama."""

from __future__ import annotations

from collections.abc import Callable

from genderscope.grammar.dictionaries.forms import AdjectiveEndings, FormRules
from genderscope.grammar.dictionaries.lexicon import simplemma_lexicon
from genderscope.grammar.dictionaries.vocabulary import vocabulary, without_prefix
from genderscope.grammar.reading import Reading
from genderscope.grammar.speaker.auxiliary import AuxiliaryReader
from genderscope.grammar.traits import (
    ADJECTIVE_F,
    ADJECTIVE_M,
    AS,
    AUXILIARY,
    COORDINATOR,
    COPULA,
    FEELING,
    FULL,
    FUNCTION,
    NOUN,
    OBJECT,
    OBLIQUE_F,
    OBLIQUE_M,
    OPENER,
    OTHER_PERSON,
    PAST_F,
    PAST_M,
    PREPOSITION,
    PRESENT,
    PRONOUN,
    REFLEXIVE,
    REGARD,
    SHORT,
    SIDE_F,
    SIDE_M,
    TO_BE,
    word_table,
)

FORMS = FormRules(
    infinitives=("ť",),
    past_m=("l",),
    past_f="la",
    present=("m",),
    adjectives=(
        AdjectiveEndings(("ého",), ("ý",), "á", ("ého",), ("ú",)),
        AdjectiveEndings(("eho",), ("y", "i"), "a", ("eho",), ("u",)),
        AdjectiveEndings(("ieho",), ("í",), "ia", ("ieho",), ("iu",)),
    ),
    adjective_lemmas=(("ý", "á"),),
    guesses=(
        (("la",), PAST_F),
        (("l",), PAST_M),
        (("ý", "ny"), ADJECTIVE_M),
        (("á", "na"), ADJECTIVE_F),
        (("ám", "ím", "em"), PRESENT),
    ),
)

WORDS = word_table(
    ("som", AUXILIARY | COPULA),
    ("ja", PRONOUN),
    ("budem nebudem zostávam zostanem nezostanem ostávam ostanem pôsobím nepôsobím vyzerám nevyzerám bývam", COPULA),
    # Verbs of moving and resting take a predicate as well: "I come home tired".
    ("prichádzam odchádzam vraciam chodím sedím stojím spím žijem umieram ležím", COPULA | PRESENT),
    ("cítim necítim pripadám nepripadám stávam stanem nestanem", FEELING),
    ("byť zostať ostať", TO_BE),
    ("považujem nepovažujem pokladám nepokladám vnímam vidím", REGARD),
    ("rád nerád", SIDE_M | FUNCTION | SHORT),
    ("rada nerada ráda neráda", SIDE_F | FUNCTION | SHORT),
    ("sám", SIDE_M | SHORT),
    ("sama", SIDE_F | SHORT),
    ("samého", OBLIQUE_M | SHORT),
    ("samú", OBLIQUE_F | SHORT),
    ("prvý posledný", SIDE_M | ADJECTIVE_M),
    ("prvá posledná", SIDE_F | ADJECTIVE_F),
    ("ma mňa", OBJECT | FUNCTION),
    ("sa si", REFLEXIVE | FUNCTION),
    ("on ona ono oni ony ty vy my je sú sme ste bude budú budeme budete ktorý ktorá kto niekto nikto", OTHER_PERSON),
    ("plný hodný vďačný schopný", ADJECTIVE_M | FULL),
    ("plná hodná vďačná schopná", ADJECTIVE_F | FULL),
    ("jediný jedinečný ten", ADJECTIVE_M),
    ("tá", ADJECTIVE_F),
    ("a i ale aj ani alebo či no", COORDINATOR),
    ("že keď aby ak pretože lebo hoci kým keby zatiaľ takže kde kam", OPENER),
    ("za ako", AS | PREPOSITION | FUNCTION),
    ("v vo na s so z zo k ku o od do po pri pre pod nad pred medzi bez cez proti podľa okrem počas", PREPOSITION),
    ("vďaka kvôli", PREPOSITION),
    ("napriek namiesto ohľadom voči okolo vedľa blízko uprostred pomocou oproti", PREPOSITION),
    ("veľmi príliš dosť celkom úplne tak taký taká tam tu teraz dnes včera zajtra vždy nikdy často", FUNCTION),
    ("niekedy stále", FUNCTION),
    ("ešte len iba doma preč späť naozaj skutočne asi možno to tom toto tým mi mne ti ťa jej mu ho ich im", FUNCTION),
    ("už", FUNCTION),
    ("viac menej najviac rovnako potom vtedy predtým sem nie áno práve však teda veď skôr neskôr spolu", FUNCTION),
    ("večer ráno", FUNCTION),
    ("celý celú svoj svoju svoje môj moja moje môjho niečo nič všetko každý každá každú iný iná tento táto", FUNCTION),
    ("jeden jedna sebe seba sebou trochu trocha veľa málo toľko prečo zase zas znova opäť raz navždy", FUNCTION),
    ("vedúci vedúca známy známa dospelý dospelá príbuzný príbuzná", NOUN),
)


def reader() -> Callable[[str], Reading]:
    """The function that reads a Slovak text."""
    lexicon = simplemma_lexicon("sk", "sk", FORMS)
    return AuxiliaryReader(vocabulary(WORDS, without_prefix(("ne", "naj"), lexicon.traits), FORMS.guesses)).read
