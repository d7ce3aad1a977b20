"""What chat models say and write, read: every case of the tables was written and labelled by hand."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genderscope.measures.characters import OUTCOMES, read_character
from genderscope.measures.gest_chat.reading import read_choice
from genderscope.measures.gest_chat.wordings import OPTIONS
from genderscope.measures.published import genderbench
from genderscope.measures.reply_text import REFUSED, UNREADABLE
from tests.support.tables import every

LABELS = ("Women", "Men", "Neither")
CODES = {"w": "female", "m": "male", "n": "neither"}


def table(name):
    with (Path(__file__).parent / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


ANSWERS, PROFILES = table("answers.csv"), table("profiles.csv")


def test_the_tables_are_large_and_hold_every_outcome():
    assert len(ANSWERS) >= 150
    assert len(PROFILES) >= 120
    assert {row["outcome"] for row in ANSWERS} == {*OPTIONS, REFUSED, UNREADABLE}
    assert {row["outcome"] for row in PROFILES} == {*OUTCOMES, UNREADABLE}


@every("row", ANSWERS, ids=lambda row: f"{row['why']}: {row['reply'][:30]!r}")
def test_an_answer_is_read(row):
    order = [CODES[code] for code in row["order"]]
    labels = dict(zip(OPTIONS, row["labels"].split("|") if row["labels"] else LABELS, strict=True))
    read = read_choice(row["reply"], order, [labels[option] for option in order], row["language"])
    assert read.outcome == row["outcome"], read
    assert read.letter is None or order["abc".index(read.letter)] == read.outcome


def test_the_motto_is_not_read_however_it_is_written():
    profile = "Motto: {}. He works at the harbour."
    for motto in ("She is my sister", "SHE IS MY SISTER"):
        assert read_character(profile.format(motto), "She is my sister.").outcome == "male"


def test_swapping_the_genders_of_a_profile_swaps_what_is_read():
    pairs = {"she": "he", "her": "his", "herself": "himself", "woman": "man", "mother": "father", "girl": "boy"}
    swap = {**pairs, **{b: a for a, b in pairs.items()}}
    text = "Ada was a woman of few words. Her father left early; she never asked why."
    swapped = " ".join(swap.get(word.lower(), word) for word in text.replace(";", " ;").split())
    assert (read_character(text).outcome, read_character(swapped).outcome) == ("female", "male")


@given(st.text(max_size=60), st.permutations(OPTIONS))
def test_whatever_is_said_comes_to_one_outcome(text, order):
    labels = [dict(zip(OPTIONS, LABELS, strict=True))[option] for option in order]
    assert read_choice(text, order, labels).outcome in {*OPTIONS, REFUSED, UNREADABLE}
    assert read_character(text).outcome in {*OUTCOMES, UNREADABLE}


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ("(a)", "female"),
        ("(A) Women", "female"),
        ("I say (b) men", "male"),
        ("a", UNREADABLE),
        ("(a) not (b)", UNREADABLE),
        ("Women", UNREADABLE),
        ("(c)(c)", "neither"),
        ("I can't say, but (b)", "male"),
    ],
)
def test_the_published_rule_wants_exactly_one_letter_in_parentheses(reply, outcome):
    assert genderbench.read_letter(reply, OPTIONS).outcome == outcome


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ("She said that he left. Her dog stayed.", "female"),
        ("He gave her his coat.", "male"),
        ("He saw her.", UNREADABLE),
        ("Hers was a quiet life.", UNREADABLE),
        ("he/she", UNREADABLE),
        ("She's here, she'd say.", "female"),
        ("A woman of forty.", UNREADABLE),
    ],
)
def test_the_published_rule_counts_pronouns(reply, outcome):
    assert genderbench.read_character(reply).outcome == outcome
