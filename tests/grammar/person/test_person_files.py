"""Person files: a few words are enough, and every mistake gets one sentence with the file and the key."""

import shutil

import pytest

from genderscope.grammar.person import person_file, person_languages, read_person, reader
from genderscope.grammar.person.person_file import parse_person_file, read_person_file
from genderscope.grammar.word_file import WordFileError

#: Russian: no articles, cases, and verbs that agree
FEW_WORDS = """
[inflection]
"" = "а у ом е"
"а" = "у е ой ы"

[agreement]
verbs_masculine = "л"
verbs_feminine = "ла"

[people]
doctor = "врач (m)"
cook = "повар (m), повариха (f)"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Copy the person files to a folder of the test's own and read them from there."""
    copy = tmp_path / "data"
    shutil.copytree(person_file.FOLDER, copy)
    for module in (person_file, reader):
        monkeypatch.setattr(module, "FOLDER", copy)
    caches = [read_person_file, reader._file, reader._index, reader._person_pattern]
    for each in caches:
        each.cache_clear()
    yield copy
    for each in caches:
        each.cache_clear()


def test_a_language_is_one_file(folder):
    (folder / "xx.toml").write_text(FEW_WORDS, encoding="utf-8")
    assert "xx" in person_languages()
    source = "The doctor saw the cook."
    genders = {
        "Врач видел повара.": ("masculine", "masculine"),
        "Врач видела повариху.": ("feminine", "feminine"),
        "Повара видела врач.": ("masculine", "masculine"),
    }
    for translation, expected in genders.items():
        assert tuple(read_person(source, each, translation, "xx").gender for each in ("doctor", "cook")) == expected


def test_a_word_can_be_added_without_code(folder):
    path = folder / "es.toml"
    source, translation = "The astronaut left.", "Nuestra cosmonauta salió."
    path.write_text(path.read_text(encoding="utf-8").replace("[people]\n", '[people]\nastronaut = "cosmonauta"\n'))
    assert read_person(source, "astronaut", translation, "es").gender == "feminine"


@pytest.mark.parametrize("language", person_languages())
def test_every_listed_translation_is_valid(language):
    file = read_person_file(language)
    assert all(file.forms(person) for person in file.people)


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"people": {"cook": "cocinero/cocinera/cocinere"}}, "'cocinero/cocinera/cocinere' is not a noun such as"),
        ({"people": {"cook": "cocinero/"}}, "'cocinero/' is not a noun such as"),
        ({"people": {"cook": "cocinero (x)"}}, "'cocinero (x)' is not a noun such as"),
        ({"people": {"cook": "cocinero/cocinera (m)"}}, "has two forms and a mark; give one of them"),
        ({"people": {"cook": "chef, chef"}}, "contains 'chef' twice"),
        ({"people": {"cook": ["chef"]}}, "[people] must be a table of strings"),
        ({"words": {"determiner_m": "el"}}, "unknown key 'determiner_m'. Did you mean 'determiners_m'?"),
        ({"persons": {}}, "unknown key 'persons'"),
        ({"has_generic_masculine": "yes"}, "has_generic_masculine must be true or false"),
    ],
)
def test_mistakes_are_named(tables, message):
    with pytest.raises(WordFileError) as raised:
        parse_person_file(tables, "es").forms("cook")
    assert message in str(raised.value)
    assert str(raised.value).startswith("es.toml")
