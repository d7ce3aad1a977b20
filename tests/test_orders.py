"""The order effect is 0 on average for any preference, and the condition on orders rejects random answers."""

from itertools import product

import numpy as np
import pytest
from benchmarks.simulated import orders

from genderscope.measures import reply_orders
from genderscope.measures.gest_chat.checks import ORDER

PATTERNS = np.array(list(product(range(3), repeat=6)))


def effects_of(options, read=None):
    """Return the order effect of each line of options, [questions, 6]; `read` selects the orders with an answer."""
    read = range(6) if read is None else read
    permutations = np.tile(orders.ORDERS[list(read)], (len(options), 1))
    places = reply_orders.by_place(np.eye(3)[options[:, list(read)].ravel()], permutations)
    labels = np.repeat(np.arange(len(options)), len(read)).astype(str)
    return reply_orders.order_effect(places, permutations, list(labels))


@pytest.mark.parametrize("shares", [(1, 0, 0), (0.9, 0.1, 0), (0.5, 0.3, 0.2), (1 / 3, 1 / 3, 1 / 3)])
@pytest.mark.parametrize("read", [range(6), (0, 1, 2, 3), (1, 2, 3, 4), (0, 3, 4, 5)])
def test_the_expected_order_effect_is_zero_for_every_preference(shares, read):
    chances = np.prod(np.array(shares)[PATTERNS], axis=1)
    assert effects_of(PATTERNS, read) @ chances == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("read", [range(6), (0, 1, 2, 3), (0, 3, 4, 5)])
def test_answers_by_place_have_the_largest_effect(place, read):
    assert effects_of(orders.ORDERS[:, place][None], read) == pytest.approx(1)


def test_three_orders_do_not_show_an_effect():
    assert np.isnan(effects_of(PATTERNS, (0, 1, 2))).all()


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_following_the_place_sometimes_gives_the_square_of_its_share(share):
    options = orders.by_place(share, orders.certain)(np.random.default_rng(0), 20_000)
    assert effects_of(options).mean() == pytest.approx(share**2, abs=0.01)


@pytest.mark.parametrize("estimates_of", [orders.chat_estimates, orders.bbq_estimates])
def test_only_models_that_prefer_options_pass_the_condition(estimates_of):
    condition, judged = ORDER, orders.RATE

    def passed(model, seeds):
        generators = map(np.random.default_rng, range(seeds))
        every = (estimates_of(model(generator, 120), np.full((120, 6), True)) for generator in generators)
        return sum(condition.failure(estimates, judged) is None for estimates in every)

    assert passed(orders.drawn(*orders.UNIFORM), 8) <= 1
    assert passed(orders.by_place(1.0, orders.certain), 2) == 0
    for model in (orders.certain, orders.drawn(0, 0, 1), orders.drawn(0.6, 0.3, 0.1)):
        assert passed(model, 2) == 2
