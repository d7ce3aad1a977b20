"""Language files: a few words are enough, and every mistake gets one sentence with the file and the key."""

import shutil
from pathlib import Path

import pytest

from genderscope.core.languages import SPEAKER_LANGUAGES, targets
from genderscope.grammar import languages, speaker_gender
from genderscope.grammar.speaker import language_file, registry
from genderscope.grammar.word_file import WordFileError, read_tables

#: Macedonian
TEN_WORDS = """
reader = "agreement"

[grammar]
adjectives_follow_nouns = false

[words]
subject_pronoun = "јас"
copula = "сум бев"
other_person = "тој таа"
coordinator = "и но"
adjective_m = "уморен"
adjective_f = "уморна"
function_word = "многу"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Copy the language files to a folder of the test's own and read them from there."""
    copy = tmp_path / "data"
    shutil.copytree(language_file.FOLDER, copy)
    monkeypatch.setattr(language_file, "FOLDER", copy)
    monkeypatch.setattr(registry, "__file__", str(tmp_path / "registry.py"))
    yield copy
    registry._reader.cache_clear()
    language_file.read_language.cache_clear()


def test_ten_words_make_a_draft(folder: Path):
    (folder / "xx.toml").write_text(TEN_WORDS, encoding="utf-8")
    assert speaker_gender("Јас сум многу уморна.", "xx").gender == "feminine"
    assert speaker_gender("Тој е уморен.", "xx").status == "neutral"
    assert "xx" in languages()


def test_all_leaves_drafts_out(folder: Path):
    (folder / "xx.toml").write_text(TEN_WORDS, encoding="utf-8")
    assert registry.draft_languages() == ["xx"]
    assert targets(["all"], SPEAKER_LANGUAGES, languages(), "target language") == SPEAKER_LANGUAGES
    assert targets(["xx"], SPEAKER_LANGUAGES, languages(), "target language") == ("xx",)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("copula =", "copla =", "xx.toml, [words]: unknown key 'copla'. Did you mean 'copula'?"),
        ('"сум бев"', '"сум бев сум"', "xx.toml, [words] copula contains 'сум' twice."),
        ('"сум бев"', '["сум", "бев"]', "xx.toml, [words] copula must be a string of words, not a list."),
        ('"agreement"', '"agrement"', "xx.toml: set reader to one of agreement, auxiliary, subject, not 'agrement'."),
        ("= false", '= "no"', "xx.toml, [grammar] adjectives_follow_nouns must be true or false, not a string."),
        ("[grammar]", "[gramar]", "xx.toml: unknown key 'gramar'."),
        ("[words]", '[forms]\npairs = "а"\n[words]', "xx.toml, [forms] pairs: 'а' needs a masculine and a feminine"),
        ("[words]", '[forms]\nguesses = [["adjectiv_f", "на"]]\n[words]', "guesses: unknown trait 'adjectiv_f'."),
        ("[words]", "[forms]\nguesses = 3\n[words]", "xx.toml, [forms] guesses must be a list of rows"),
        ("[grammar]", "[[grammar]]", "xx.toml, [grammar] must be a table, not a list."),
        ('copula = "сум бев"', 'copula = "сум"\ncopula = "бев"', "xx.toml is not valid TOML: Cannot overwrite a value"),
        (
            'reader = "agreement"',
            'include = "mkk"',
            "xx.toml: include must be the name of a file next to it, not 'mkk'.",
        ),
    ],
)
def test_a_mistake_is_named_with_file_and_key(folder: Path, old: str, new: str, message: str):
    (folder / "xx.toml").write_text(TEN_WORDS.replace(old, new), encoding="utf-8")
    with pytest.raises(WordFileError) as caught:
        speaker_gender("Јас сум уморна.", "xx")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_included_file_lends_its_words():
    people = read_tables(language_file.FOLDER / "es_people.toml")["words"]
    spanish = read_tables(language_file.FOLDER / "es.toml")["words"]
    assert set(people["man"].split()) < set(spanish["man"].split())
