"""The words that name a person are found in the translation, although the row does not say where they are."""

import pytest

from genderscope.report.views.evidence import mark_people, mark_words


@pytest.mark.parametrize(
    ("text", "words", "marked"),
    [
        ("La guarda llamó a la enfermera.", "la enfermera", ["la", "enfermera"]),
        ("El médico vio al paciente, y el paciente a él.", "médico el", ["El", "médico"]),
        ("L'infirmière a appelé l'avocat.", "l' avocat", ["l'", "avocat"]),
        ("Die Ärztinnen kamen.", "Ärztin", []),
        ("Die Ärzt*in kam.", "die Ärzt*in", ["Die", "Ärzt*in"]),
        ("Nada.", "", []),
    ],
)
def test_each_word_is_marked_once_and_close_to_the_noun(text, words, marked):
    parts = mark_words(text, (words, "masculine"))
    assert [part[0] for part in parts if not isinstance(part, str)] == marked
    assert "".join(part if isinstance(part, str) else part[0] for part in parts) == text


def test_an_article_is_marked_next_to_its_noun_not_at_its_first_place():
    assert mark_words("La guarda llamó a la enfermera.", ("la enfermera", "feminine"))[0] == "La guarda llamó a "


def test_of_two_people_the_first_one_keeps_what_they_share():
    parts = mark_words("La guarda y la guarda jefa.", ("la guarda", "feminine"), ("guarda jefa", "faded"))
    assert [part for part in parts if not isinstance(part, str)] == [
        ("La", "feminine"),
        ("guarda", "feminine"),
        ("jefa", "faded"),
    ]


def test_both_people_of_the_source_are_marked_as_whole_words():
    parts = mark_people("The cookbook of the cook fell on the nurse.", ("cook", "other"), ("nurse", "faded"))
    assert [part for part in parts if not isinstance(part, str)] == [("cook", "other"), ("nurse", "faded")]
    assert parts[0] == "The cookbook of the "


@pytest.mark.parametrize("text", [None, float("nan")])
def test_without_a_translation_nothing_is_marked(text):
    assert mark_words(text, ("la", "feminine")) == []
    assert mark_people(text, ("nurse", "other")) == []
