"""Reading the gender of adjectives: sentences written for the traps of each language."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("simplemma", reason="the dictionaries are an extra: pip install 'genderscope[grammar]'")

from genderscope.core.languages import ADJECTIVE_LANGUAGES
from genderscope.grammar.adjectives import (
    AdjectiveReading,
    MissingDictionaryError,
    UnknownLanguageError,
    adjective_gender,
    adjective_readings,
)
from genderscope.grammar.adjectives.dictionaries import icelandic_inflections
from genderscope.grammar.adjectives.english import Predication

CASES = Path(__file__).parent / "cases"
STRATEGIES = ("common form", "neuter", "noun or verb phrase", "untranslated", "split form")


def needs_dictionary(language: str) -> None:
    if language == "is":
        pytest.importorskip("islenska", reason="the Icelandic dictionary is an extra")


def cases(language: str) -> list[tuple[str, str, str]]:
    with (CASES / f"{language}.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [(row["source"], row["translation"], row["expected"]) for row in rows]


def as_expected(reading: AdjectiveReading) -> str:
    if reading.word is None:
        return "-"
    return f"{reading.word} {reading.strategy if reading.gender == 'neutral' else reading.gender}"


@pytest.mark.parametrize("language", ADJECTIVE_LANGUAGES)
def test_each_adjective_is_read_as_a_person_reads_it(language: str) -> None:
    needs_dictionary(language)
    wrong = []
    for source, translation, expected in cases(language):
        readings = adjective_gender(source, translation, language)
        if "; ".join(as_expected(reading) for reading in readings) != expected:
            wrong.append((translation, expected, readings))
        for reading in readings:
            assert (reading.start is None) == (reading.word is None), translation
            if reading.word is not None:
                assert translation[reading.start : reading.end] == reading.word
    assert wrong == []


@pytest.mark.parametrize("language", ADJECTIVE_LANGUAGES)
def test_every_language_has_enough_cases(language: str) -> None:
    assert len(cases(language)) >= 60


def test_offsets_lead_into_the_text_as_it_came() -> None:
    escaped = "&laquo;Estoy cansad&#97; y t&uacute; eres p&#225;lida&raquo;"
    tired, pale = adjective_gender("\"I'm tired and you're pale,\" she said.", escaped, "es")
    assert (tired.word, tired.gender) == ("cansada", "feminine")
    assert escaped[tired.start : tired.end] == "cansad&#97;"
    assert escaped[pale.start : pale.end] == "p&#225;lida"


def test_the_adjectives_can_be_given() -> None:
    asked = [Predication("tired", "I", False, 0)]
    assert adjective_readings(asked, "«Estoy cansada», dijo.", "es")[0].gender == "feminine"


def test_the_polite_plural_is_marked() -> None:
    source = '"You\'re stubborn," he said.'
    assert adjective_gender(source, "„Vy jste tvrdohlaví,“ řekl.", "cs")[0].plural
    assert not adjective_gender(source, "„Vy jste tvrdohlavý,“ řekl.", "cs")[0].plural


def test_a_gender_that_no_adjective_shows_is_marked() -> None:
    source = '"You\'re clever," he said.'
    for translation in ("„Jsi chytrák,“ řekl.", "„Ty jsi ta, která ví,“ řekl.", "„Byla jsi nad věcí,“ řekl."):
        assert adjective_gender(source, translation, "cs")[0].noun
    assert not adjective_gender(source, "„Jsi chytrá,“ řekl.", "cs")[0].noun


def test_what_the_dictionary_knows_is_told_from_what_the_ending_shows() -> None:
    source = '"You\'re tired," he said.'
    assert adjective_gender(source, "„Jsi unavená,“ řekl.", "cs")[0].how == "dictionary"
    assert adjective_gender(source, "„Jsi blyxavá,“ řekl.", "cs")[0].how == "ending"


def test_an_unknown_language_is_answered_with_the_languages_there_are() -> None:
    with pytest.raises(UnknownLanguageError, match="cs, es, is"):
        adjective_gender('"I\'m tired," he said.', "Ich bin müde.", "de")


def test_a_source_without_adjectives_has_no_readings() -> None:
    assert adjective_gender("The rain fell.", "Llovía.", "es") == []


SIGNS = st.sampled_from([*"\"'„“”«»—–-/()@&;.,!? \n", "&quot;", "soy ", "jsem ", "ég er ", "un ", "no ", "að "])
PASSAGES = st.one_of(st.text(), st.lists(st.one_of(SIGNS, st.text(max_size=8)), max_size=30).map("".join))


@settings(max_examples=300, deadline=None)
@given(translation=PASSAGES, language=st.sampled_from(ADJECTIVE_LANGUAGES))
def test_any_text_is_read_without_complaint(translation: str, language: str) -> None:
    needs_dictionary(language)
    source = '"I\'m calm and you\'re odd," he said. "No, you\'re not odd, but you are late," she said.'
    readings = adjective_gender(source, translation, language)
    assert [reading.adjective for reading in readings] == ["calm", "odd", "odd", "late"]
    for reading in readings:
        assert reading.gender in ("masculine", "feminine", "neutral", "unread")
        assert (reading.strategy in STRATEGIES) == (reading.gender == "neutral")


@settings(max_examples=100, deadline=None)
@given(source=PASSAGES)
def test_any_source_is_read_without_complaint(source: str) -> None:
    for reading in adjective_gender(source, "«Soy alta y tú eres bajo.»", "es"):
        assert reading.adjective


def test_a_missing_dictionary_is_named_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "islenska", None)
    icelandic_inflections.cache_clear()
    with pytest.raises(MissingDictionaryError, match=r"islenska.*pip install 'genderscope\[grammar\]'"):
        icelandic_inflections()


def test_importing_the_reader_loads_no_dictionary() -> None:
    code = (
        "import sys, genderscope.grammar.adjectives; sys.exit('simplemma' in sys.modules or 'islenska' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
