"""Reading a reply takes time that is linear in its length, for every reader of what models write.

Broken models repeat one character or one phrase up to their limit. Each of 100,000 characters must be read within a
second of processor time; a reader that goes back over what it has read takes minutes. Longer units, in which every word
could begin a match, only have to grow with the length.
"""

import string
from functools import cache, partial

import pytest
from benchmarks.soak_fuzz import readers, reply_readers, timed

from genderscope.models.server.tokens import shared_floor
from genderscope.util.text_normalization import normalized
from tests.support.linear_time import assert_grows_with_the_length, assert_within

pytestmark = pytest.mark.long

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


def full(unit, size):
    return unit * (size // len(unit))


def assert_read_within_a_second(name, texts):
    """Check texts, given as functions of their size.

    Most are read at a third of the size only: a reader that takes longer than a second for the whole size takes longer
    than a tenth of a second there, even if its time is quadratic.
    """
    read = warm(name)
    for unit, text in texts.items():
        if timed(read, text(SIZE // 3)) > SECONDS / 10:
            assert_within(read, text(SIZE), SECONDS, f"{name}, {unit!r}")


@pytest.mark.parametrize("name", REPLIES)
def test_a_repeated_character_is_read_within_a_second(name):
    assert set(string.printable) <= set(ASCII)
    units = [*ASCII, *OTHERS, *NAMED] if name in WHOLLY else [*" \n\t!-'_a1.", *NAMED]
    assert_read_within_a_second(name, {unit: partial(full, unit) for unit in units})


@pytest.mark.parametrize("name", REPLIES)
def test_a_run_between_words_is_read_within_a_second(name):
    around, units = (AROUND, "!\n \t-'_a1.") if name in WHOLLY else (AROUND[:2], "!\n -")
    texts = {(a, u, b): lambda size, a=a, u=u, b=b: f"{a}{full(u, size)}{b}" for u in units for a, b in around}
    assert_read_within_a_second(name, texts)


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
