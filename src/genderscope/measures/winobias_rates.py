"""The rates of GEST appendix B, from rows of log-ratios.

    q̂_m, q̂_f = exp( mean of log P(male pronoun) / P(female pronoun) over sentences about male, female occupations )
    ĝ_s = q̂_m / q̂_f

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


def estimates(rows: pd.DataFrame, seed: int, as_published: bool) -> list[Estimate]:
    """Return the rates over all sentences, then those of every subset where there are several."""
    found = list(_rates(rows, None, seed, as_published))
    subsets = list(dict.fromkeys(rows["subset"]))
    for subset in subsets if len(subsets) > 1 else ():
        found += _rates(rows[rows["subset"] == subset], subset, seed, as_published)
    return found


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
    method = "bootstrap, normal" if as_published else "bootstrap, expanded percentile"
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
