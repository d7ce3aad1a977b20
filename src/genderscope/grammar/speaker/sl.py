"""Slovene: sem, bom with the l-participle, bi without person; indefinite adjectives in -en/-na; rad/rada, sam/sama."""

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
    CONDITIONAL,
    COORDINATOR,
    COPULA,
    DATIVE,
    FEELING,
    FULL,
    FUNCTION,
    NOUN,
    OBJECT,
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
    infinitives=("ti", "či"),
    past_m=("l",),
    past_f="la",
    present=("m",),
    # The feminine accusative in -o is left out: it looks like an adverb ("počutim se slabo").
    adjectives=(AdjectiveEndings(("ega", "emu", "imi", "o"), ("", "i"), "a", ("ega",), ()),),
    lemma_is_masculine=True,
    adjective_lemmas=(
        ("iv", "iva"),
        ("ast", "asta"),
        ("jen", "jena"),
        *((f"{letter}en", f"{letter}na") for letter in "bcčdklmprsštvzž"),
    ),
    guesses=(
        (("ala", "ila", "ela", "kla", "rla", "gla"), PAST_F),
        (("al", "il", "el", "rl"), PAST_M),
        (("an", "en", "ast", "iv", "ejši"), ADJECTIVE_M),
        (("nega",), OBLIQUE_M),
        (("na", "asta", "iva", "ejša", "ska", "čja"), ADJECTIVE_F),
        (("am", "im", "em"), PRESENT),
    ),
)

WORDS = word_table(
    ("sem nisem", AUXILIARY | COPULA),
    ("bom", AUXILIARY | COPULA),
    ("jaz", PRONOUN),
    ("bi nebi", CONDITIONAL),
    ("ostajam ostanem postajam postanem delujem izgledam", COPULA),
    ("prihajam odhajam vračam hodim sedim stojim spim živim ležim", COPULA | PRESENT),
    ("počutim zdim", FEELING),
    ("biti ostati postati", TO_BE),
    ("imam štejem", REGARD | PRESENT),
    ("rad nerad", SIDE_M | FUNCTION | SHORT),
    ("rada nerada", SIDE_F | FUNCTION | SHORT),
    ("sam", SIDE_M | SHORT),
    ("sama", SIDE_F | SHORT),
    ("samega", OBLIQUE_M | SHORT),
    ("prvi zadnji", SIDE_M | ADJECTIVE_M),
    ("prva zadnja", SIDE_F | ADJECTIVE_F),
    ("edini tisti", ADJECTIVE_M),
    ("edina tista", ADJECTIVE_F),
    ("me mene", OBJECT | FUNCTION),
    ("mi meni", DATIVE | FUNCTION),
    ("se si", REFLEXIVE | FUNCTION),
    ("on ona ono oni one midva medve vidva onadva je ni so niso smo nismo ste niste sva nisva sta", OTHER_PERSON),
    ("bo bodo bomo boste boš bova bosta kdo nekdo nihče", OTHER_PERSON),
    ("poln vreden", ADJECTIVE_M | FULL),
    ("polna vredna", ADJECTIVE_F | FULL),
    ("in ter ali a pa ampak toda vendar niti", COORDINATOR),
    ("da ko če ker ki kadar dokler čeprav preden medtem kjer kamor kako", OPENER),
    ("za kot", AS | PREPOSITION | FUNCTION),
    ("v na s z k h o od do po pri pod nad pred med brez čez proti glede razen zaradi kljub namesto", PREPOSITION),
    ("okoli poleg", PREPOSITION),
    ("zelo preveč precej dovolj povsem popolnoma tako tak taka tam tu tukaj zdaj danes včeraj jutri vedno", FUNCTION),
    ("nikoli", FUNCTION),
    ("pogosto včasih še že le samo doma proč nazaj res morda to tem ta tega te ti vi mu ga jo jih jim", FUNCTION),
    ("ji nam nas bolj", FUNCTION),
    ("manj najbolj enako potem takrat prej tja ne ja prav torej saj raje kasneje skupaj zvečer zjutraj", FUNCTION),
    ("ves vsa cel", FUNCTION),
    ("cela svoj svoja svojo moj moja mojo nekaj nič vse vsak vsaka vsako drug druga sebi sebe seboj sabo", FUNCTION),
    ("malo veliko", FUNCTION),
    ("spet znova nekoč večno tudi skoraj sploh enkrat čisto", FUNCTION),
    (
        "nikakor nikomur več ven noter kos svoji teden kamen detektiv mesec leto dan večer čas krat ponedeljek torek",
        FUNCTION,
    ),
    ("petek konec lahko jasno rajši tokrat zmeraj mišic kaj zakaj", FUNCTION),
    ("vodja kolega del dela", NOUN),
    ("močan bolan težak dolžan nov mlad star", ADJECTIVE_M),
    # The dictionary knows these only as nouns (hell, and so on).
    ("pekel tekel vlekel stekel", PAST_M),
    ("pekla tekla vlekla stekla", PAST_F),
)


def reader() -> Callable[[str], Reading]:
    """The function that reads a Slovene text."""
    lexicon = simplemma_lexicon("sl", "sl", FORMS)
    known = without_prefix(("ne", "pre", "naj"), lexicon.traits)

    def dictionary(form: str) -> int:
        if form.endswith(("ejši", "ejša")):  # comparatives, most of which the dictionary lacks
            return ADJECTIVE_M if form.endswith("i") else ADJECTIVE_F
        return known(form)

    return AuxiliaryReader(vocabulary(WORDS, dictionary, FORMS.guesses)).read
