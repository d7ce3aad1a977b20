"""Sentences in the patterns of WinoMT, translated and labelled by us before the reader had read them.

`sentences_*.tsv`: the source has its people in brackets; `genders` gives theirs in the same order: m, f, n (neutral) or
u (not to be read). Polish *nastolatka* is a boy in the accusative or a girl, so it is u.
"""

import csv
import re
from pathlib import Path

import pytest

from genderscope.grammar.person import read_person

GENDERS = {"m": "masculine", "f": "feminine", "n": "neutral", "u": None}
FILES = sorted(Path(__file__).parent.glob("sentences_*.tsv"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_both_people_of_every_sentence_are_read(path):
    language = path.stem.removeprefix("sentences_")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    mistakes = []
    for row in rows:
        source = re.sub(r"[\[\]]", "", row["source"])
        people = re.findall(r"\[(.+?)\]", row["source"])
        for person, label in zip(people, row["genders"], strict=True):
            gender = read_person(source, person, row["translation"], language).gender
            if gender != GENDERS[label]:
                mistakes.append((person, label, gender, row["translation"]))
    assert mistakes == []
    assert len(rows) >= 180
