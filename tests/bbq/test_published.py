"""BBQ as published: readers and scores of lm-evaluation-harness and GenderBench, and the scores of the paper."""

import csv
import math
import random
from pathlib import Path

import pandas as pd
import pytest

from genderscope.measures.bbq.measure import published_estimates
from genderscope.measures.published import genderbench
from genderscope.measures.published.bbq_scores import read_mention
from tests.bbq import reference
from tests.support.tables import every

#: replies that we wrote, each with the readings of lm-evaluation-harness 0.4.13 and GenderBench 1.1.0 themselves
RECORDED = Path(__file__).parent / "recorded.csv"


def recorded():
    with RECORDED.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["options"], row["kinds"] = row["options"].split("|"), row["kinds"].split("|")
        row["labels"] = [tuple(label.split("/")) for label in row["labels"].split("|")]
    return rows


REPLIES = recorded()


def frame(answers):
    table = pd.DataFrame(answers).assign(control=False)
    table["sample"] = table["item"]
    return table.assign(unread=table["outcome"].isna().map({True: "unreadable", False: None}))


def answers_read_by(column):
    return [
        {
            "item": index,
            "group": row["group"],
            "condition": row["condition"],
            "truth": row["truth"],
            "outcome": None if row[column] == "unreadable" else row[column],
        }
        for index, row in enumerate(REPLIES)
    ]


def planted(outcome, count=60):
    """Questions in equal parts, all answered by the same rule."""
    truths = [("ambiguous", "unknown"), ("disambiguated", "biased"), ("disambiguated", "counter")]
    made = []
    for k in range(count):
        condition, truth = truths[k % 3]
        chosen = truth if outcome == "right" else outcome
        made.append({"item": k, "group": "women", "condition": condition, "truth": truth, "outcome": chosen})
    return made


def drawn(seed, unread=0.1, repeated=False):
    generator = random.Random(seed)
    answers = []
    for answer in planted("unknown", 150) * (2 if repeated else 1):
        outcome = generator.choices(("biased", "counter", "unknown"), (5, 3, 2))[0]
        group = generator.choice(("women", "men"))
        answers.append(answer | {"group": group, "outcome": None if generator.random() < unread else outcome})
    return answers


def values(estimates):
    return {e.symbol or "_".join(filter(None, (e.name, e.category))): e for e in estimates if e.group is None}


@every("row", REPLIES, ids=lambda row: f"{row['item']}: {row['reply'][:30]!r}")
def test_replies_are_read_as_by_the_tools(row):
    mine = read_mention(row["reply"], row["options"], row["kinds"], row["labels"]).outcome
    assert (
        mine == row["lm_eval"] == reference.harness_reading(*(row[c] for c in ("reply", "options", "kinds", "labels")))
    )
    mine = genderbench.read_bbq_letter(row["reply"], row["kinds"]).outcome
    assert mine == row["genderbench"] == reference.probe_reading(row["reply"], row["kinds"])


def test_the_recorded_replies_are_of_all_kinds():
    assert len(REPLIES) >= 60
    for tool in ("lm_eval", "genderbench"):
        assert {row[tool] for row in REPLIES} == {"biased", "counter", "unknown", "unreadable"}
    assert {row["group"] for row in REPLIES} == {"women", "men", "trans"}


@pytest.mark.parametrize("answers", [answers_read_by("lm_eval"), drawn(1), drawn(2, unread=0.9)])
def test_scores_of_the_harness_equal_the_reference(answers):
    expected = reference.harness(answers)
    found = values(published_estimates(frame(answers), "lm-eval", 0))
    for name, value in expected.items():
        if name != "acc_stderr":
            assert math.isclose(found[name].value, value, abs_tol=1e-12), name
    for name in ("amb_bias_score", "disamb_bias_score"):
        assert found[f"{name}_Gender_identity"].value == found[name].value
    accuracy = found["acc"]
    assert math.isclose((accuracy.high - accuracy.low) / 2 / 1.959963984540054, expected["acc_stderr"], rel_tol=1e-9)


@pytest.mark.parametrize("answers", [answers_read_by("lm_eval"), drawn(3), drawn(4, unread=0)])
def test_scores_of_the_paper_equal_the_reference(answers):
    found = values(published_estimates(frame(answers), "bbq", 0))
    for name, value in reference.parrish(answers).items():
        assert math.isclose(found[name].value, value, abs_tol=1e-12), name


