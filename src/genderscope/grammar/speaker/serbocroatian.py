"""What Croatian and Serbian share: sam, bih with the participle in -o/-la; umoran/umorna; sam, "am" or "alone"."""

from __future__ import annotations

from collections.abc import Callable

from genderscope.grammar.dictionaries.forms import AdjectiveEndings, FormRules
from genderscope.grammar.dictionaries.lexicon import simplemma_lexicon
from genderscope.grammar.dictionaries.vocabulary import vocabulary, without_prefix
from genderscope.grammar.reading import Reading
from genderscope.grammar.speaker.auxiliary import AuxiliaryReader
from genderscope.grammar.text import Token, lookup_key
from genderscope.grammar.traits import (
    ADJECTIVE,
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
    OBLIQUE_M,
    OPENER,
    OTHER_PERSON,
    PAST,
    PAST_F,
    PAST_M,
    PREPOSITION,
    PRESENT,
    PRONOUN,
    PUNCTUATION,
    REFLEXIVE,
    REGARD,
    SHORT,
    SIDE_F,
    SIDE_M,
    TO_BE,
    word_table,
)

FORMS = FormRules(
    infinitives=("ti", "ći"),
    past_m=("o", "ao", "io", "eo", "uo"),
    past_f="la",
    present=("m",),
    adjectives=(
        AdjectiveEndings(("og", "oj", "ih", "o"), ("", "i"), "a", ("og", "oga", "im"), ("u", "om")),
        AdjectiveEndings(("eg",), ("", "i"), "a", ("eg", "ega", "im"), ("u", "om")),
    ),
    lemma_is_masculine=True,
    passives=(("n", "na"), ("t", "ta")),
    guesses=(
        (("la",), PAST_F),
        (("io", "ao", "eo", "uo"), PAST_M),
        (("an", "en", "iv", "ast", "ut", "av"), ADJECTIVE_M),
        (("na", "iva", "asta", "uta", "ava"), ADJECTIVE_F),
        (("am", "im", "em"), PRESENT),
    ),
)

WORDS = word_table(
    ("sam nisam jesam nijesam", AUXILIARY | COPULA),
    ("budem", AUXILIARY | COPULA),
    ("bih", AUXILIARY),
    ("ja", PRONOUN),
    ("ću neću hoću mogu", PRESENT),
    ("ostajem ostanem postajem postanem djelujem delujem izgledam", COPULA),
    ("dolazim idem odlazim vraćam hodam sjedim sedim stojim spavam živim ležim završim završavam", COPULA | PRESENT),
    ("osjećam osećam činim", FEELING),
    ("biti bit ostati postati", TO_BE),
    ("odrasla", PAST_F | ADJECTIVE_F),
    ("smatram držim", REGARD | PRESENT),
    ("rad", SIDE_M | FUNCTION | SHORT),
    ("rada", SIDE_F | FUNCTION | SHORT),
    ("sama", SIDE_F | SHORT),
    ("samog samoga", OBLIQUE_M | SHORT),
    ("prvi posljednji poslednji zadnji", SIDE_M | ADJECTIVE_M),
    ("prva posljednja poslednja zadnja", SIDE_F | ADJECTIVE_F),
    ("jedini dužan taj onaj", ADJECTIVE_M),
    ("jedina dužna ta", ADJECTIVE_F),
    ("me mene", OBJECT | FUNCTION),
    ("se", REFLEXIVE | FUNCTION),
    ("on ona ono oni one ti vi mi je nije su nisu smo nismo ste niste si nisi bi bismo biste će neće", OTHER_PERSON),
    ("ćemo ćete", OTHER_PERSON),
    ("ćeš netko neko nitko niko", OTHER_PERSON),
    ("koji koja", OTHER_PERSON | OPENER),
    ("pun vrijedan vredan svjestan svestan siguran", ADJECTIVE_M | FULL),
    ("puna vrijedna vredna svjesna svesna sigurna", ADJECTIVE_F | FULL),
    ("i a ili te ali pa ni niti nego već", COORDINATOR),
    ("da kad kada ako jer dok što šta iako premda čim gdje gde kamo koje kojeg kojoj kojim kojima koju kako", OPENER),
    ("otkad", OPENER),
    ("zašto čiji tko ko koliko", OPENER),
    ("za kao", AS | PREPOSITION | FUNCTION),
    ("u na s sa iz k ka o od do po pri pod nad pred među bez kroz protiv prema osim tijekom tokom zbog", PREPOSITION),
    ("unatoč", PREPOSITION),
    ("umjesto umesto oko pored pokraj usred uz radi nakon prije pre poslije posle", PREPOSITION),
    ("vrlo veoma jako previše dosta dovoljno sasvim potpuno tako takav takva tamo tu ovdje ovde sada", FUNCTION),
    ("danas jučer juče", FUNCTION),
    ("sutra uvijek uvek nikad nikada često ponekad još samo doma kući natrag nazad stvarno zaista možda", FUNCTION),
    ("to tom toga", FUNCTION),
    ("time mi mu ga je ju ih im joj nam nas više manje najviše jednako onda tada ne da baš dakle radije", FUNCTION),
    ("kasnije", FUNCTION),
    ("zajedno navečer uveče ujutro ujutru cijeli ceo cijela cela svoj svoja svoju moj moja moju nešto", FUNCTION),
    ("ništa sve svaki", FUNCTION),
    ("svaka svaku drugi druga sebi sebe sobom malo puno mnogo opet ponovo ponovno jednom zauvijek zauvek", FUNCTION),
    ("također", FUNCTION),
    ("takođe dana puta vremena prilično tek skoro gotovo inače obično", FUNCTION),
    ("vođa kolega arhitekta", NOUN),
    ("treba može mora ima", OTHER_PERSON),
)

_ALONE = SIDE_M | SHORT


def settle_sam(tokens: list[Token]) -> list[Token]:
    """``sam`` is "alone" beside another first-person verb that has no participle to offer it, else "am"."""
    if not any(token.key == "sam" for token in tokens):
        return tokens
    settled = list(tokens)
    start = 0
    for end in range(len(tokens) + 1):
        if end == len(tokens) or tokens[end].traits & (PUNCTUATION | OPENER | COORDINATOR):
            _settle_stretch(settled, start, end)
            start = end + 1
    return settled


def _settle_stretch(tokens: list[Token], start: int, end: int) -> None:
    """Settle every ``sam`` between two joints of the sentence; each counts among the verbs that the next ones see."""
    traits = [token.traits for token in tokens[start:end]]
    auxiliaries = sum(bool(each & AUXILIARY) for each in traits)
    verbs = sum(bool(each & (PRESENT | FEELING)) for each in traits)
    offers = sum(bool(each & (PAST | ADJECTIVE)) for each in traits)
    for index in range(start, end):
        # It is an auxiliary itself, so it takes a second one to speak for "alone".
        if tokens[index].key == "sam" and (auxiliaries > 1 or (verbs and not offers)):
            auxiliaries -= 1
            tokens[index] = tokens[index]._replace(traits=_ALONE)


def shared_reader(language: str, key_of: Callable[[str], str] = lookup_key) -> Callable[[str], Reading]:
    """The function that reads a text in either language."""
    lexicon = simplemma_lexicon("hbs", language, FORMS)
    dictionary = without_prefix(("ne", "pre", "naj"), lexicon.traits)
    return AuxiliaryReader(vocabulary(WORDS, dictionary, FORMS.guesses, key_of), settle_sam).read
