"""Which of two runs is better follows from what each is ahead in, and languages may contradict each other."""

from dataclasses import replace

import pytest

from genderscope.judgement import (
    Answer,
    AnswerKind,
    Finding,
    combine_answers,
    conclude_answer,
    corrected_for,
    describe_answer,
    describe_order,
)
from genderscope.judgement.criteria import known_gender, open_gender

RUNS = ("A", "B")


def finding(name, gain, p=0.001, **more):
    words = {"women": "women kept", "men": "men kept", "usable": "usable translations"}[name]
    ends = {"low": gain - 0.04, "high": gain + 0.04}
    return Finding(
        name, words, f"keeps more {name}", RUNS, (0.5, 0.5 + gain), ("50", "60"), 100, 0.05, gain, p=p, **ends | more
    )


AHEAD, BEHIND = finding("women", 0.2), finding("men", -0.2)
SMALL, OPEN = finding("men", 0.01, low=-0.02, high=0.04, p=0.6), finding("men", 0.1, low=-0.1, high=0.3, p=0.3)
NO_ROOM = finding("men", 0.5, left_out="A makes everyone a man")


@pytest.mark.parametrize(
    ("findings", "kind", "better"),
    [
        ([AHEAD, SMALL], AnswerKind.BETTER, "B"),
        ([AHEAD, OPEN], AnswerKind.BETTER, "B"),
        ([AHEAD, BEHIND], AnswerKind.TRADE_OFF, None),
        ([SMALL], AnswerKind.NO_DIFFERENCE, None),
        ([OPEN], AnswerKind.NO_DIFFERENCE, None),
        ([finding("women", 0.03)], AnswerKind.NO_DIFFERENCE, None),
        ([BEHIND, NO_ROOM], AnswerKind.BETTER, "A"),
        ([NO_ROOM], AnswerKind.CANNOT_JUDGE, None),
        ([NO_ROOM, finding("usable", 0.0, p=1.0)], AnswerKind.CANNOT_JUDGE, None),
        ([NO_ROOM, finding("usable", 0.5)], AnswerKind.CANNOT_JUDGE, None),
        ([], AnswerKind.CANNOT_JUDGE, None),
    ],
)
def test_the_answer_follows_from_the_findings(findings, kind, better):
    answer = conclude_answer(RUNS, findings)
    assert (answer.kind, answer.better) == (kind, better)
    assert describe_answer(answer)[0].endswith(".")


def test_a_trade_off_says_what_each_is_ahead_in():
    (sentence,) = describe_answer(conclude_answer(RUNS, [AHEAD, BEHIND]))
    assert sentence == "A trade-off: A keeps more men (50 and 60 of 100), but B keeps more women (50 and 60 of 100)."


def test_what_is_open_and_what_is_left_out_is_said():
    first, *rest = describe_answer(conclude_answer(RUNS, [AHEAD, OPEN, replace(NO_ROOM, words="stereotypes")]))
    assert first == "B is better: it keeps more women (50 and 60 of 100)."
    assert rest == [
        "No significant difference: men kept (50 and 60 of 100; they may differ by up to 30 of 100).",
        "Not compared: stereotypes, because A makes everyone a man.",
    ]


def test_no_difference_comes_with_the_largest_that_remains():
    (sentence,) = describe_answer(conclude_answer(RUNS, [OPEN, SMALL], noun="sentences"))
    assert sentence == (
        "No difference between A and B that these 100 sentences could show. The largest that remains possible: 30 of "
        "100 in men kept."
    )
    (alike,) = describe_answer(conclude_answer(RUNS, [SMALL]))
    assert alike == "No difference that matters: A and B are alike in men kept."


def in_language(language, *findings):
    return conclude_answer(RUNS, findings, language)


