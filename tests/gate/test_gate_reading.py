"""Readings of single people: our own sentences, labelled before they were read, and alternatives."""

import pytest

from genderscope.grammar.both_forms import alternatives
from genderscope.measures.gate.reading import DIFFERENT, MALFORMED, NOT_FOUND, read_people
from genderscope.samples.gate import GatePerson, GateSentence


def person(entity, masculine=(), feminine=()):
    return GatePerson(entity, "subject", "profession", entity.endswith("s"), masculine, feminine)


def read(source, language, translation, *people):
    return read_people(GateSentence(0, source, language, people), translation)


#: source, person, language, translation, gender, how
CASES = [
    ("The baker and the tourist waited.", "tourist", "es", "El panadero y la turista esperaron.", "feminine", None),
    ("The baker and the tourist waited.", "baker", "es", "El panadero y la turista esperaron.", "masculine", None),
    ("My boss is late.", "boss", "es", "Mi jefe llega tarde.", "masculine", None),
    ("My boss is late.", "boss", "es", "Mi jefa llega tarde.", "feminine", None),
    ("My colleague is here.", "colleague", "es", "Mi colega está aquí.", "neutral", "same form"),
    ("My colleague is tired.", "colleague", "es", "Mi colega está cansada.", "feminine", None),
    ("The students laughed.", "students", "es", "El alumnado se rió.", "neutral", "rewording"),
    ("The students laughed.", "students", "es", "Las y los estudiantes se rieron.", "neutral", "both forms"),
    ("The doctor left.", "doctor", "es", "El/la médico salió.", "neutral", "both forms"),
    ("Our neighbors sang.", "neighbors", "es", "Nuestras vecinas cantaron.", "feminine", None),
    ("The singers are good.", "singers", "fr", "Les chanteuses sont bonnes.", "feminine", None),
    ("The journalists left.", "journalists", "fr", "Les journalistes sont partis.", "masculine", None),
    ("The journalists smile.", "journalists", "fr", "Les journalistes sourient.", "neutral", "same form"),
    ("I thanked that author.", "author", "it", "Ho ringraziato quell'autore.", "masculine", None),
    ("I thanked that author.", "author", "it", "Ho ringraziato quell'autrice.", "feminine", None),
    ("Many citizens voted.", "citizens", "it", "Molte cittadine hanno votato.", "feminine", None),
    ("We help our customers.", "customers", "de", "Wir helfen den Wünschen unserer Kunden.", "masculine", None),
    ("The teachers met.", "teachers", "de", "Die Lehrkräfte trafen sich.", "neutral", "rewording"),
    ("The teachers met.", "teachers", "de", "Die Lehrer:innen trafen sich.", "neutral", "both forms"),
    ("All the guests danced.", "guests", "pt", "Todos os convidados dançaram.", "masculine", None),
    ("I wrote to all the guests.", "guests", "pt", "Escrevi a todas as convidadas.", "feminine", None),
    ("The friend came.", "friend", "ru", "Подруга пришла.", "feminine", None),
    ("The author spoke.", "author", "ru", "Автор сказала.", "feminine", None),
    ("The author spoke.", "author", "ru", "Автор сказал.", "masculine", None),
]


@pytest.mark.parametrize(("source", "entity", "language", "translation", "gender", "how"), CASES)
def test_a_person_is_read_as_labelled(source, entity, language, translation, gender, how):
    [found] = read(source, language, translation, person(entity))
    assert (found.gender, found.how) == (gender, how)


def test_two_people_with_the_same_word_are_read_in_order():
    source = "My upstairs neighbor sings and my downstairs neighbor paints."
    text = "Mi vecina de arriba canta y mi vecino de abajo pinta."
    found = read(source, "es", text, person("neighbor"), person("neighbor"))
    assert [each.gender for each in found] == ["feminine", "masculine"]


def test_words_of_the_references_find_a_person_that_no_file_lists():
    falconer = person("falconer", ("halconero", "contento"), ("halconera", "contenta"))
    for text, gender in (("La halconera calla.", "feminine"), ("Vio al halconero.", "masculine")):
        assert read("The falconer is glad.", "es", text, falconer)[0].gender == gender
    [unlisted] = read("The falconer is glad.", "es", "El cetrero calla.", falconer)
    assert (unlisted.gender, unlisted.unread) == (None, NOT_FOUND)


def test_words_that_agree_decide_only_if_the_noun_shows_nothing_and_nobody_else_has_them():
    drummer = person("drummer", ("baterista", "contento"), ("baterista", "contenta"))
    singer = person("singer", ("cantante", "contento"), ("cantante", "contenta"))
    source, text = "My drummer and my singer are glad.", "Mi baterista anda contenta."
    assert read(source, "es", text, drummer)[0].gender == "feminine"
    assert read(source, "es", text, drummer, singer)[0].gender == "neutral"


def test_a_person_left_in_english_is_unread():
    for text in ("La drummer vino.", "El drummer vino.", "Mi drummer vino."):
        assert read("The drummer came.", "es", text, person("drummer"))[0].unread == NOT_FOUND


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("El juez vino.", ["El juez vino."]),
        ("[[El juez/La jueza]] vino.", ["El juez vino.", "La jueza vino."]),
        ("[[El juez/La jueza]] vio [[al niño/a la niña]].", ["El juez vio al niño.", "La jueza vio a la niña."]),
        ("A vino.\tB vino.", ["A vino.", "B vino."]),
        ("A vino. ||| B vino. ||| A vino.", ["A vino.", "B vino."]),
        ("[[El juez]] vino.", None),
        ("[[El juez/La jueza/Juez]] vino.", None),
        ("|||", ["|||"]),
    ],
)
def test_alternatives_are_taken_apart(text, expected):
    assert alternatives(text) == expected


def test_alternatives_count_for_the_people_who_have_them():
    people = person("judge"), person("child")
    found = read("The judge saw the child.", "es", "[[El juez/La jueza]] vio al niño.", *people)
    assert [(each.gender, each.how) for each in found] == [("alternatives", "offered"), ("masculine", None)]
    [odd] = read("The judge came.", "es", "[[El juez/La persona]] vino.", person("judge"))
    assert (odd.gender, odd.unread) == (None, NOT_FOUND)
    [other] = read("The doctor came.", "es", "[[El médico/El o la médico]] vino.", person("doctor"))
    assert other.unread in (None, DIFFERENT)
    [broken] = read("The judge came.", "es", "[[El juez]] vino.", person("judge"))
    assert broken.unread == MALFORMED
