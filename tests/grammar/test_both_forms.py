"""Forms for both genders are read alike by the readers of speakers, people and adjectives.

The sentences in `both_forms.tsv` are our own and were labelled before they were read: masculine, feminine, both (a form
offers both genders) or none (no word shows a gender).
"""

import csv
from pathlib import Path

import pytest

pytest.importorskip("simplemma", reason="the dictionaries are an extra: pip install 'genderscope[grammar]'")

from genderscope.core.languages import ADJECTIVE_LANGUAGES, SPEAKER_LANGUAGES
from genderscope.grammar import speaker_gender
from genderscope.grammar.adjectives import adjective_gender
from genderscope.grammar.both_forms import BothForm, both_forms, variants
from genderscope.grammar.both_forms.form_lists import form_lists
from genderscope.grammar.person import person_languages, read_person
from genderscope.measures.characters.persons import NONE
from genderscope.measures.characters.reading import read_character
from genderscope.measures.characters.words import THEY
from genderscope.measures.reply_text import FEMALE, MALE
from tests.support.linear_time import assert_grows_with_the_length

with Path(__file__).with_name("both_forms.tsv").open(encoding="utf-8", newline="") as file:
    CASES = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
#: sentences that the readers still get wrong
MISREAD = {
    "L'insegnante o lə maestrə cantava.",
    "Le dije al/a la médico/a que estaba harta.",
    # The reader of written characters leaves these unread: a woman and a man compete.
    "Alex is a nurse. He/she works at night, and he/she loves it.",
    "Robin is a pilot. She/he likes his/her job.",
    "Robin is a pilot. He or she likes his or her job.",
}


def outcome(case: dict[str, str]) -> str:
    text, language = case["text"], case["language"]
    if case["reader"] == "speaker":
        reading = speaker_gender(text, language)
        assert reading.gender is None or reading.status == "read"
        return {"neutral: both forms": "both", "neutral": "none"}.get(reading.status_in_words, str(reading.gender))
    if case["reader"] == "person":
        person = read_person(case["source"], case["entity"], text, language)
        return "both" if person.gender == "neutral" else person.gender or "none"
    if case["reader"] == "character":
        character = read_character(text, language=language).outcome
        return {FEMALE: "feminine", MALE: "masculine", THEY: "both", NONE: "both"}.get(character, character)
    if language == "is":
        pytest.importorskip("islenska", reason="the Icelandic dictionary is an extra")
    (adjective,) = adjective_gender(case["source"], text, language)
    return "both" if adjective.strategy == "split form" else adjective.gender


@pytest.mark.parametrize("language", sorted({case["language"] for case in CASES}))
def test_every_form_is_read_as_labelled(language: str) -> None:
    wrong = [case["text"] for case in CASES if case["language"] == language and outcome(case) != case["expected"]]
    assert set(wrong) == {case["text"] for case in CASES if case["language"] == language} & MISREAD


def test_every_language_of_every_reader_has_lists() -> None:
    codes = {*SPEAKER_LANGUAGES, *ADJECTIVE_LANGUAGES, *person_languages()}
    assert [code for code in sorted(codes) if not form_lists(code).suffixes] == []


def test_a_language_without_lists_has_no_forms() -> None:
    assert both_forms("xx").find("cansado/a") == []


def test_evidence_is_the_whole_form_and_has_no_gender() -> None:
    text = "Ayer llegué tarde; estoy cansado(a) y nervioso/a."
    reading = speaker_gender(text, "es")
    assert [(item.word, item.gender, item.rule) for item in reading.evidence] == [
        ("cansado(a)", None, "both forms"),
        ("nervioso/a", None, "both forms"),
    ]
    assert all(text[item.start : item.end] == item.word for item in reading.evidence)


def test_a_plain_word_decides_and_keeps_its_place() -> None:
    text = "Estoy cansado/a y soy viuda."
    reading = speaker_gender(text, "es")
    assert (reading.gender, reading.status_in_words) == ("feminine", "read")
    assert {(item.word, item.gender) for item in reading.evidence} == {("cansado/a", None), ("viuda", "feminine")}
    assert all(text[item.start : item.end] == item.word for item in reading.evidence)


def test_variants_map_back_to_the_text() -> None:
    text = "Soy el/la dueño(a) aquí."
    forms = both_forms("es").find(text)
    assert forms == [BothForm(4, 9, "el", "la"), BothForm(10, 18, "dueño", "dueña")]
    masculine, feminine = variants(text, forms)
    assert (masculine.text, feminine.text) == ("Soy el dueño aquí.", "Soy la dueña aquí.")
    start = feminine.text.index("dueña")
    assert feminine.original(start, start + 5) == (10, 18)
    assert feminine.original(start + 6, start + 10) == (19, 23)


@pytest.mark.long
@pytest.mark.parametrize("language", ["es", "fr", "de"])
def test_finding_takes_linear_time(language: str) -> None:
    units = ["a/", "cansado/a ", "a(a)", "[[", "[[a/a", "a o ", "cansad@", "LehrerIn", "a / ", "x*", "a·e", "a oder "]
    short, long = ({unit: unit * (size // len(unit)) for unit in units} for size in (25_000, 100_000))
    assert_grows_with_the_length(both_forms(language).find, short, long)
