"""Czech: jsem, bych with the l-participle; adjectives in -ý/-á and short in -n/-na; rád/ráda, sám/sama."""

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
    infinitives=("t", "ti", "ci"),
    past_m=("l",),
    past_f="la",
    present=("m", "u", "i"),
    # Soft adjectives in -í show no gender, so they are left out.
    adjectives=(AdjectiveEndings(("ého",), ("ý",), "á", ("ého", "ým"), ("ou",)),),
    short_forms=True,
    adjective_lemmas=(("ý", "á"),),
    guesses=(
        (("la",), PAST_F),
        (("l",), PAST_M),
        (("ý",), ADJECTIVE_M),
        (("á",), ADJECTIVE_F),
        (("án", "en"), ADJECTIVE_M | SHORT),
        (("ána", "ena"), ADJECTIVE_F | SHORT),
        (("uji", "uju", "ám", "ím", "edu"), PRESENT),
    ),
)

WORDS = word_table(
    ("jsem nejsem", AUXILIARY | COPULA),
    ("bych nebych", AUXILIARY),
    ("abych kdybych jakobych", AUXILIARY | OPENER),
    ("já", PRONOUN),
    ("budu nebudu zůstávám zůstanu nezůstanu působím nepůsobím vypadám nevypadám bývám", COPULA),
    ("přicházím odcházím vracím chodím sedím stojím spím žiju žiji umírám ležím", COPULA | PRESENT),
    ("cítím necítím připadám nepřipadám", FEELING),
    ("být zůstat", TO_BE),
    ("považuji považuju nepovažuji nepovažuju pokládám nepokládám vnímám vidím stanu stávám", REGARD),
    ("rád nerad nerád", SIDE_M | FUNCTION | SHORT),
    ("ráda nerada neráda", SIDE_F | FUNCTION | SHORT),
    ("sám", SIDE_M | SHORT),
    ("sama", SIDE_F | SHORT),
    ("samotného", OBLIQUE_M | SHORT),
    ("samotnou samu", OBLIQUE_F | SHORT),
    ("poslední první", FUNCTION),
    ("ten", ADJECTIVE_M),
    ("ta", ADJECTIVE_F),
    ("mě mne", OBJECT | FUNCTION),
    ("se si", REFLEXIVE | FUNCTION),
    ("on ona ono oni ony ty vy my je není jsou nejsou jsme jste jsi bude budou budeme budete který", OTHER_PERSON),
    ("která kdo", OTHER_PERSON),
    ("někdo nikdo aby kdyby abys kdybys bys abyste kdybyste byste", OTHER_PERSON),
    ("schopen hoden povinen vědom jist šťasten spokojen zdráv živ hotov laskav ochoten", ADJECTIVE_M | SHORT),
    ("vědoma jista zdráva živa hotova laskava", ADJECTIVE_F | SHORT),
    ("plný plnýho hodný vděčný schopný", ADJECTIVE_M | FULL),
    ("plná hodná vděčná schopná", ADJECTIVE_F | FULL),
    ("a i ale ani nebo či však", COORDINATOR),
    ("že když jestli protože ačkoli ačkoliv dokud zatímco takže kde kam jelikož", OPENER),
    ("aby kdyby", OPENER),
    ("za jako", AS | PREPOSITION | FUNCTION),
    ("v ve na s z ze k ke ku o od do po při pro pod nad před mezi bez přes proti podle kromě během", PREPOSITION),
    ("díky kvůli", PREPOSITION),
    ("navzdory místo ohledně vůči okolo vedle uprostřed pomocí oproti naproti", PREPOSITION),
    ("velmi velice příliš dost docela úplně tak taký takový taková tam tu teď nyní dnes včera zítra vždy", FUNCTION),
    ("vždycky", FUNCTION),
    ("nikdy často někdy stále pořád už ještě jen jenom doma pryč zpět opravdu skutečně asi možná to tom", FUNCTION),
    ("toto tím", FUNCTION),
    ("mi mně ti tě jí mu ho jej je jich jim více méně nejvíce stejně potom tehdy předtím sem ne ano právě", FUNCTION),
    ("tedy vždyť", FUNCTION),
    ("spíš spíše později spolu večer ráno celý celou celá svůj svou svoje svoji můj moje má něco nic", FUNCTION),
    ("všechno všechny", FUNCTION),
    ("každý každá každou jiný jiná tento tato jeden jedna sobě sebe sebou trochu hodně málo tolik proč", FUNCTION),
    ("zase znovu opět", FUNCTION),
    ("jednou navždy také taky", FUNCTION),
    ("vedoucí známý známá dospělý dospělá příbuzný příbuzná nadřízený nadřízená", NOUN),
)


def reader() -> Callable[[str], Reading]:
    """The function that reads a Czech text."""
    lexicon = simplemma_lexicon("cs", "cs", FORMS)
    return AuxiliaryReader(vocabulary(WORDS, without_prefix(("ne",), lexicon.traits), FORMS.guesses)).read
