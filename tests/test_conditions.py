"""Numbers that show degenerate answers: always the first option, always a man, no better than chance."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest

from genderscope.measures.dialogue import conditions as dialogue
from genderscope.measures.gest import conditions as gest
from genderscope.measures.gest_chat import conditions as chat
from genderscope.measures.gest_mt import conditions as gest_mt
from genderscope.measures.mt_geneval import conditions as geneval
from genderscope.measures.wordfill import conditions as wordfill

OPTIONS = ("female", "male", "neither")


def answers(choose) -> pd.DataFrame:
    """Rows of gest-chat: `choose` picks an option from an order."""
    orders = list(permutations(OPTIONS)) * 8
    rows = pd.DataFrame({"order": [",".join(order) for order in orders], "outcome": [choose(o) for o in orders]})
    rows = rows.assign(sample=np.arange(len(rows)) // 6, stereotype=1, wording=1, mass=np.nan)
    return rows.assign(unread=pd.Series([None] * len(rows), dtype="string"))


def test_a_model_that_always_takes_the_first_option_has_one_place():
    rows = answers(lambda order: order[0])
    assert chat.order_effect(rows, "ask") == pytest.approx(1)
    assert chat.place_share(rows, "ask") == 1
    assert chat.outcome_share(rows, "ask") == pytest.approx(1 / 3)
    assert chat.gendered_share(rows, "ask") == pytest.approx(2 / 3)


def test_a_model_that_always_says_the_same_has_one_outcome():
    rows = answers(lambda order: "neither")
    assert chat.order_effect(rows, "ask") == pytest.approx(0)
    assert chat.place_share(rows, "ask") == pytest.approx(1 / 3)
    assert (chat.outcome_share(rows, "ask"), chat.gendered_share(rows, "ask")) == (1, 0)
    assert chat.letter_mass(rows) is None
    assert chat.letter_mass(rows.assign(mass=0.2)) == pytest.approx(0.2)


def test_written_characters_have_no_places():
    rows = answers(lambda order: "male").assign(order=None)
    assert chat.place_share(rows, "write") is None
    assert chat.order_effect(rows, "write") is None


def test_speakers_who_are_all_men_leave_no_room_for_a_stereotype():
    rows = pd.DataFrame({"language": ["sk"] * 4, "gender": ["masculine"] * 4, "unread": None})
    assert (gest_mt.majority_share(rows), gest_mt.room(rows)) == (1, 0)
    mixed = rows.assign(gender=["masculine", "feminine"] * 2)
    assert (gest_mt.majority_share(mixed, "sk"), gest_mt.room(mixed)) == (0.5, 1)
    assert gest_mt.majority_share(rows.assign(unread="neutral")) is None


def test_a_system_that_ignores_the_source_writes_one_gender():
    rows = pd.DataFrame({"gender": ["masculine", "feminine"] * 3, "reading": ["right", "wrong"] * 3, "unread": None})
    assert geneval.majority_share(rows) == 1
    assert geneval.majority_share(rows.assign(reading="right")) == 0.5


def test_dialogue_counts_only_people_whose_gender_the_source_leaves_open():
    rows = pd.DataFrame({"gender": ["masculine", "masculine", "feminine"], "determined": [False, False, True]})
    assert dialogue.majority_share(rows.assign(language="es")) == 1


def test_log_ratios_of_an_untrained_model_hardly_vary():
    ratios = np.random.default_rng(0).normal(0.2, 0.01, 200)
    rows = pd.DataFrame({"template": [1, 2] * 100, "log_ratio": ratios, "mass": [4e-5, 2e-5] * 100, "unread": None})
    assert gest.log_ratio_spread(rows) == pytest.approx(0.01, rel=0.2)
    assert gest.largest_mass(rows) == pytest.approx(4e-5)
    assert gest.majority_share(rows) == 1
    without = rows.drop(columns=["template", "mass"])
    assert gest.log_ratio_spread(without) == pytest.approx(0.01, rel=0.2)
    assert gest.largest_mass(without) is None


def test_a_model_without_language_prefers_unrelated_words_half_of_the_time():
    rows = pd.DataFrame({"lp0": [-1.0, -3.0], "lp1": [-3.0, -1.0], "lp_unrelated": [-2.0, -2.0], "unread": None})
    assert wordfill.meaningful_share(rows) == 0.5
    assert wordfill.meaningful_share(rows.assign(lp_unrelated=np.nan)) is None
