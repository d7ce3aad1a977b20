"""Polish: the verb itself shows person and gender (-łem/-łam, -łbym/-łabym); będę, żebym, gdybym with -ł/-ła."""

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
    OWN_F,
    OWN_M,
    PAST,
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
    infinitives=("ć", "c"),
    past_m=("ł",),
    past_f="ła",
    present=("m", "ę"),
    adjectives=(
        AdjectiveEndings(("ego",), ("y", "i", ""), "a", ("ego", "ym"), ("ą",)),
        AdjectiveEndings(("iego",), ("i",), "a", ("iego", "im"), ("ą",)),
    ),
    passives=(("ny", "na"), ("ty", "ta")),
    adjective_lemmas=(("ny", "na"),),
    guesses=(
        (("owałam", "iłam", "yłam", "ałam", "nęłam", "owałabym", "iłabym", "yłabym", "ałabym"), OWN_F),
        (("owałem", "iłem", "yłem", "ałem", "nąłem", "owałbym", "iłbym", "yłbym", "ałbym"), OWN_M),
        (("owała",), PAST_F),
        (("ował",), PAST_M),
        (("ny", "wy"), ADJECTIVE_M),
        (("na", "wa"), ADJECTIVE_F),
        (("uję",), PRESENT),
    ),
)

WORDS = word_table(
    ("jestem", COPULA | PRESENT),
    ("będę", AUXILIARY | COPULA),
    ("bym", AUXILIARY),
    ("żebym gdybym abym ażebym jakbym iżbym", AUXILIARY | OPENER),
    ("ja", PRONOUN),
    ("powinienem winienem powinienbym", OWN_M),
    ("powinnam winnam powinnabym", OWN_F),
    ("zostaję zostanę pozostaję pozostanę bywam wyglądam", COPULA | PRESENT),
    ("przychodzę wychodzę wracam chodzę siedzę stoję śpię żyję umieram leżę kończę idę jadę", COPULA | PRESENT),
    ("czuję poczuję staję stanę robię", FEELING),
    ("być zostać pozostać", TO_BE),
    ("uważam postrzegam widzę", REGARD | PRESENT),
    ("rad nierad", SIDE_M | FUNCTION | SHORT),
    ("rada nierada", SIDE_F | SHORT),
    ("sam", SIDE_M | SHORT),
    ("sama", SIDE_F | SHORT),
    ("samego samym", OBLIQUE_M | SHORT),
    ("samą", OBLIQUE_F | SHORT),
    ("pierwszy ostatni", SIDE_M | ADJECTIVE_M),
    ("pierwsza ostatnia", SIDE_F | ADJECTIVE_F),
    ("jedyny ten", ADJECTIVE_M),
    ("jedyna ta", ADJECTIVE_F),
    ("mnie", OBJECT | FUNCTION),
    ("się", REFLEXIVE | FUNCTION),
    ("on ona ono oni one ty wy my jest są jesteś jesteśmy jesteście będzie będą będziesz będziemy", OTHER_PERSON),
    ("który która kto", OTHER_PERSON),
    ("ktoś nikt byś by żeby gdyby aby", OTHER_PERSON),
    # Presents of verbs in -łać, where a shorter verb's past would look the same.
    ("działam zadziałam podziałam zdziałam wołam zdołam", PRESENT),
    ("żeby gdyby aby", OPENER),
    ("pewien gotów wart ciekaw świadom zdrów pełen winien żyw wesół łaskaw", ADJECTIVE_M | SHORT),
    ("pełny godny wdzięczny pewny świadomy ciekawy warty", ADJECTIVE_M | FULL),
    ("pełna godna wdzięczna pewna świadoma ciekawa warta", ADJECTIVE_F | FULL),
    ("i a ale lub albo oraz ani czy więc lecz", COORDINATOR),
    ("że kiedy gdy jeśli jeżeli bo ponieważ chociaż choć dopóki podczas gdzie dokąd co jak", OPENER),
    ("za jako", AS | PREPOSITION | FUNCTION),
    ("w we na z ze k ku o od do po przy dla pod nad przed między bez przez przeciw według oprócz", PREPOSITION),
    ("dzięki wobec wśród", PREPOSITION),
    ("mimo zamiast wokół obok pośród u niż poza względem", PREPOSITION),
    ("bardzo zbyt dość całkiem zupełnie tak taki taka tam tu tutaj teraz dziś dzisiaj wczoraj jutro", FUNCTION),
    ("zawsze nigdy często", FUNCTION),
    ("czasem czasami wciąż już jeszcze tylko naprawdę może to tym tego mi ci cię jej mu go ich im", FUNCTION),
    ("bardziej mniej", FUNCTION),
    ("najbardziej równie potem wtedy przedtem nie właśnie więc raczej później razem wieczorem rano cały", FUNCTION),
    ("cała całą", FUNCTION),
    ("swój swoja swoją mój moja moją coś nic wszystko każdy każda każdą inny inna jeden jedna", FUNCTION),
    ("sobie siebie sobą", FUNCTION),
    ("trochę dużo mało tyle dlaczego znowu znów raz też także prawie kiedyś niemal", FUNCTION),
    ("tyłem czołem dołem stołem kołem działem", FUNCTION),
    ("znajomy znajoma dorosły dorosła krewny krewna przełożony przełożona", NOUN),
)


def reader() -> Callable[[str], Reading]:
    """The function that reads a Polish text."""
    lexicon = simplemma_lexicon("pl", "pl", FORMS)

    known = without_prefix(("nie",), lexicon.traits)

    def dictionary(form: str) -> int:
        return _own_form(form, known) or known(form)

    return AuxiliaryReader(vocabulary(WORDS, dictionary, FORMS.guesses)).read


def _own_form(form: str, traits_of: Callable[[str], int]) -> int:
    """First-person past and conditional: the third person, which the dictionary has, with -em, -am, -bym."""
    for ending, third_person, own in _PERSONAL:
        if form.endswith(ending) and traits_of(form[: len(form) - len(ending)] + third_person) & PAST:
            return own
    return 0


# Before the longer endings are tried, the shorter ones could not match them: -łabym does not end in -łbym.
_PERSONAL = (("łabym", "ła", OWN_F), ("łbym", "ł", OWN_M), ("łam", "ła", OWN_F), ("łem", "ł", OWN_M))