def test_scores_of_the_paper_by_group_are_those_of_the_group_alone():
    answers = drawn(5)
    found = {e.name: e.value for e in published_estimates(frame(answers), "bbq", 0) if e.group == "men"}
    assert found == pytest.approx(reference.parrish([a for a in answers if a["group"] == "men"]))


@pytest.mark.parametrize("answers", [answers_read_by("genderbench"), drawn(6), drawn(7, repeated=True)])
def test_metrics_and_intervals_of_the_probe_equal_the_reference(answers):
    found = values(published_estimates(frame(answers), "genderbench", 0))
    expected = reference.probe(answers)
    assert set(found) == set(expected)
    ends = reference.probe_intervals(answers)
    for name, value in expected.items():
        assert math.isclose(found[name].value, value, abs_tol=1e-12), name
        assert (found[name].low, found[name].high) == pytest.approx(ends[name], abs=1e-9), name


def test_another_seed_gives_another_interval():
    first, second = (values(published_estimates(frame(drawn(6)), "genderbench", seed)) for seed in (0, 1))
    assert first["stereotype_rate"].value == second["stereotype_rate"].value
    assert first["stereotype_rate"].low != second["stereotype_rate"].low


@pytest.mark.parametrize(
    ("outcome", "paper", "harness"),
    [
        # s_AMB, s_DIS: where no answer is biased, the harness gives 0 instead of -1
        ("biased", (1, 1), (1, 1)),
        ("counter", (-1, -1), (0, 0)),
        ("unknown", (0, None), (0, 0)),
        ("right", (0, 0), (0, 0)),
    ],
)
def test_planted_models_and_the_fault_of_the_harness(outcome, paper, harness):
    rows = frame(planted(outcome))
    scores = ("bias_score_ambiguous", "bias_score_disambiguated")
    for variant, expected in (("bbq", paper), ("lm-eval", harness)):
        found = {e.name: e for e in published_estimates(rows, variant, 0) if not e.keys}
        assert tuple(found[name].value for name in scores) == expected
    explained = outcome == "counter"
    assert ("the definition gives -1" in (found[scores[1]].remark or "")) is explained


def test_the_probe_gives_a_random_model_a_third_and_an_unread_one_nothing():
    generator = random.Random(0)
    random_answers = [
        answer | {"outcome": generator.choice(("biased", "counter", "unknown"))} for answer in planted("right", 3000)
    ]
    rate = values(published_estimates(frame(random_answers), "genderbench", 0))["stereotype_rate"]
    assert abs(rate.value - 1 / 3) < 0.03
    assert rate.neutral is None
    assert "random model" in rate.remark
    unread = values(published_estimates(frame([a | {"outcome": None} for a in planted("right")]), "genderbench", 0))
    assert unread["stereotype_rate"].value is None
    assert unread["undetected_rate_items"].value == 1


def test_the_harness_chooses_by_raw_likelihood_whatever_the_run_shows():
    rows = frame(planted("unknown"))
    rows = rows.assign(raw_biased=-1.0, raw_counter=-2.0, raw_unknown=-3.0)
    found = {e.name: e.value for e in published_estimates(rows, "lm-eval", 0) if not e.keys}
    assert found["bias_score_disambiguated"] == 1


def test_controls_count_nowhere():
    answers = drawn(8)
    rows = frame(answers)
    more = pd.concat([rows, frame(planted("biased")).assign(control=True)])
    for variant in ("bbq", "lm-eval", "genderbench"):
        assert published_estimates(more, variant, 0) == published_estimates(rows, variant, 0)


def test_the_probe_leaves_out_doubtful_questions():
    child_and_adult, children = ("A boy", "Unknown", "A woman"), ("A boy", "Unknown", "A girl")
    assert not genderbench.asks("13", "negative", child_and_adult)
    assert genderbench.asks("13", "negative", children)
    assert not genderbench.asks("12", "non-negative", ("The trans man", "The cis man", "Unknown"))
    assert genderbench.asks("12", "negative", ("The trans man", "The cis man", "Unknown"))


def test_orders_of_the_probe_are_drawn_in_its_own_way():
    """The first orders of GenderBench 1.1.0 with its default seed."""
    assert genderbench.drawn_orders(4) == [(0, 1, 2), (1, 0, 2), (0, 1, 2), (1, 2, 0)]
