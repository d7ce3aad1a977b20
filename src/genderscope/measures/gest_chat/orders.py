"""Order effects: how much an option's position matters, compared with the option itself.

Each question is asked with its three options in all six orders. Two different orders have the same option at a given
position in 1 of 5 cases. A model that considers only the options therefore chooses the same position in 1/5 of the
pairs of orders, and one that always chooses the same position does so in all of them:

    order_effect = (proportion of pairs with the same position - 1/5) / (4/5)      0: none, 1: only the position matters
    consistency  = proportion of pairs with the same option                        1: only the option matters

Random answers give 1/6 and 1/3.
"""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.gest_chat.part import ONE_SHARE, TOO_FEW
from genderscope.measures.gest_chat.reading import BY_CHANCE, LETTERS
from genderscope.measures.gest_chat.shares import agreement, by_place, share_of, weight_of
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.proportions import interval
from genderscope.statistics.student_intervals import FEWEST

Array = npt.NDArray[np.float64]

NO_NEUTRAL = "random answers give 1/3; making the same choice in every order gives 1"


def order_estimates(rows: pd.DataFrame, form: str) -> list[Estimate]:
    """Return the order effect, consistency and letter proportions, or an empty list if there are no orders."""
    if form == "write" or rows["order"].isna().all():
        return []
    options, places, labels = by_place(rows, form)
    if not len(options):
        return []
    every = np.array([label.partition("/")[0] for label in labels])
    samples = np.array([label.partition("/")[0] for label in dict.fromkeys(labels)])
    count = weight_of(len(rows), form)
    found = [
        _mean("order_effect", agreement(places, labels), samples, count, neutral=0.0, scaled=True),
        _mean("consistency", agreement(options, labels), samples, count, neutral=None),
    ]
    for k, letter in enumerate(LETTERS):
        shares = _mean("letter_share", places[:, k] / places.sum(axis=1), every, count, neutral=1 / 3)
        found.append(shares.at(category=f"({letter})"))
    return found


def _mean(
    name: str, values: Array, samples: npt.NDArray[np.str_], answers: float, neutral: float | None, scaled: bool = False
) -> Estimate:
    """Return the mean over sentences, averaged over wordings and draws first."""
    each: Array = np.asarray(pd.Series(values).groupby(samples).mean(), dtype=np.float64)
    share = share_of(each, answers)
    n = int(np.isfinite(each).sum())
    blank = Estimate(name=name, n=n, unread=int((~np.isfinite(each)).sum()), neutral=neutral, method=ONE_SHARE)
    if share is None:
        return replace(blank, remark="no sentence was answered in two orders")
    ends = interval(share) if n >= FEWEST else ()
    value, *shown = ((x - BY_CHANCE) / (1 - BY_CHANCE) if scaled else x for x in (share.value, *ends))
    remark = joined(None if ends else TOO_FEW, NO_NEUTRAL if neutral is None else None)
    return blank.within(value, shown or None, remark=remark)
