"""Order effects: how much an option's position matters, compared with the option itself.

A question is asked with its three options in all six orders. Two different orders have the same option at a given
position in 1 of 5 cases. A model that considers only the options therefore chooses the same position in 1/5 of the
pairs of orders, and one that always chooses the same position does so in all of them:

    order_effect = (proportion of pairs with the same position - 1/5) / (4/5)      0: none, 1: only the position matters
    consistency  = proportion of pairs with the same option                        1: only the option matters

Random answers give 1/6 and 1/3.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

Array = npt.NDArray[np.float64]

NO_NEUTRAL = "random answers give 1/3; making the same choice in every order gives 1"


def by_place(choices: Array, orders: Iterable[str], options: Sequence[str]) -> Array:
    """Return choices by position, [answers, 3], from choices by option and the order of each answer's options."""
    turned = [[options.index(option) for option in order.split(",")] for order in orders]
    places: Array = np.take_along_axis(choices, np.array(turned, dtype=np.int64).reshape(-1, 3), axis=1)
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
