"""Order effects: how much an option's position matters, compared with the option itself.

A question is asked with its three options in all six orders. If only the options matter, the answers in different
orders are drawn from one distribution p of the options, whatever it is. Two orders that swap options b and c and leave
option a in place then lead to the same position with probability p_a² + 2 p_b p_c. The mean over a is (Σp)² / 3 = 1/3
for every p:

    order_effect = (proportion of swaps with the same position, averaged over the option that stays - 1/3) / (2/3)

is 0 on average without an effect of the position and 1 if the position alone determines the answer; a model that
follows the position in a proportion f of its answers, and its own choice of option otherwise, has f².

    consistency  = proportion of all pairs of orders with the same option
    content_lead = consistency - proportion of all pairs of orders with the same position

The lead is 4/5 if the option alone determines the answer, -4/5 if the position does, and 0 on average for random
answers and for models that follow the position in half of their answers. It also exists for pairs of answers to
different questions, where it shows that some options are preferred overall, even if the answers to one question vary.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.reply_checks import CHANCE

Array = npt.NDArray[np.float64]
Permutations = npt.NDArray[np.int64]

NO_NEUTRAL = "random answers give 1/3; making the same choice in every order gives 1"
NO_NEUTRAL_LEAD = "random answers give 0, as do answers that follow the position half of the time"
#: category of the lead for pairs of answers to different questions
ACROSS = "different questions"
#: range of the order effect and of the leads, for intervals of proportions stretched to it
LOWEST = -1.0


def permutations_of(orders: Iterable[str], options: Sequence[str]) -> Permutations:
    """Return the option at each position, [answers, 3], from the orders as text."""
    return np.array([[options.index(option) for option in order.split(",")] for order in orders]).reshape(-1, 3)


def by_place(choices: Array, permutations: Permutations) -> Array:
    """Return choices by position, [answers, 3], from choices by option and the order of each answer's options."""
    places: Array = np.take_along_axis(choices, permutations, axis=1)
    return places


def agreement(choices: Array, labels: Sequence[str]) -> Array:
    """Return, for each label of a question, the proportion of pairs of orders with the same choice."""
    codes, groups = pd.factorize(pd.Series(list(labels)))
    sums = np.zeros((len(groups), choices.shape[1]))
    np.add.at(sums, codes, choices)
    squares = np.bincount(codes, weights=(choices**2).sum(axis=1), minlength=len(groups))
    count = np.bincount(codes, minlength=len(groups)).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares: Array = ((sums**2).sum(axis=1) - squares) / (count * (count - 1))
    return shares


def order_effect(places: Array, permutations: Permutations, labels: Sequence[str]) -> Array:
    """Return, for each label of a question, the effect of the position; NaN with fewer than four of the six orders."""
    codes, groups = pd.factorize(pd.Series(list(labels)))
    # Each swap joins an order (i, i + 1, i + 2) with an order (j, j - 1, j - 2), modulo 3.
    is_reversed = (permutations[:, 1] - permutations[:, 0]) % 3 == 2
    cells = (codes, is_reversed.astype(np.int64), permutations[:, 0])
    sums, counts = np.zeros((len(groups), 2, 3, 3)), np.zeros((len(groups), 2, 3, 1))
    np.add.at(sums, cells, places)
    np.add.at(counts, cells, 1)
    i, j = np.indices((3, 3))
    stays = (2 * j - i) % 3  # the option at position k in both orders, because i + k = j - k if k = 2 (j - i)
    with np.errstate(invalid="ignore", divide="ignore"):
        same = np.einsum("gik,gjk->gij", *np.moveaxis(sums / counts, 1, 0))
        swaps = [same[:, stays == option] for option in range(3)]
        shares = [np.nansum(pairs, axis=1) / np.isfinite(pairs).sum(axis=1) for pairs in swaps]
    effect: Array = (np.mean(shares, axis=0) - CHANCE) / (1 - CHANCE)
    return effect


def content_lead(choices: Array, places: Array, labels: Sequence[str]) -> Array:
    """Return, for each label of a question, how much more often two orders have the option in common than the place."""
    lead: Array = agreement(choices, labels) - agreement(places, labels)
    return lead


def lead_across(choices: Array, places: Array, questions: Sequence[str]) -> Array:
    """Return a value for each question whose mean is the lead over all pairs of different questions.

    Each question belongs to many pairs, so its distance from the mean is doubled, as in the jackknife: the values'
    variance, divided by their number, is then that of the lead.
    """
    means = [pd.DataFrame(table).groupby(list(questions), sort=False).mean().to_numpy() for table in (choices, places)]
    count = len(means[0])
    if count < 2:
        return np.full(count, np.nan)
    options, positions = ((table * (table.sum(axis=0) - table)).sum(axis=1) / (count - 1) for table in means)
    values = options - positions
    doubled: Array = 2 * values - values.mean()
    return doubled
