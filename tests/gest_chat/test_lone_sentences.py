"""Intervals when a stereotype has a single sentence, which shows no variance itself."""

import numpy as np
import pandas as pd
import pytest

from genderscope.measures.gest_chat.rates import ChatRates


def letters(values):
    """Return rows of --form letter in which each stereotype has one sentence, answered with the given leaning."""
    rows = [
        {"sample": f"s{i}", "stereotype": i, "wording": 0, "order": "female,male,neither", "unread": None}
        | {"female": (1 - leaning) / 2, "male": (1 + leaning) / 2, "neither": 0.0}
        for i, leaning in enumerate(values, 1)
    ]
    return pd.DataFrame([row for row in rows for _ in range(6)])


@pytest.mark.long
def test_one_sentence_per_stereotype_does_not_make_an_interval_of_no_width():
    draw = np.random.default_rng(1)
    covered, widths = 0, []
    for _ in range(80):
        rate = ChatRates(letters(draw.normal(0, 0.03, 16)), "letter", 0, False).estimates()[0]
        covered += rate.low <= 0 <= rate.high
        widths.append(rate.high - rate.low)
    assert covered >= 70  # it would be close to none without the variance between sentences
    assert np.mean(widths) < 2 * 3.92 * 0.03 / np.sqrt(15)


def test_a_lone_sentence_gets_the_variance_of_the_other_stereotypes():
    draw = np.random.default_rng(2)
    each = [letters(draw.normal(0, 0.05, 16)) for _ in range(9)]
    many = pd.concat(rows.assign(sample=rows["sample"] + f"-{k}") for k, rows in enumerate(each))
    whole = ChatRates(many, "letter", 0, False).estimates()[0]
    lone = many[(many["stereotype"] != 3) | many["sample"].str.endswith("-0")]
    partly = ChatRates(lone, "letter", 0, False).estimates()[0]
    assert whole.high - whole.low < partly.high - partly.low < 2 * (whole.high - whole.low)