@pytest.mark.parametrize(
    ("answers", "kind", "said"),
    [
        ((("es", BEHIND), ("fr", BEHIND)), AnswerKind.BETTER, "A is better in all 2 languages."),
        (
            (("es", AHEAD), ("fr", OPEN)),
            AnswerKind.BETTER,
            "B is better in Spanish; no difference could be shown in French.",
        ),
        (
            (("es", AHEAD), ("fr", BEHIND)),
            AnswerKind.CONTRADICTION,
            "The languages disagree, so choose by language: A is better in French; B is better in Spanish.",
        ),
        (
            (("es", OPEN), ("fr", OPEN)),
            AnswerKind.NO_DIFFERENCE,
            "No difference between A and B could be shown in any language.",
        ),
        (
            (("es", OPEN), ("fr", NO_ROOM)),
            AnswerKind.NO_DIFFERENCE,
            "No difference could be shown in Spanish; French cannot be judged.",
        ),
        (
            (("es", NO_ROOM), ("fr", NO_ROOM)),
            AnswerKind.CANNOT_JUDGE,
            "Cannot be judged in any language. A makes everyone a man.",
        ),
    ],
)
def test_languages_give_one_answer_only_if_they_do_not_contradict_each_other(answers, kind, said):
    whole = combine_answers([in_language(language, each) for language, each in answers])
    assert whole.kind is kind
    assert describe_answer(whole) == [said]


def test_a_statement_about_some_languages_or_criteria_says_what_it_generalises_to():
    wide, narrow = replace(AHEAD, over="stereotypes"), finding("usable", 0.2)
    some = combine_answers([in_language("es", wide), in_language("fr", OPEN)])
    said = "B is better in Spanish, also for other stereotypes; no difference could be shown in French."
    assert describe_answer(some) == [said]
    mixed = describe_answer(in_language(None, wide, narrow))[0]
    assert mixed.startswith("B is better, in part also for other stereotypes: ")


def test_an_answer_that_is_barely_significant_does_not_hold_for_one_of_several_families():
    barely = in_language(None, finding("women", 0.2, p=0.02))
    assert barely.better == corrected_for(barely, 2).better == "B"
    assert corrected_for(barely, 3).kind is AnswerKind.NO_DIFFERENCE


def test_a_trade_off_in_one_language_is_one_for_all():
    whole = combine_answers([in_language("es", AHEAD, BEHIND), in_language("fr", AHEAD)])
    assert whole.kind is AnswerKind.TRADE_OFF
    assert describe_answer(whole) == ["B is better in French; there is a trade-off in Spanish."]


def test_an_order_names_the_best_and_the_trade_offs():
    def pair(one, other, *findings):
        return conclude_answer((one, other), [replace(f, runs=(one, other)) for f in findings])

    order = describe_order([pair("A", "B", AHEAD), pair("A", "C", AHEAD, BEHIND), pair("B", "C", BEHIND)])
    assert order == ["B is better than all others.", "Trade-offs: A and C."]


@pytest.mark.parametrize(
    ("men", "women", "room"), [(1.0, 0.0, 0.0), (0.5, 0.5, 1.0), (0.94, 0.06, 0.12), (0.2, 0.0, 0.0), (0.0, 0.0, None)]
)
def test_a_system_of_one_gender_leaves_no_room_for_stereotypes(men, women, room):
    (criterion,) = (c for c in open_gender() if c.name == "stereotypes")
    found = criterion.room.size({"labelled_men": men, "labelled_women": women})
    assert found == (room if room is None else pytest.approx(room))


@pytest.mark.parametrize(
    ("women", "men", "gap", "stereotypes"), [(0, 0, 0, 0), (0, 1, 1, 0), (1, 1, 1, 1), (0.05, 0.05, 0.1, 0.1)]
)
def test_a_system_that_is_always_wrong_leaves_no_room_for_a_gap(women, men, gap, stereotypes):
    rooms = {c.name: c.room.size({"right_women": women, "right_men": men}) for c in known_gender() if c.room}
    assert rooms == {"gender_gap": pytest.approx(gap), "stereotype_gap": pytest.approx(stereotypes)}


def test_a_run_that_cannot_be_judged_in_one_language_is_not_better_on_the_whole():
    broken = Answer(AnswerKind.CANNOT_JUDGE, RUNS, "fr", reason="B: it translates nothing.", broken="B")
    assert combine_answers([in_language("es", AHEAD), broken]).kind is AnswerKind.CANNOT_JUDGE
    assert combine_answers([in_language("es", AHEAD), replace(broken, broken="A")]).better == "B"
