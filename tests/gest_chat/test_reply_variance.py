"""How much of the interval's variance is due to sampling replies, in rows drawn with known chances."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest

from genderscope.measures.gest_chat.breakdowns import sampling_variance
from genderscope.measures.gest_chat.rates import ChatRates
from genderscope.samples.gest import MALE

ORDERS = [",".join(order) for order in permutations(("female", "male", "neither"))]
OUTCOMES = np.array(["female", "male", "neither"])
SCORES = np.array([0.0, 1.0, 0.5])
#: weight of a stereotype in the rate; 15 is left out
WEIGHTS = {i: 1 / 8 if i in MALE else 1 / 7 for i in range(1, 17) if i != 15}


def rows_of(outcomes, orders=tuple(ORDERS)):
    """Return the rows of outcomes [stereotypes, sentences, orders, draws]; an empty outcome is unread."""
    kinds, sentences, count, draws = outcomes.shape
    samples = np.repeat(np.arange(kinds * sentences), count * draws)
    said = pd.Series(outcomes.ravel(), dtype="object")
    return pd.DataFrame(
        {
            "sample": samples,
            "sentence": [f"I am {sample}." for sample in samples],
            "stereotype": 1 + samples // sentences,
            "wording": 1,
            "order": np.tile(np.repeat(np.array(orders, dtype="object"), draws), kinds * sentences),
            "draw": np.tile(np.arange(draws), kinds * sentences * count),
            "outcome": said.where(said != "", None),
            "unread": said.where(said == "", None).astype("string"),
        }
    )


def estimated(rows, form="ask"):
    rates = ChatRates(rows, form, 0, False)
    return sampling_variance(rows, form, rates.overall["stereotype_rate"])


def drawn(chances, draws, generator):
    """Draw outcomes for chances [stereotypes, sentences, orders, 3]."""
    places = generator.random((*chances.shape[:3], draws, 1)) > chances.cumsum(axis=-1)[..., None, :]
    return OUTCOMES[places.sum(axis=-1)]


@pytest.mark.long
@pytest.mark.parametrize(("draws", "unread"), [(2, 0.0), (3, 0.3)])
def test_the_variance_of_sampling_is_estimated_without_bias(draws, unread):
    """The chances of every prompt are fixed, so that the rate's variance is known for the replies that were read."""
    generator = np.random.default_rng(draws)
    chances = generator.dirichlet((1.0, 1.0, 1.0), size=(16, 4, 6))
    variances = chances @ SCORES**2 - (chances @ SCORES) ** 2
    excess = []
    for _ in range(40):
        outcomes = drawn(chances, draws, generator)
        outcomes[generator.random(outcomes.shape) < unread] = ""
        count = (outcomes != "").sum(axis=-1)
        prompts = (count > 0).sum(axis=-1, keepdims=True)
        own = np.where(count > 0, variances / np.maximum(count, 1), 0.0) / prompts**2
        truth = sum(WEIGHTS[i] ** 2 * own[i - 1].sum() / 4**2 for i in WEIGHTS)
        excess.append(estimated(rows_of(outcomes)) / truth - 1)
    assert abs(np.mean(excess)) < 4 * np.std(excess) / np.sqrt(len(excess)) + 0.01
    assert np.std(excess) > 0


@pytest.mark.long
def test_it_is_the_variance_of_rates_that_are_measured_again():
    generator = np.random.default_rng(5)
    chances = generator.dirichlet((0.5, 0.5, 0.5), size=(16, 2, 6))
    values, found = [], []
    for _ in range(60):
        rows = rows_of(drawn(chances, 2, generator))
        rates = ChatRates(rows, "ask", 0, False)
        values.append(rates.overall["stereotype_rate"].value)
        found.append(estimated(rows))
    assert np.mean(found) / np.var(values, ddof=1) == pytest.approx(1, abs=4 * np.sqrt(2 / 60))


def test_texts_without_a_gender_do_not_count():
    """Two sentences per stereotype; of four texts about each, one woman, one man and two without a gender."""
    texts = np.broadcast_to(np.array(["female", "male", "they", "no pronoun"]), (16, 2, 1, 4))
    rows = rows_of(texts, orders=(None,))
    # Variance 1/2 of a text, over two texts, a mean of two sentences, and 8 and 7 stereotypes.
    assert estimated(rows, "write") == pytest.approx(0.5 / 2 / 2 * (1 / 8 + 1 / 7))


def test_a_sentence_under_two_stereotypes_is_asked_once():
    generator = np.random.default_rng(1)
    outcomes = drawn(generator.dirichlet((1.0, 1.0, 1.0), size=(16, 1, 6)), 3, generator)
    outcomes[1] = outcomes[0]
    rows = rows_of(outcomes)
    apart = estimated(rows)
    alone = rows[rows["stereotype"] == 1]
    own = alone.assign(score=alone["outcome"].map(dict(zip(OUTCOMES, SCORES, strict=True)))).groupby("order")["score"]
    once = own.var().sum() / 3 / 36 / 7**2
    together = estimated(rows.assign(sentence=rows["sentence"].where(rows["stereotype"] != 2, "I am 0.")))
    assert together - apart == pytest.approx(2 * once)  # (1/7 + 1/7)² instead of 2 (1/7)²


def test_shares_of_the_variance_add_up_and_split_that_of_the_sentences():
    generator = np.random.default_rng(2)
    chances = generator.dirichlet((1.0, 1.0, 1.0), size=(16, 5, 1)).repeat(6, axis=2)
    rows = rows_of(drawn(chances, 3, generator))
    estimates = ChatRates(rows, "ask", 0, False).estimates()
    shares = {e.category: e.value for e in estimates if e.name == "variance_share"}
    [sampled] = [e.value for e in estimates if e.name == "sampling_share"]
    assert list(shares) == ["sentences", "replies", "stereotypes"]
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["replies"] / (shares["sentences"] + shares["replies"]) == pytest.approx(sampled)
    once = ChatRates(rows[rows["draw"] == 0], "ask", 0, False).estimates()
    assert "sampling_share" not in {e.name for e in once}
    assert "replies" not in {e.category for e in once if e.name == "variance_share"}


@pytest.mark.long
def test_more_draws_take_their_share_of_the_variance_away():
    """With twice as many draws, half of the sampling variance is left, and the interval is as narrow as announced."""
    generator = np.random.default_rng(3)
    chances = generator.dirichlet((1.0, 1.0, 1.0), size=(16, 12, 1)).repeat(6, axis=2)
    halves, widths = [], []
    for draws in (2, 4, 32):
        rates = ChatRates(rows_of(drawn(chances, draws, generator)), "ask", 0, False)
        rate = rates.estimate(rates.overall["stereotype_rate"])
        halves.append(estimated(rates.rows))
        [share] = [e.value for e in rates.estimates() if e.name == "sampling_share"]
        widths.append(((rate.high - rate.low) ** 2, share))
    assert halves[1] / halves[0] == pytest.approx(0.5, rel=0.1)
    assert widths[2][0] == pytest.approx(widths[0][0] * (1 - widths[0][1]), rel=0.2)


def test_certain_models_have_no_sampling_variance():
    outcomes = np.broadcast_to(np.array(["male", "female"])[:, None, None, None].repeat(8, axis=0), (16, 4, 6, 3))
    assert estimated(rows_of(outcomes)) == 0
