"""Reading a reply takes time that is linear in its length, for every reader of what models write.

Broken models repeat one character or one phrase up to their limit. Each of 100,000 characters must be read within a
second of processor time; a reader that goes back over what it has read takes minutes. Longer units, in which every word
could begin a match, only have to grow with the length.
"""

import string
from functools import cache

import pytest
from benchmarks.soak_fuzz import readers, reply_readers

from genderscope.models.server.tokens import shared_floor
from genderscope.util.text_normalization import normalized
from tests.support.linear_time import assert_grows_with_the_length, assert_within

SIZE = 100_000
SECONDS = 1.0
ASCII = [chr(code) for code in range(128)]
OTHERS = [
    *"\x85\xa0\xad\u0301\u0316\u0f73\u1100\u200b\u200d\u2028\u202e\u3000\u3099\ufdfa\ufeff\ufffd\uff9e\ud800",
    *"éßяאعअ中İıẞﬁ…—–•“”„‘’«»\U0001f600",
]
#: what the audit of this program found to take quadratic time, and what is built alike
NAMED = [
    *("(a", "(a)", "(a) ", "a) ", "<think>", "</think>", "<think></think>", "<think> ", "** ", "not ", "\n ", "\r\n"),
    *("\t\n", " -", "_a", "\\boxed{", "\\boxed{ ", "\u0301\u0316", "\u0301" * 20 + "\u0316" * 20, "100-", "latest"),
]
#: around a unit: what makes the reader look for more, and what disappoints it
AROUND = [("(a)", "x"), ("(a) Women ", "."), ("women ", "x"), ("<think>", ""), ("not ", " than men"), ("Here:\n", "or")]
#: units in which much could begin: n words, and none of them leads anywhere
CROWDED = [
    *("women-a-", "women ", "women more ", "more likely ", "some might (a) ", "some people could say (b) ", "wait "),
    *("i can't ", "not (a) or ", "(a) or ", "the answer is ", "guidelines ", "nothing ", "Gender: ", "\nName: A"),
    *("a mother, ", "his wife ", "woman and man ", "like a man ", "she ", '"she ', "„a", "l'a", "a'-", "a-", "1.\n"),
    *("the owners they ", "Ann the baker, ", "\nAva – she", "he; she; ", "named Bob "),
    *("hmm ", "Mr. ", "\nor", "\nNote ", "```\n", "a/b ", "frauen als ", "mujeres que ", "män än a ", "donne di "),
]
REPLIES = sorted(reply_readers())
#: these get everything; the readers of other languages, which have the same patterns with other words, a selection
WHOLLY = {name for name in REPLIES if name.endswith("-en") or name[-3] != "-"}
GRAMMAR = sorted(set(readers()) - set(REPLIES))


@cache
def warm(name):
    """A reader whose dictionaries are loaded."""
    read, sentences = readers()[name]
    for sentence in sentences[:20]:
        read(sentence)
    return read


def full(unit, size=SIZE):
    return unit * (size // len(unit))


def assert_read_within_a_second(name, texts):
    read = warm(name)
    for unit, text in texts.items():
        assert_within(read, text, SECONDS, f"{name}, {unit!r}")


@pytest.mark.parametrize("name", REPLIES)
def test_a_repeated_character_is_read_within_a_second(name):
    assert set(string.printable) <= set(ASCII)
    units = [*ASCII, *OTHERS, *NAMED] if name in WHOLLY else [*" \n\t!-'_a1.", *NAMED]
    texts = {unit: full(unit) for unit in units}
    assert_read_within_a_second(name, texts)


@pytest.mark.parametrize("name", REPLIES)
def test_a_run_between_words_is_read_within_a_second(name):
    around, units = (AROUND, "!\n \t-'_a1.") if name in WHOLLY else (AROUND[:2], "!\n -")
    assert_read_within_a_second(name, {(a, u, b): f"{a}{full(u)}{b}" for u in units for a, b in around})


@pytest.mark.parametrize("name", REPLIES)
def test_time_grows_with_the_length_of_a_reply_only(name):
    around = AROUND[:3] if name in WHOLLY else AROUND[:1]
    short, long = (
        {f"{a}|{unit}|{b}": f"{a}{full(unit, size)}{b}" for unit in CROWDED for a, b in around}
        for size in (4_000, 16_000)
    )
    assert_grows_with_the_length(warm(name), short, long)


@pytest.mark.parametrize("name", GRAMMAR)
def test_a_repeated_character_in_a_translation_is_read_in_linear_time(name):
    units = [" ", "\n", "a", "é", "!", "-", "'", '"', "(", "1", "\u0301\u0316", "(a", "<think>", "a ", "“a", "&"]
    short, long = ({unit: full(unit, size) for unit in units} for size in (10_000, 40_000))
    assert_grows_with_the_length(warm(name), short, long)


def test_combining_marks_are_sorted_in_bounded_runs():
    marks = "a" + "\u0301" * 50_000 + "\u0316" * 50_000 + "b"
    for form in ("NFC", "NFKC", "NFKD"):
        assert_within(lambda text, form=form: normalized(form, text), marks, SECONDS, form)
    assert normalized("NFC", "e\u0301 \ufb01 " + "\U0001f600" * 40) == "\xe9 \ufb01 " + "\U0001f600" * 40
    assert normalized("NFC", "a" + "\u0316" * 40) == "a" + "\u0316" * 30


def test_a_shared_floor_is_found_in_one_look():
    scores = [-15.5 - k / 1e6 for k in range(200_000)]
    assert_within(shared_floor, scores, SECONDS)
    assert shared_floor([*scores, -40.25, -40.25]) == -40.25
