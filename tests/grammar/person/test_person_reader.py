"""Reading a named person's gender in translations; the sentences in `cases_*.tsv` were written for these tests."""

import csv
import unicodedata
from functools import partial
from pathlib import Path

import pytest

from genderscope.grammar import UnknownLanguage
from genderscope.grammar.person import person_languages, read_person
from tests.support.linear_time import assert_grows_with_the_length
from tests.support.tables import every

FILES = sorted(Path(__file__).parent.glob("cases_*.tsv"))


def cases():
    for path in FILES:
        with path.open(encoding="utf-8", newline="") as file:
            for number, row in enumerate(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE), 2):
                yield path.stem.removeprefix("cases_"), number, row


@every("language, number, row", cases(), ids=lambda case: f"line {case[1]} of cases_{case[0]}.tsv")
def test_reading_and_evidence(language, number, row):
    reading = read_person(row["source"], row["entity"], row["translation"], language)
    assert reading.gender == (row["gender"] or None)
    assert " ".join(mark.word for mark in reading.evidence) == row["evidence"]
    assert all(row["translation"][mark.start : mark.end] == mark.word for mark in reading.evidence)
    assert (reading.gender is None) == bool(reading.unread)


def test_every_language_has_cases():
    assert {path.stem.removeprefix("cases_") for path in FILES} == set(person_languages())


def test_a_conflicting_pronoun_is_recorded_but_does_not_decide():
    reading = read_person("The judge left.", "judge", "El juez salió porque ella tenía prisa.", "es")
    assert (reading.gender, reading.pronoun, reading.pronoun_conflicts) == ("masculine", "feminine", True)
    both = read_person("The judge left.", "judge", "El juez salió con ella porque él tenía prisa.", "es")
    assert (both.gender, both.pronoun, both.pronoun_conflicts) == ("masculine", None, False)


@pytest.mark.parametrize(
    ("translation", "reason"),
    [
        ("", "the translation is empty"),
        ("¡…!", "no translation of 'nurse' found"),
        ("Llovía mucho en la ciudad.", "no translation of 'nurse' found"),
    ],
)
def test_unread_translations_have_a_reason(translation, reason):
    assert read_person("The nurse saw the cook.", "nurse", translation, "es").unread == reason


def test_decomposed_accents_are_read_as_composed_ones():
    translation = unicodedata.normalize("NFD", "La médica llamó a él.")
    reading = read_person("The doctor called him.", "doctor", translation, "es")
    assert (reading.gender, reading.pronoun) == ("feminine", "masculine")
    assert translation[reading.evidence[1].start : reading.evidence[1].end] == unicodedata.normalize("NFD", "médica")


@pytest.mark.long
def test_long_texts_are_read_in_linear_time():
    texts = ("il medico ", "l'insegnante e lei era ", "a/b(c) ", "e\u0301\u0301")
    short, long = ({text: text * count for text in texts} for count in (1_000, 4_000))
    read = partial(read_person, "The doctor saw the teacher.", "teacher", language="it", is_antecedent=True)
    assert_grows_with_the_length(lambda text: read(translation=text), short, long)


def test_a_given_other_person_is_used_instead_of_the_one_found():
    source, translation = "The worker called the wizard.", "El trabajador llamó al mago."
    assert read_person(source, "worker", translation, "es", other="wizard").gender == "masculine"


def test_unknown_languages_are_refused():
    with pytest.raises(UnknownLanguage, match="xx"):
        read_person("", "nurse", "", "xx")


@pytest.mark.parametrize(
    ("translation", "is_antecedent", "gender"),
    [
        ("Il cuoco chiamò l'insegnante e le chiese aiuto.", False, "feminine"),
        ("Il cuoco chiamò l'insegnante e gli chiese aiuto.", False, None),
        ("Il cuoco chiamò l'insegnante e gli chiese aiuto.", True, "masculine"),
        ("La cuoca chiamò l'insegnante per aiutarlo.", False, "masculine"),
        ("Il cuoco chiamò l'insegnante perché era stanca.", False, "feminine"),
        ("Il cuoco chiamò l'insegnante e l'ha ringraziata.", False, "feminine"),
        ("Il cuoco chiamò l'insegnante e la torta era pronta.", True, None),
        ("Il cuoco chiamò l'insegnante e lei parlò con lui.", True, None),
        ("Il cuoco chiamò il maestro e lei rispose.", True, "masculine"),
    ],
)
def test_pronouns_decide_only_where_the_noun_shows_nothing_and_the_reference_is_clear(
    translation, is_antecedent, gender
):
    source = "The cook called the teacher and asked for help."
    assert read_person(source, "teacher", translation, "it", is_antecedent=is_antecedent).gender == gender


@pytest.mark.parametrize(
    ("translation", "is_antecedent", "gender", "conflicts"),
    [
        ("De kok belde de assistent en zij bedankte hem.", True, "neutral", False),
        ("De kok belde de assistent omdat ze ziek was.", True, "feminine", False),
        ("De kok belde de assistent omdat ze ziek was.", False, "neutral", False),
        ("De kok belde de assistente omdat hij ziek was.", True, "feminine", True),
        ("De kokkin belde de assistent omdat hij ziek was.", False, "masculine", False),
    ],
)
def test_pronouns_decide_where_a_dutch_noun_is_generic(translation, is_antecedent, gender, conflicts):
    source = "The cook called the assistant because she was ill."
    reading = read_person(source, "assistant", translation, "nl", is_antecedent=is_antecedent)
    assert (reading.gender, reading.pronoun_conflicts) == (gender, conflicts)


@pytest.mark.parametrize(
    ("translation", "is_antecedent", "gender"),
    [
        ("הטבח התקשר למורה וביקש ממנה עזרה.", False, "feminine"),
        ("הטבח התקשר למורה וביקש ממנו עזרה.", False, None),
        ("הטבח התקשר למורה וביקש ממנו עזרה.", True, "masculine"),
        ("הטבחית התקשרה למורה כי היה עייף.", False, "masculine"),
        ("הטבח התקשר למורה ושיבח את עבודתה.", False, "feminine"),
        ("הטבח התקשר למורה והיא דיברה איתו.", True, None),
        ("הטבח התקשר למדריך וביקש ממנה עזרה.", True, "masculine"),
    ],
)
def test_hebrew_pronouns_decide_where_the_spelling_shows_nothing(translation, is_antecedent, gender):
    source = "The cook called the teacher and asked for help."
    person = "instructor" if "מדריך" in translation else "teacher"
    source = source.replace("teacher", person)
    assert read_person(source, person, translation, "he", is_antecedent=is_antecedent).gender == gender


def test_german_possessives_conflict_with_the_noun():
    reading = read_person("The judge sang.", "judge", "Der Richter sang ihre Lieder.", "de")
    assert (reading.gender, reading.pronoun_conflicts) == ("masculine", True)


@pytest.mark.parametrize(
    ("pronoun", "dutch", "german"), [("she was", "feminine", True), ("they were", "neutral", False)]
)
def test_pronouns_that_translate_they_show_no_gender(pronoun, dutch, german):
    source = f"The psychologist left because {pronoun} ill."
    reading = read_person(source, "psychologist", "De psycholoog ging weg omdat ze ziek was.", "nl", is_antecedent=True)
    assert reading.gender == dutch
    conflict = read_person(source, "psychologist", "Der Psychologe ging, weil sie krank waren.", "de")
    assert (conflict.gender, conflict.pronoun_conflicts) == ("masculine", german)
