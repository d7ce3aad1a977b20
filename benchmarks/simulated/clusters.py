"""Clusters of unequal size: single runs and differences of item scores, to which imported logs lead too.

Items of one cluster are correlated by `within`: from not at all to entire clusters that agree.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from benchmarks.simulated import Checked, Situation, checked
from benchmarks.simulated.comparisons import Systems, options_of
from scipy.special import ndtri

from genderscope.measures.item_scores.scores import resampled
from genderscope.statistics.paired_comparison import contrast

MBBQ = (4,) * 18 + (8, 24, 32, 36, 36, 64)
#: name -> items of each cluster
SIZES = {
    "20 clusters of 2 to 100": tuple(int(size) for size in np.round(np.geomspace(2, 100, 20))),
    "sizes as in MBBQ": MBBQ,
    "half in one of ten": (180, *(20,) * 9),
    "one of ten dominates": (500, *(20,) * 9),
    "12 clusters of 20": (20,) * 12,
}
WITHIN = (0.0, 0.05, 0.3, 1.0)
GROUPS = ("men", "women")


def _rows(values: np.ndarray, clusters: np.ndarray) -> pd.DataFrame:
    """Item scores as they are read from a log; the items of a cluster are about men and women in turn."""
    places = np.arange(len(values))
    labels = {"item": [f"i{k}" for k in places], "cluster": [f"c{k}" for k in clusters]}
    about = pd.Series(places % 2).map(dict(enumerate(GROUPS)))
    empty = dict.fromkeys(("outcome", "text", "reply", "unread"))
    return pd.DataFrame({"sample": places, **labels, "group": about, "draw": 0, "value": values, **empty})


def _latent(generator: np.random.Generator, sizes: Sequence[int], within: float, number: int) -> np.ndarray:
    """Standard normal values [systems, items], half of whose variance systems share."""
    shape = (number + 1, len(sizes))
    by_cluster, by_item = generator.normal(size=shape), generator.normal(size=(number + 1, sum(sizes)))
    mixed = np.sqrt(within) * np.repeat(by_cluster, sizes, axis=1) + np.sqrt(1 - within) * by_item
    return (mixed[:1] + mixed[1:]) / np.sqrt(2)


def systems(sizes: Sequence[int], within: float, share: float | None) -> Systems:
    """Equal systems, with scores that are 0 on average or, if a share is given, answers that are right so often."""
    clusters = np.repeat(np.arange(len(sizes)), sizes)

    def draw(generator: np.random.Generator, number: int) -> list[pd.DataFrame]:
        latent = _latent(generator, sizes, within, number)
        values = latent if share is None else (latent < ndtri(share)).astype(float)
        return [_rows(each, clusters) for each in values]

    return draw


def _options(share: float | None) -> dict[str, object]:
    return {
        "scale": "score" if share is None else "share",
        "neutral": 0.0 if share is None else 0.5,
        "contrast": GROUPS,
    }


def equal(sizes: Sequence[int], within: float, share: float | None):
    """The estimates of one run, and their differences from an equal one."""
    drawn, options = systems(sizes, within, share), options_of("item-scores", **_options(share))
    truths = {"mean": share or 0.0, "difference": 0.0, "share_above": 0.5}

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        for first, second in zip(*(resampled(rows, options) for rows in drawn(generator, 2)), strict=True):
            estimate, apart = second.estimate, contrast(first, second)
            yield checked(estimate, truths[estimate.name])
            low, high = apart.interval() or (None, None)
            yield Checked(f"Δ{estimate.name}", 0.0, low, high, apart.p)

    return draw


def situations() -> Iterator[Situation]:
    """Every situation with unequal clusters."""
    few = "effectively n < 12"
    for name, sizes in SIZES.items():
        why = "" if len(set(sizes)) == 1 else few
        for within in WITHIN:
            for share in (None, 0.3):
                label = f"{name}, {'scores' if share is None else 'shares'} correlated by {within:g}"
                yield Situation("item-scores", label, equal(sizes, within, share), 1, why)
