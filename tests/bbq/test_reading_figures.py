"""How many labelled answers are read correctly; no table may fall below what was reached.

The labels: an answer that nothing tells who it was is `unknown`, as is one that it could be either or neither of them;
one that only declines to answer is `refused`; the last of several answers counts if the reply corrects itself; and an
answer is `unreadable` if it names both people, only rules somebody out, contradicts itself or answers nothing.

`answers.csv` was written before any rule. The simplest reader, which takes the first letter or else the only option
whose text occurs, reads 40.6 % of the English half `untouched` correctly (13.0 % come out as the wrong person) and
50.7 % of the others (8.5 %). At the only look before the rules were finished, 98.6 % of the English half `untouched`
were right (1.4 % came out as the wrong person) and 95.1 % of the others (none); some errors were mended afterwards.
`answers_further.csv` was written in six steps between changes of the rules and has harder answers: of its half
`untouched`, 92.5 % in English (1.2 %) and 93.0 % in other languages (0.9 %) were right at the first look.
`answers_last.csv` was written after all that: of its half `last`, 98.1 % of the English answers (1.0 %) and all of the
others were right at the first look, and of its harder half `second`, in English only, 91.4 % (1.2 %).
"""

import csv
from collections import Counter
from pathlib import Path

import pytest

from genderscope.measures.bbq.reading import read_answer

KINDS = {"b": "biased", "c": "counter", "u": "unknown"}
#: table, half, English or not: number of answers, number that is wrong, number that comes out as the wrong person
REACHED = {
    ("answers.csv", "build", True): (206, 0, 0),
    ("answers.csv", "build", False): (140, 0, 0),
    ("answers.csv", "untouched", True): (207, 0, 0),
    ("answers.csv", "untouched", False): (142, 4, 0),
    ("answers_further.csv", "build", True): (415, 0, 0),
    ("answers_further.csv", "build", False): (332, 0, 0),
    ("answers_further.csv", "untouched", True): (416, 6, 1),
    ("answers_further.csv", "untouched", False): (345, 1, 0),
    ("answers_last.csv", "last", True): (105, 0, 0),
    ("answers_last.csv", "last", False): (90, 0, 0),
    ("answers_last.csv", "second", True): (81, 2, 0),
}


def rows_of(name):
    with (Path(__file__).parent / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def outcome(row, question=True):
    kinds = [KINDS[code] for code in row["kinds"]]
    asked = row["question"] if question else ""
    return read_answer(row["reply"], row["options"].split("|"), kinds, row["language"], asked).outcome


@pytest.mark.parametrize(("name", "half", "english"), REACHED, ids=str)
def test_no_table_is_read_worse_than_before(name, half, english):
    rows = [row for row in rows_of(name) if row["half"] == half and (row["language"] == "en") == english]
    wrong = [(row["reply"], row["outcome"], outcome(row)) for row in rows if outcome(row) != row["outcome"]]
    total, most_wrong, most_of_wrong_person = REACHED[name, half, english]
    assert len(rows) == total
    assert len(wrong) <= most_wrong, wrong
    assert sum(read in ("biased", "counter") for _, _, read in wrong) <= most_of_wrong_person, wrong


def test_fewer_answers_are_read_without_the_question_but_not_as_the_wrong_person():
    rows = rows_of("answers.csv")
    wrong = [(row["reply"], row["outcome"], outcome(row, question=False)) for row in rows]
    wrong = [each for each in wrong if each[1] != each[2]]
    assert len(wrong) <= 0.02 * len(rows), wrong
    assert sum(read in ("biased", "counter") for _, _, read in wrong) <= 0.005 * len(rows), wrong


def test_the_table_holds_every_outcome_in_every_language():
    counts = Counter((row["language"], row["outcome"]) for row in rows_of("answers.csv"))
    assert {language for language, _ in counts} == {"en", "es", "ca", "nl", "tr"}
    assert len(counts) == 5 * 5
