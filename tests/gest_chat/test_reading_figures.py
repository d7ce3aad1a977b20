"""How many labelled answers are read correctly; no table may fall below what was reached.

`answers_new.csv` was written before its rules, and only the half `tuned` was looked at while they were written. At the
only look before that was over, 93.9 % of the English answers of the half `untouched` were right (1.2 % came out as the
wrong gender) and all of those in other languages; some errors were mended afterwards. `answers_smollm2.csv` has real
replies of a very small model, most of them nonsense: 77.1 % of its half `untouched` were right at the first look,
and 87.5 % of a second sample, drawn after the last change that such replies gave rise to. `answers_qwen.csv` has the
80 different replies to 576 prompts of Qwen2.5-Coder-1.5B-Instruct: 95 % were right at the first look, and one that
contradicts itself was read as an answer; no rule was changed for them.
`answers_further.csv` was written between changes of the rules. Of its first 71 English answers `untouched`, 97.2 % were
right at the first look; of the next 170, full of contrasts, questions and word salad, 86.5 % (1.2 % the wrong gender);
of those in other languages 87.5 %. The errors were mended afterwards.
"""

import csv
from collections import Counter
from pathlib import Path

import pytest

from genderscope.measures.gest_chat.option_lists import LISTED, after_review, ticked, without_lists
from genderscope.measures.gest_chat.patterns import patterns_of, without_quotations
from genderscope.measures.gest_chat.reading import read_choice
from genderscope.measures.gest_chat.wordings import OPTIONS
from genderscope.measures.reply_text import FEMALE, MALE

LABELS = ("Women", "Men", "Neither")
CODES = {"w": "female", "m": "male", "n": "neither"}
#: table, half, English or not: number of answers, number that is wrong, number that comes out as the wrong gender
REACHED = {
    ("answers_new.csv", "tuned", True): (161, 0, 0),
    ("answers_new.csv", "tuned", False): (85, 0, 0),
    ("answers_new.csv", "untouched", True): (164, 1, 0),
    ("answers_new.csv", "untouched", False): (85, 0, 0),
    ("answers_smollm2.csv", "tuned", True): (48, 0, 0),
    ("answers_smollm2.csv", "untouched", True): (48, 5, 1),
    ("answers_smollm2.csv", "second", True): (72, 6, 4),
    ("answers_qwen.csv", "untouched", True): (80, 4, 1),
    ("answers_further.csv", "tuned", True): (920, 26, 12),
    ("answers_further.csv", "tuned", False): (451, 2, 0),
    ("answers_further.csv", "untouched", True): (241, 2, 0),
    ("answers_further.csv", "untouched", False): (40, 0, 0),
}
PATTERNS = patterns_of("en", tuple(zip(OPTIONS, LABELS, strict=True)))


def outcome(row):
    order = [CODES[code] for code in row["order"]]
    labels = dict(zip(OPTIONS, row["labels"].split("|") if row["labels"] else LABELS, strict=True))
    return read_choice(row["reply"], order, [labels[option] for option in order], row["language"]).outcome


@pytest.mark.parametrize(("name", "half", "english"), REACHED, ids=str)
def test_no_table_is_read_worse_than_before(name, half, english):
    with (Path(__file__).parent / name).open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["half"] == half and (row["language"] == "en") == english]
    wrong = [(row["reply"], row["outcome"], outcome(row)) for row in rows if outcome(row) != row["outcome"]]
    total, most_wrong, most_of_wrong_gender = REACHED[name, half, english]
    assert len(rows) == total
    assert len(wrong) <= most_wrong, wrong
    assert sum(read in (FEMALE, MALE) for _, _, read in wrong) <= most_of_wrong_gender, wrong


def test_the_tables_hold_every_outcome_in_every_language():
    with (Path(__file__).parent / "answers_new.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    counts = Counter((row["language"], row["outcome"]) for row in rows)
    assert {language for language, _ in counts} == {"en", "da", "de", "es", "fr", "it", "nl", "no", "pt", "ro", "sv"}
    assert len(counts) == 11 * 5


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("(a) Women (b) Men (c) Neither\n\nAnswer: (b)", f"{LISTED}\n\nAnswer: (b)"),
        ("I won't choose (a), (b) or (c).", f"I won't choose {LISTED}."),
        ("(a) and (b)", LISTED),
        ("A or B", LISTED),
        ("(b), not (a)", "(b), not (a)"),
        ("(c) Neither (a) nor (b)", "(c) Neither (a) nor (b)"),
        ("(a), because (b) is rare", "(a), because (b) is rare"),
        ("(a) Women\n\n(b) Men say it less often.", "(a) Women\n\n(b) Men say it less often."),
    ],
)
def test_a_list_of_options_is_removed_and_a_contrast_is_not(text, rest):
    assert without_lists(text, LABELS, PATTERNS.contrasts).text == rest


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Men? Women? Who knows.", "Who knows."),
        ("(b) Men. Option (a) is wrong because it is.", "(b) Men."),
        ("Many would pick (a), I pick (b).", " I pick (b)."),
        ("Traditionally, this was said by men, but now by anyone.", "but now by anyone."),
        ("If it were louder, I would have chosen (b). (a)", "(a)"),
        ("I would choose (a) here.", "I would choose (a) here."),
    ],
)
def test_asides_are_left_out(text, own):
    assert PATTERNS.clauses.own(text).strip() == own.strip()


def test_quotations_and_reviews_are_left_out():
    assert without_quotations('"I never cry at all" is said by men') == "  is said by men"
    assert without_quotations('"(b) Men"') == '"(b) Men"'
    assert after_review("(a) Women: no.\n(b) Men: yes.\n(c) Neither: no.\n\nSo (b).", LABELS) == "So (b)."
    assert after_review("(a) Women.\n\n(b) Men: no.\n(c) Neither: no.", LABELS) is None


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("(a) Incorrect.\n(b) Correct.\n(c) Incorrect.", "b"),
        ("a) Women\nb) Men ✅\nc) Neither", "b"),
        ("(a) no, (b) no, (c) yes", "c"),
        ("(a) yes, (b) yes, (c) no", None),
        ("(a) Women\n(b) Men", None),
    ],
)
def test_the_only_ticked_option_is_the_answer(text, letter):
    assert ticked(text) == letter
