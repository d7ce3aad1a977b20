"""Ukrainian: past tense with я or without subject, повинен/повинна, instrumental predicates."""

from __future__ import annotations

from collections.abc import Callable

from genderscope.grammar.dictionaries.forms import AdjectiveEndings, FormRules
from genderscope.grammar.dictionaries.lexicon import simplemma_lexicon
from genderscope.grammar.dictionaries.vocabulary import vocabulary, without_prefix
from genderscope.grammar.reading import Reading
from genderscope.grammar.speaker.subject import SubjectReader
from genderscope.grammar.traits import (
    ADJECTIVE,
    ADJECTIVE_F,
    ADJECTIVE_M,
    AS,
    COORDINATOR,
    COPULA,
    DATIVE,
    FEMININE,
    FINITE,
    FUNCTION,
    INFINITIVE,
    INTRANSITIVE,
    MINE,
    NOUN,
    OBJECT,
    OBJECTLIKE,
    OBLIQUE_F,
    OBLIQUE_M,
    OPENER,
    OTHER_PERSON,
    PAST,
    PAST_F,
    PAST_M,
    PREPOSITION,
    PRESENT,
    PRONOUN,
    REGARD,
    SHORT,
    SIDE_F,
    SIDE_M,
    TO_BE,
    TO_OTHERS,
    word_table,
)

FORMS = FormRules(
    infinitives=("ти", "тися", "тись"),
    # Some verbs lack the -в: міг, ніс, замерз.
    past_m=("в", "г", "к", "х", "с", "з", "р", "б", "п"),
    past_f="ла",
    present=("ю", "у", "м"),
    reflexives=("ся", "сь"),
    keep_finite=True,
    passives=(("ний", "на"), ("тий", "та"), ("мий", "ма")),
    adjectives=(
        AdjectiveEndings(("ого",), ("ий",), "а", ("им",), ("ою",)),
        AdjectiveEndings(("ього",), ("ій",), "я", ("ім",), ("ьою",)),
    ),
    adjective_lemmas=(("ий", "а"),),
    guesses=(
        (("ала", "ила", "їла", "іла", "ула", "ала"), PAST_F),
        (("ав", "ив", "їв", "ів", "ув", "яв"), PAST_M),
        (("алася", "илася", "їлася", "ілася", "улася", "ялася"), PAST_F | INTRANSITIVE),
        (("ався", "ився", "ївся", "івся", "увся", "явся"), PAST_M | INTRANSITIVE),
        (("ла", "лась", "лася"), PAST_F),
        (("лися", "лись", "лося", "лось"), FINITE),
        (("ний", "тий", "вий", "кий", "лий", "чий", "ший"), ADJECTIVE_M),
        (("на", "та", "ва", "ка", "ша"), ADJECTIVE_F),
        (("ним", "тим", "вим", "лим", "шим"), OBLIQUE_M),
        (("ною", "тою", "вою", "лою", "шою"), OBLIQUE_F),
    ),
)

