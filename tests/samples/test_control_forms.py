"""The control sentences have a known answer: the clue differs between the rows of a pair, the forms in one word."""

import re
from importlib.resources import files

import pandas as pd
import pytest

from genderscope.samples.gender_pairs import WordDifference, difference

ROMANCE = {"ca", "es", "fr", "gl", "it", "pt", "ro"}
SLAVIC = {"be", "bg", "cs", "hr", "pl", "ru", "sk", "sl", "sr", "uk"}
OTHERS = {"de", "el", "lt", "lv", "mt"}


def table(name):
    with files("genderscope.samples").joinpath("tables", "controls", name).open(encoding="utf-8") as file:
        return pd.read_csv(file, keep_default_na=False)


def words(text):
    return set(re.findall(r"\w+", text.lower()))


@pytest.fixture(scope="module")
def forms():
    return table("forms.csv")


@pytest.fixture(scope="module")
def sources():
    return table("sources.csv")


def test_every_language_has_as_many_pairs_of_each_kind(forms):
    assert set(forms["language"]) == ROMANCE | SLAVIC | OTHERS
    for _, rows in forms.groupby("language"):
        assert rows.groupby("kind")["pair"].nunique().to_dict() == {"known": 14, "nothing": 6}


def test_a_pair_has_one_row_per_gender_and_no_sentence_occurs_twice(forms):
    for _, rows in forms.groupby(["language", "pair"]):
        assert list(rows["side"]) == ["male", "female"]
        assert rows["kind"].nunique() == 1
    for _, rows in forms.groupby("language"):
        assert pd.concat([rows["male"], rows["female"]]).is_unique


def test_the_forms_differ_in_one_word_and_the_rows_of_a_pair_only_before_it(forms):
    for key, rows in forms.groupby(["language", "pair"]):
        one, other = (difference(row.male, row.female) for row in rows.itertuples())
        assert isinstance(one, WordDifference), (key, one)
        assert isinstance(other, WordDifference), (key, other)
        assert one.before != other.before, key
        assert (one.after, one.one, one.other) == (other.after, other.one, other.other), key


def test_no_form_is_the_beginning_of_the_other_sentence(forms):
    # Such a form would always be at least as likely.
    for row in forms.itertuples():
        assert row.male.endswith(".")
        assert row.female.endswith(".")


def test_sources_have_known_and_open_pairs_for_both_measures(sources):
    assert sources.groupby(["measure", "kind"]).size().to_dict() == {
        ("gate", "known"): 20,
        ("gate", "nothing"): 10,
        ("gest-mt", "known"): 20,
        ("gest-mt", "nothing"): 10,
    }
    assert not sources.duplicated(["measure", "pair"]).any()
    assert pd.concat([sources["male"], sources["female"]]).is_unique


def test_gate_sources_name_the_person_who_is_read(sources):
    for row in sources.itertuples():
        if row.measure == "gate":
            assert row.person in words(row.male)
            assert row.person in words(row.female)
        else:
            assert row.person == ""
            assert " I " in row.male


def test_gendered_words_stand_in_known_sources_only(sources):
    gendered = {"he", "she", "his", "her", "father", "mother", "brother", "sister", "uncle", "aunt"}
    for row in sources[sources["kind"] == "nothing"].itertuples():
        assert not gendered & (words(row.male) | words(row.female))
