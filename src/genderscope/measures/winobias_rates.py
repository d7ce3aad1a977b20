"""The rates of GEST appendix B, from rows of log-ratios.

    q̂_m, q̂_f = exp( mean of log P(male pronoun) / P(female pronoun) over sentences about male, female occupations )
    ĝ_s = q̂_m / q̂_f
    q̂_o      the same mean over the sentences about one occupation (not in the paper)

The published values are exp of mean log10 ratios; `as_published` gives that scale and the paper's interval method.
"""

import math
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.statistics.bootstrap import RESAMPLES, interval, normal_interval, resampled_means
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.proportions import agresti_coull

Array = npt.NDArray[np.float64]

PUBLISHED_RESAMPLES = 1000
GENDERS = ("male", "female")
METHOD = "bootstrap, expanded percentile"


def estimates(rows: pd.DataFrame, seed: int, as_published: bool) -> list[Estimate]:
    """Return the rates over all sentences, those of every subset where there are several, then the occupations'."""
    found = list(_rates(rows, None, seed, as_published))
    subsets = list(dict.fromkeys(rows["subset"]))
    for subset in subsets if len(subsets) > 1 else ():
        found += _rates(rows[rows["subset"] == subset], subset, seed, as_published)
    return [*found, *_occupations(rows, seed, as_published)]


def _occupations(rows: pd.DataFrame, seed: int, as_published: bool) -> Iterable[Estimate]:
    """Yield q̂_o of every occupation, its gender as the group."""
    unit = 1 / math.log(10) if as_published else 1.0
    for (gender, occupation), mine in rows.groupby(["gender", "occupation"]):
        values: Array = mine["log_ratio"].to_numpy(dtype=np.float64) * unit
        read = values[np.isfinite(values)]
        value = low = high = None
        if len(read):
            value = math.exp(float(read.mean()))
            generator = np.random.default_rng([seed, *str(occupation).encode()])
            ends = interval(resampled_means(read[:, None], generator)[:, 0], [len(read)])
            low, high = map(math.exp, ends) if ends else (None, None)
        yield Estimate(
            "q_o_hat",
            value,
            low,
            high,
            len(read),
            len(values) - len(read),
            1.0,
            METHOD,
            category=str(occupation),
            group=str(gender),
        )


def _rates(rows: pd.DataFrame, subset: str | None, seed: int, as_published: bool) -> Iterable[Estimate]:
    unit = 1 / math.log(10) if as_published else 1.0
    values: dict[str, Array] = {
        gender: rows.loc[rows["gender"] == gender, "log_ratio"].to_numpy(dtype=np.float64) * unit for gender in GENDERS
    }
    resamples = PUBLISHED_RESAMPLES if as_published else RESAMPLES
    replicates = {
        gender: resampled_means(each[:, None], np.random.default_rng([seed, k]), resamples)[:, 0]
        for k, (gender, each) in enumerate(values.items())
        if np.isfinite(each).any()
    }
    read = {gender: each[np.isfinite(each)] for gender, each in values.items()}
    parts = {"g_s_hat": GENDERS, "q_m_hat": ("male",), "q_f_hat": ("female",)}
    method = "bootstrap, normal" if as_published else METHOD
    for name, genders in parts.items():
        n = sum(len(read[g]) for g in genders)
        unread = sum(len(values[g]) for g in genders) - n
        if not all(g in replicates for g in genders):
            yield Estimate(name, None, None, None, n, unread, 1.0, method, subset=subset)
            continue
        first, *rest = genders
        value = float(read[first].mean()) - sum(float(read[g].mean()) for g in rest)
        drawn = replicates[first] - sum(replicates[g] for g in rest)
        ends = normal_interval(drawn) if as_published else interval(drawn, [len(read[g]) for g in genders])
        low, high = map(math.exp, ends) if ends else (None, None)
        yield Estimate(name, math.exp(value), low, high, n, unread, 1.0, method, subset=subset)
    yield _pro_share(read, len(rows), subset)


def _pro_share(read: dict[str, Array], asked: int, subset: str | None) -> Estimate:
    """The share of sentences in which the stereotypical pronoun is the more probable; ties have no preference."""
    pro = int((read["male"] > 0).sum() + (read["female"] < 0).sum())
    n = int(sum((each != 0).sum() for each in read.values()))
    unread = asked - sum(map(len, read.values()))
    if not n:
        return Estimate("pro_share", None, None, None, 0, unread, 0.5, "Agresti-Coull", subset=subset)
    _, low, high = agresti_coull(pro, n)
    return Estimate("pro_share", pro / n, low, high, n, unread, 0.5, "Agresti-Coull", subset=subset)
