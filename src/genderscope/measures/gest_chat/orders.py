"""Order effects: how much an option's position matters, compared with the option itself.

Each question is asked with its three options in all six orders. Two different orders have the same option at a given
position in 1 of 5 cases. A model that considers only the options therefore chooses the same position in 1/5 of the
pairs of orders, and one that always chooses the same position does so in all of them:

    order_effect = (proportion of pairs with the same position - 1/5) / (4/5)      0: none, 1: only the position matters
    consistency  = proportion of pairs with the same option                        1: only the option matters

Random answers give 1/6 and 1/3.
"""

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.gest_chat.reading import BY_CHANCE
from genderscope.measures.gest_chat.shares import LETTERS, agreement, by_place, share_of, weight_of
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.proportions import interval
from genderscope.statistics.student_intervals import FEWEST

Array = npt.NDArray[np.float64]

METHOD = "Agresti-Coull, sentences as units"
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
    """Return the mean over sentences, averaged over wordings first."""
    each: Array = np.asarray(pd.Series(values).groupby(samples).mean(), dtype=np.float64)
    share = share_of(each, answers)
    n = int(np.isfinite(each).sum())
    blank = {"name": name, "n": n, "unread": int((~np.isfinite(each)).sum()), "neutral": neutral, "method": METHOD}
    remark = NO_NEUTRAL if neutral is None else None
    if share is None:
        return Estimate(**blank, remark="no sentence was answered in two orders")  # type: ignore[arg-type]
    ends = interval(share) if n >= FEWEST else (None, None)
    value, low, high = (_scaled(x) if scaled else x for x in (share.value, *ends))
    few = f"no interval with fewer than {FEWEST} sentences" if n < FEWEST else None
    told = "; ".join(filter(None, (few, remark))) or None
    return Estimate(**blank, value=value, low=low, high=high, remark=told)  # type: ignore[arg-type]


def _scaled(agreeing: float | None) -> float | None:
    return None if agreeing is None else (agreeing - BY_CHANCE) / (1 - BY_CHANCE)