WORDS = word_table(
    ("я", PRONOUN),
    ("мій моя моє мої мого моєї моєму моїй моїм моїми моїх мою", MINE | FUNCTION),
    ("мене", OBJECT | FUNCTION),
    ("мені мною", DATIVE | FUNCTION),
    ("нікому комусь іншим людям їм йому їй вам тобі", TO_OTHERS | FUNCTION),
    ("себе собі собою", FUNCTION),
    ("він", OTHER_PERSON | NOUN),
    ("вона", OTHER_PERSON | NOUN | FEMININE),
    ("воно вони ти ви ми це то", OTHER_PERSON),
    ("хто ніхто хтось кожен кожний", OTHER_PERSON | NOUN),
    ("який яка яке які котрий котра", OTHER_PERSON | OPENER),
    ("сам", SIDE_M | FUNCTION),
    ("сама", SIDE_F | FUNCTION),
    ("один", SIDE_M),
    ("одна", SIDE_F),
    ("одного самого", OBLIQUE_M),
    ("одну саму", OBLIQUE_F),
    ("першим останнім", OBLIQUE_M),
    ("першою останньою", OBLIQUE_F),
    ("перший останній", SIDE_M | ADJECTIVE_M),
    ("перша остання", SIDE_F | ADJECTIVE_F),
    ("повинен винен згоден рад ладен певен зобов'язаний", ADJECTIVE_M | SHORT),
    ("повинна винна згодна рада ладна певна зобов'язана", ADJECTIVE_F | SHORT),
    ("буду стану вважаю почуваюся почуваюсь відчуваю відчую залишаюся залишаюсь стаю здаюся", REGARD | PRESENT),
    ("виглядаю почуваю буваю", REGARD | PRESENT),
    ("буду стану", COPULA),
    ("фінішую приходжу закінчую повертаюся повертаюсь ходжу сплю живу", REGARD | PRESENT | COPULA),
    ("бути стати здаватися залишатися", TO_BE | FUNCTION | INFINITIVE),
    ("був бував стояв лежав горів сидів зник", PAST_M | INTRANSITIVE),
    ("була бувала стояла лежала горіла сиділа зникла", PAST_F | INTRANSITIVE),
    ("і й та а але або чи проте", COORDINATOR | FUNCTION),
    ("що щоб якщо коли тому оскільки хоча поки наче ніби де куди бо", OPENER | FUNCTION),
    ("як", AS | FUNCTION),
    ("в у на з із зі к до о об від по при для під над перед між без через проти крім завдяки за біля", PREPOSITION),
    ("серед про", PREPOSITION),
    ("замість навколо задля щодо після заради", PREPOSITION),
    ("самим самою такою таким цим тим чим яким якою іншим", FUNCTION),
    ("дуже занадто надто так не вже ще завжди ніколи часто іноді теж також тільки лише навіть просто все", FUNCTION),
    ("всі усе", FUNCTION),
    ("день час рік місяць вечір ніч тиждень хвилина двадцять десять п'ять шість сім вісім тридцять сорок", FUNCTION),
    ("чогось щось нічого нікого когось наскільки настільки майже якраз", FUNCTION),
    ("ліг наполіг заліг ніс", PAST_M),
    ("одержимий", ADJECTIVE_M),
    ("одержима", ADJECTIVE_F),
    ("ніж", OPENER | FUNCTION),
    ("тут там зараз сьогодні вчора завтра раз тепер потім тоді вдома такий така би б же ж би бо весь вся", FUNCTION),
    ("увесь уся", FUNCTION),
    ("ні ані свій своя твій твоя наш наша ваш ваша цей ця той інший інша його її їх тебе вас нас більш", FUNCTION),
    ("менш досить цілком зовсім", FUNCTION),
    ("достатньо трохи недостатньо", FUNCTION),
)


def reader() -> Callable[[str], Reading]:
    """The function that reads a Ukrainian text."""
    return SubjectReader(vocabulary(WORDS, ukrainian_traits(), FORMS.guesses)).read


def ukrainian_traits() -> Callable[[str], int]:
    """The dictionary's traits, with the gender of nouns, which it lacks."""
    known = without_prefix(("не", "най"), simplemma_lexicon("uk", "uk", FORMS).traits)

    def traits_of(form: str) -> int:
        traits = known(form)
        if not traits & ADJECTIVE and form.endswith(("іший", "іша")):
            traits |= ADJECTIVE_M if form.endswith("й") else ADJECTIVE_F
        if form.endswith(("но", "то")):  # adverbs, and participles without subject
            traits = traits & ~FINITE | FUNCTION
        if form.endswith(FORMS.infinitives) and not traits & (NOUN | PAST):
            traits |= FUNCTION | INFINITIVE
        if traits & NOUN and not traits & PAST:
            traits = traits & ~NOUN if form.endswith(_NEUTER_OR_PLURAL) else traits | _noun_gender(form)
        return traits

    return traits_of


def _noun_gender(form: str) -> int:
    if form.endswith(("а", "я", "ість")):
        return FEMININE
    if form.endswith("ь"):
        return 0
    # Persons have an accusative of their own, so only things can be taken for the object.
    return 0 if form.endswith(_PERSONS) else OBJECTLIKE


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
