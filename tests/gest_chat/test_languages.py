"""Prompts and readers in the languages of EuroGEST and GEST: every answer was written and labelled by hand."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from genderscope.core.languages import SPEAKER_LANGUAGES
from genderscope.grammar import speaker_gender
from genderscope.measures.characters import read_character
from genderscope.measures.gest_chat.measure import TRANSLATED, neutral_translations
from genderscope.measures.gest_chat.reading import read_choice
from genderscope.measures.gest_chat.wordings import OPTIONS, SENTENCE, built_in, languages
from genderscope.measures.reply_text import FEMALE, MALE, UNREADABLE
from genderscope.samples import eurogest
from tests.gest_chat.planted import Says
from tests.support.evaluation import evaluate

CODES = {"w": "female", "m": "male", "n": "neither"}


def table(name):
    with (Path(__file__).parent / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


ANSWERS, PROFILES = table("answers_languages.csv"), table("profiles_languages.csv")
TESTED = list(dict.fromkeys(row["language"] for row in ANSWERS))
#: share of the profiles that are read correctly, of those that are read, where it is not above 0.95
PROFILE_FLOORS = {"tr": 0.92}
#: largest share of profiles that are left unread, because two people compete for the main character
MOST_UNREAD = 0.08
#: number of profiles read with the wrong gender
WRONG_GENDER = {"pl": 1}


def choice(reply, order, labels, language):
    options = [CODES[code] for code in order]
    named = dict(zip(OPTIONS, labels.split("|"), strict=True))
    return read_choice(reply, options, [named[option] for option in options], language).outcome


def wrong(read, labelled):
    return [(got, row) for got, row in zip(read, labelled, strict=True) if got != row["outcome"]]


def test_every_language_with_sentences_has_prompts():
    assert {*languages()} == {*eurogest.languages(), *TRANSLATED}


@pytest.mark.parametrize("language", TESTED)
def test_answers_are_read(language):
    rows = [row for row in ANSWERS if row["language"] == language]
    assert len(rows) >= 60
    read = [choice(row["reply"], row["order"], row["labels"], language) for row in rows]
    mistakes = wrong(read, rows)
    assert len(mistakes) <= 0.02 * len(rows), mistakes
    assert not [row for got, row in mistakes if got in (FEMALE, MALE)]


@pytest.mark.parametrize("language", TESTED)
def test_characters_are_read(language):
    rows = [row for row in PROFILES if row["language"] == language]
    assert len(rows) >= 26
    read = [read_character(row["text"], row["motto"], language).outcome for row in rows]
    mistakes = [(got, row) for got, row in wrong(read, rows) if got != UNREADABLE]
    unread = read.count(UNREADABLE)
    assert unread <= MOST_UNREAD * len(rows)
    least = PROFILE_FLOORS.get(language, 0.95) * (len(rows) - unread)
    assert len(rows) - unread - len(mistakes) >= least, mistakes
    assert sum(got in (FEMALE, MALE) for got, _ in mistakes) <= WRONG_GENDER.get(language, 0)


@pytest.mark.parametrize("language", TESTED)
def test_prompts_do_not_presuppose_a_gender(language):
    wordings = [*built_in(language, "ask", 2, False), *built_in(language, "write", 1, False)]
    for wording in wordings:
        assert wording.text.count(SENTENCE) == 1
        assert wording.labels is None or len({*wording.labels}) == 3
        if language in SPEAKER_LANGUAGES:
            assert speaker_gender(wording.text.replace(SENTENCE, ""), language).status == "neutral"


@pytest.mark.parametrize(
    ("reply", "language", "outcome"),
    [
        ("(а)", "ru", "female"),
        ("б)", "uk", "male"),
        ("(с)", "be", "neither"),
        ("(в)", "ru", UNREADABLE),  # the third letter, or a capital B in disguise
        ("α.", "el", "female"),
        ("Γ", "el", "neither"),
        ("(a) или (b)", "ru", UNREADABLE),
        ("(a), а не (b)", "ru", "female"),
        ("(a) alebo b)", "sk", UNREADABLE),
    ],
)
def test_letters_of_other_alphabets_and_second_letters_are_read(reply, language, outcome):
    labels = "|".join(built_in(language, "ask", 1, False)[0].labels)
    assert choice(reply, "wmn", labels, language) == outcome


@pytest.mark.parametrize(
    ("text", "language", "outcome"),
    [
        ("Viņa tēvs bija zvejnieks.", "lv", "no pronoun"),  # "viņa" is "his"
        ("Viņa strādā ostā.", "lv", "female"),
        ("Η Θεσσαλονίκη είναι μεγάλη.", "el", "no pronoun"),  # a city has a feminine article
        ("Η Μαρία Παππά εργάζεται στο λιμάνι.", "el", "female"),
        ("Η μητέρα του Γιώργου μαγειρεύει.", "el", "no pronoun"),  # "του" is an article
        ("Tato postava se narodila v Brně.", "cs", "no pronoun"),  # agrees with a feminine noun
        ("Rodina se přestěhovala do Brna.", "cs", UNREADABLE),  # a family's verb, and nobody else
        ("Hän asuu Oulussa.", "fi", "no pronoun"),
    ],
)
def test_words_without_natural_gender_do_not_count(text, language, outcome):
    assert read_character(text, "", language).outcome == outcome


@pytest.mark.parametrize("language", TRANSLATED)
def test_translated_sentences_do_not_show_the_speakers_gender(language, mirror, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    found = neutral_translations(language)
    assert len(found.samples) > 400
    assert {speaker_gender(sample.sentence, language).gender for sample in found.samples} == {None}
    assert min(Counter(sample.stereotype for sample in found.samples).values()) >= 15


def test_a_run_in_serbian_asks_about_translated_sentences(tmp_path, mirror, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    asked = []
    model = Says(lambda prompt: asked.append(prompt) or "Одговор је (а).")
    result = evaluate("gest-chat", model, lang="sr", limit=16, out=tmp_path / "run")
    assert asked[0].startswith("Ко ће пре рећи: „")
    assert result.config["data"]["name"] == "gest-translated-sr:16"
    assert set(result.rows["letter"]) == {"a"}


@pytest.mark.parametrize(
    ("language", "text", "caution"),
    [
        ("fi", "Hän on nainen.", "Finnish has no gendered pronouns"),
        ("cs", "Narodila se v Brně.", "Czech often omits pronouns, and only frequent past forms"),
        ("el", "Η Μαρία ζει στον Βόλο.", "Greek often omits pronouns"),
    ],
)
def test_what_is_not_read_in_a_language_is_said(tmp_path, language, text, caution):
    data = tmp_path / "own.csv"
    data.write_text("sentence,stereotype\n" + "".join(f"{i}.,{i}\n" for i in range(1, 17)), encoding="utf-8")
    options = {"form": "write", "data": str(data), "lang": language}
    result = evaluate("gest-chat", Says(lambda _: text), out=tmp_path / "run", **options)
    assert set(result.rows["outcome"]) == {"female"}
    assert any(each.startswith(caution) for each in result.cautions)
