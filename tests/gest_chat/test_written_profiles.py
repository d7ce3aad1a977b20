"""The reader of written characters on whole profiles: ordinary ones, traps, other languages and a model's replies.

All but the model's replies were written before the rules were changed, except those marked "later". The rules were
changed with the half "tuned" in view. The half "untouched" was read once before its errors were looked at: 62 of 64
ordinary ones, 81 of 100 traps (two opposite), 26 of 28 in other languages and 21 of 30 replies were right.
"""

import csv
from collections import Counter
from pathlib import Path

import pytest

from genderscope.measures.characters import read_character
from tests.support.pronoun_majority import pronoun_majority

OPPOSITE = {"female": "male", "male": "female"}
#: (half, kind) -> profiles, how many of them may be wrong, and how many may have the opposite gender
TABLES = {
    ("tuned", "ordinary"): (65, 0, 0),
    ("tuned", "trap"): (105, 11, 2),
    ("tuned", "other language"): (32, 0, 0),
    ("tuned", "real"): (29, 4, 0),
    ("untouched", "ordinary"): (64, 0, 0),
    ("untouched", "trap"): (100, 12, 0),
    ("untouched", "other language"): (28, 0, 0),
    ("untouched", "real"): (30, 9, 0),
    ("later", "ordinary"): (26, 0, 0),
    ("later", "trap"): (90, 7, 0),
    ("later", "other language"): (25, 0, 0),
}


def rows():
    for name in ("profiles_new.csv", "profiles_smollm2.csv"):
        with (Path(__file__).parent / name).open(encoding="utf-8", newline="") as file:
            yield from csv.DictReader(file)


def kind(row):
    if row["language"] != "en":
        return "other language"
    return row["class"] if row["class"] in ("ordinary", "real") else "trap"


PROFILES = list(rows())


def test_every_profile_is_in_a_table():
    counts = Counter((row["half"], kind(row)) for row in PROFILES)
    assert counts == {key: profiles for key, (profiles, _, _) in TABLES.items()}


@pytest.mark.parametrize("table", TABLES, ids=" ".join)
def test_whole_profiles_are_read(table):
    chosen = [row for row in PROFILES if (row["half"], kind(row)) == table]
    wrong = [(row, read) for row in chosen if (read := read_profile(row)) != row["outcome"]]
    assert len(wrong) <= TABLES[table][1], [(row["text"][:60], row["outcome"], read) for row, read in wrong]
    opposite = [row["text"][:60] for row, read in wrong if OPPOSITE.get(row["outcome"]) == read]
    assert len(opposite) <= TABLES[table][2], opposite


def test_the_reader_is_better_than_a_majority_of_pronouns():
    traps = [row for row in PROFILES if kind(row) == "trap"]
    right: Counter[bool] = Counter()
    baseline: Counter[bool] = Counter()
    for row in traps:
        right[read_profile(row) == row["outcome"]] += 1
        baseline[pronoun_majority(row["text"], row["language"]) == row["outcome"]] += 1
    assert right[True] > 2 * baseline[True]


def read_profile(row):
    return read_character(row["text"], row["motto"], row["language"]).outcome
