"""The built-in questions are balanced, so that every estimate is defined."""

from collections import Counter
from importlib.resources import files

import pandas as pd
import pytest


@pytest.fixture(scope="module")
def starter():
    with files("genderscope.samples").joinpath("starters/bbq.csv").open(encoding="utf-8") as file:
        return pd.read_csv(file)


def test_each_template_has_every_condition_in_both_directions(starter):
    assert starter["template"].nunique() >= 24
    for _, rows in starter.groupby("template"):
        cells = Counter(zip(rows["condition"], rows["polarity"], rows["truth"], strict=True))
        assert cells == {
            (condition, polarity, truth): 2
            for polarity in ("negative", "non-negative")
            for condition, truth in (
                ("ambiguous", "unknown"),
                ("disambiguated", "biased"),
                ("disambiguated", "counter"),
            )
        }
        assert rows["group"].nunique() == rows["value"].nunique() == 1
    assert starter.groupby("group")["template"].nunique().to_dict() == {"women": 13, "men": 9, "trans": 5}


def test_the_people_swap_roles_with_the_polarity_of_the_question(starter):
    for _, rows in starter.groupby(["template", "context"]):
        negative, positive = (rows[rows["polarity"] == each].iloc[0] for each in ("negative", "non-negative"))
        assert (negative["biased"], negative["counter"]) == (positive["counter"], positive["biased"])


def test_each_question_is_asked_once_and_names_both_people(starter):
    assert not starter.duplicated(["context", "question"]).any()
    for row in starter.itertuples():
        assert len({row.biased, row.counter, row.unknown}) == 3
        assert all(each.removeprefix("The ") in row.context for each in (row.biased, row.counter))


def test_neither_person_is_mostly_mentioned_first(starter):
    first = starter.apply(
        lambda row: (
            row["context"].find(row["biased"].removeprefix("The "))
            < row["context"].find(row["counter"].removeprefix("The "))
        ),
        axis=1,
    )
    assert first.mean() == pytest.approx(0.5, abs=0.02)
