"""Which of two systems is better, for systems whose order is known by construction.

`benchmarks/known_pairs.py` has many more pairs, also of released translations.
"""

import pytest
from benchmarks.known_pairs import ACCEPTABLE, RIGHT, Pair, Runs, answered, pairs

pytest.importorskip("simplemma", reason="the dictionaries are an extra: pip install 'genderscope[grammar]'")

QUICK = [pair for pair in pairs() if pair.is_quick]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return Runs(tmp_path_factory.mktemp("pairs"))


@pytest.mark.long_but("gest-mt-01", "gate-08", "mt-geneval-10")
@pytest.mark.parametrize("pair", QUICK, ids=lambda pair: pair.name)
def test_the_better_system_is_named(pair, runs):
    answer, by_language, summary = answered(pair, runs)
    verdict = pair.verdict(answer, by_language)
    assert verdict in {RIGHT, ACCEPTABLE}, f"{pair.lines}: {answer} {by_language}, expected {pair.expected}: {summary}"


def test_quick_pairs_need_no_released_data():
    assert {pair.data for pair in QUICK} == {"own"}
    assert len(QUICK) >= 18


@pytest.mark.parametrize(
    ("answer", "by_language", "verdict"),
    [
        ("better:A", {"es": "better:A"}, "right"),
        ("cannot", {"es": "cannot"}, "acceptable"),
        ("trade-off", {"es": "trade-off"}, "wrong"),
        ("better:B", {"es": "better:B"}, "wrong system"),
        ("none", {}, "wrong"),
    ],
)
def test_verdicts_tell_a_wrong_answer_from_the_wrong_system(answer, by_language, verdict):
    pair = Pair("x", "gest-mt", "own", ("es",), ("N", "X"), "better:A", {}, frozenset({"cannot"}), "better:B", False)
    assert pair.verdict(answer, by_language) == verdict


def test_each_language_needs_its_own_answer():
    expected = {"es": "better:A", "de": "better:B"}
    pair = Pair("x", "gate", "own", ("es", "de"), ("M", "F"), "contradict", expected, frozenset(), "", False)
    assert pair.verdict("contradict", expected) == "right"
    assert pair.verdict("contradict", {"es": "better:A", "de": "no difference"}) == "acceptable"
    assert pair.verdict("contradict", {"es": "better:B", "de": "better:B"}) == "wrong system"
