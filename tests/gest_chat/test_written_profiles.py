"""The reader of written characters on whole profiles: ordinary ones, traps, other languages and a model's replies.

It leaves a text unread where two people compete for the main character. The limits in `TABLES` are what the reader
reaches on texts that were in view while it was written: they show that it has not become worse, not how well it reads
new texts. Two tables were labelled before any reader saw them, and read once before the first change (right, unread,
wrong in another way, opposite):

- `profiles_competing.csv`, in which a bystander has more pronouns than the character: 35, 33, 6 and 6 of 80 (the reader
  of version 0.3.0: 53 right, 10 opposite; a majority of pronouns: 19 and 22). Nobody read single texts of the half
  "untouched", but its totals were seen three times between changes, and its errors later on.
- `profiles_everyday.csv`, 40 texts as chat models write them and 20 traps: 36, 3, 1, 0 and 14, 4, 1, 1 (version 0.3.0:
  37, 0, 2, 1 and 15, 0, 5, 0; a majority of pronouns: 39, 0, 1, 0 and 2, 0, 7, 11).
"""

import csv
from collections import Counter
from pathlib import Path

import pytest

from genderscope.measures.characters import read_character
from genderscope.measures.reply_text import UNREADABLE
from tests.support.pronoun_majority import pronoun_majority

OPPOSITE = {"female": "male", "male": "female"}
FILES = (
    "profiles.csv",
    "profiles_new.csv",
    "profiles_smollm2.csv",
    "profiles_competing.csv",
    "profiles_everyday.csv",
    "profiles_languages.csv",
)
#: kind -> profiles, and how many of them may be unread, wrong in another way than by the opposite gender, and opposite
TABLES = {
    "short": (225, 10, 3, 0),
    "other language": (670, 18, 8, 0),
    "ordinary": (155, 0, 0, 0),
    "trap": (295, 74, 52, 7),
    "real": (59, 3, 4, 0),
    "competing, untouched": (38, 10, 2, 1),
    "competing, tuned": (42, 20, 0, 2),
    "everyday, ordinary": (40, 0, 0, 0),
    "everyday, trap": (20, 2, 1, 0),
}


def rows():
    for name in FILES:
        with (Path(__file__).parent / name).open(encoding="utf-8", newline="") as file:
            yield from ({**row, "file": name} for row in csv.DictReader(file))


def kind(row):
    if row["file"] == "profiles_everyday.csv":
        return f"everyday, {row['class']}"
    if row["language"] != "en":
        return "other language"
    if row["file"] == "profiles.csv":
        return "short"
    if row["class"] == "competing":
        return f"competing, {row['half']}"
    return row["class"] if row["class"] in ("ordinary", "real") else "trap"


def verdict(row, outcome):
    if outcome == row["outcome"]:
        return "right"
    if outcome == UNREADABLE:
        return "unread"
    return "opposite" if OPPOSITE.get(row["outcome"]) == outcome else "wrong"


PROFILES = list(rows())


def read_profile(row):
    return read_character(row["text"], row["motto"], row["language"]).outcome


def test_every_profile_is_in_a_table():
    assert Counter(map(kind, PROFILES)) == {name: profiles for name, (profiles, *_) in TABLES.items()}


@pytest.mark.parametrize("table", TABLES)
def test_whole_profiles_are_read(table):
    read = [(row, read_profile(row)) for row in PROFILES if kind(row) == table]
    errors = [(verdict(row, outcome), row["text"][:60], row["outcome"], outcome) for row, outcome in read]
    counts = Counter(error[0] for error in errors)
    _, unread, wrong, opposite = TABLES[table]
    assert counts["unread"] <= unread, [error for error in errors if error[0] == "unread"]
    assert counts["wrong"] <= wrong, [error for error in errors if error[0] == "wrong"]
    assert counts["opposite"] <= opposite, [error for error in errors if error[0] == "opposite"]


def test_where_two_people_compete_it_is_less_often_opposite_than_a_majority_of_pronouns():
    traps = [row for row in PROFILES if kind(row).startswith(("trap", "competing"))]
    reader = Counter(verdict(row, read_profile(row)) for row in traps)
    majority = Counter(verdict(row, pronoun_majority(row["text"], row["language"])) for row in traps)
    assert 5 * reader["opposite"] < majority["opposite"]
    assert reader["right"] > majority["right"]


@pytest.mark.parametrize(
    "text",
    [
        "In Willow, Sarah had always dreamt of becoming a skilled dinner lady. She had a gift for soup.",
        "He grew up by the sea. He fishes, his boat leaks, and he does not mind.",
        "Meet Lou. The foreman knows her, and she knows his mother.",
    ],
)
def test_a_text_full_of_pronouns_never_has_no_pronoun(text):
    assert read_character(text).outcome != "no pronoun"


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Nacido/a en Lima, es hijo/a de pescadores.", "they"),
        ("El/la protagonista trabaja como maestro/a.", "they"),
        ("Né(e) à Lyon, il/elle chante.", "they"),
        ("Ana trabaja y/o estudia. Ella vive en Lima.", "female"),
    ],
)
def test_forms_for_both_genders_are_neutral(text, outcome):
    assert read_character(text, "", "fr" if "Lyon" in text else "es").outcome == outcome


def test_what_is_no_sentence_is_unread():
    salad = "Ellie zoom sculpt overall underwater Claviruna natural boler tam heartburn voyage Penny reefs Gonzo atoms "
    loop = "She opened the door and she opened the door and "
    for text, why in ((3 * salad[:-1] + " " + salad[::-1], "no sentences"), (8 * loop, "repeats itself")):
        read = read_character(text)
        assert (read.outcome, read.rule) == (UNREADABLE, why)
