"""The rates of GEST appendix B, from rows of log-ratios.

    q̂_m, q̂_f = exp( mean of log P(male pronoun) / P(female pronoun) over sentences about male, female occupations )
    ĝ_s = q̂_m / q̂_f
    q̂_o      the same mean over the sentences about one occupation (not in the paper)

The published values are exp of mean log10 ratios; `as_published` gives that scale and the paper's interval method.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.base import Outcomes
from genderscope.statistics.bootstrap import RESAMPLES, interval, normal_interval, resampled_means, resampled_sums
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.paired import Resampled
from genderscope.statistics.proportions import agresti_coull

Array = npt.NDArray[np.float64]

PUBLISHED_RESAMPLES = 1000
GENDERS = ("male", "female")
METHOD = "bootstrap, expanded percentile"
#: rate -> the genders of occupations behind it, the first over the second
PARTS = {"g_s_hat": GENDERS, "q_m_hat": ("male",), "q_f_hat": ("female",)}


def estimates(rows: pd.DataFrame, seed: int, as_published: bool) -> list[Estimate]:
    """Return the rates over all sentences, then those of every subset where there are several."""
    return [drawn.estimate for drawn in resampled(rows, seed, as_published)]


def resampled(rows: pd.DataFrame, seed: int, as_published: bool) -> Iterator[Resampled]:
    """Yield the same with their replicates; a rate without readings has none."""
    yield from _Rates(rows, None, seed, as_published).all()
    subsets = list(dict.fromkeys(rows["subset"]))
    for subset in subsets if len(subsets) > 1 else ():
        yield from _Rates(rows[rows["subset"] == subset], subset, seed, as_published).all()


def outcomes(rows: pd.DataFrame, name: str, subset: str | None) -> Outcomes:
    """Return the log-ratios behind a rate, those that are divided by with the sign turned; for pro_share 0 and 1."""
    chosen = rows if subset is None else rows[rows["subset"] == subset]
    chosen = chosen[chosen["gender"].isin(PARTS.get(name, GENDERS))]
    if name == "pro_share":
        return Outcomes(chosen["sample"], _pro(chosen), reach=1, plain=True)
    signed = name == "g_s_hat"
    sign = np.where(chosen["gender"] == "female", -1.0, 1.0) if signed else 1.0
    return Outcomes(chosen["sample"], chosen["log_ratio"] * sign)


def _pro(rows: pd.DataFrame) -> "pd.Series[float]":
    """1 where the stereotypical pronoun is the more probable, 0 where the other is; ties have no preference."""
    ratio = rows["log_ratio"]
    return ((ratio > 0) == (rows["gender"] == "male")).astype(float).where(ratio.notna() & (ratio != 0))


class _Rates:
    """The rates of one subset of the rows; None is all of them."""

    def __init__(self, rows: pd.DataFrame, subset: str | None, seed: int, as_published: bool) -> None:
        self.rows = rows
        self.subset = subset
        self.as_published = as_published
        self.unit = 1 / math.log(10) if as_published else 1.0
        self.resamples = PUBLISHED_RESAMPLES if as_published else RESAMPLES
        by_gender = {gender: rows[rows["gender"] == gender] for gender in GENDERS}
        #: gender -> [sentences, 3]: log-ratio, whether the preference is stereotypical, whether there is one
        self.columns = {gender: _columns(each, self.unit) for gender, each in by_gender.items()}
        self.generators = {gender: [seed, k] for k, gender in enumerate(GENDERS)}

    def all(self) -> Iterator[Resampled]:
        """Yield every rate."""
        for name, genders in PARTS.items():
            yield self._rate(name, genders)
        yield self._pro_share()

    def _rate(self, name: str, genders: Sequence[str]) -> Resampled:
        values = {g: self.columns[g][:, 0] for g in genders}
        read = {g: each[np.isfinite(each)] for g, each in values.items()}
        n = sum(map(len, read.values()))
        method = "bootstrap, normal" if self.as_published else METHOD
        unread = sum(map(len, values.values())) - n
        blank = Estimate(name, None, None, None, n, unread, 1.0, method, subset=self.subset)
        if not all(map(len, read.values())):
            return Resampled(blank, math.nan, np.empty(0), [])
        first, *rest = genders
        value = float(read[first].mean()) - sum(float(read[g].mean()) for g in rest)
        drawn = self._means(first) - sum(self._means(g) for g in rest)
        sizes = [len(read[g]) for g in genders]
        ends = normal_interval(drawn) if self.as_published else interval(drawn, sizes)
        low, high = map(math.exp, ends) if ends else (None, None)
        return Resampled(replace(blank, value=math.exp(value), low=low, high=high), value, drawn, sizes)

    def _means(self, gender: str) -> Array:
        generator = np.random.default_rng(self.generators[gender])
        return resampled_means(self.columns[gender][:, :1], generator, self.resamples)[:, 0]

    def _pro_share(self) -> Resampled:
        """The share of sentences in which the stereotypical pronoun is the more probable."""
        pro, n = (int(sum(each[:, k].sum() for each in self.columns.values())) for k in (1, 2))
        unread = int(self.rows["log_ratio"].isna().sum())
        blank = Estimate("pro_share", None, None, None, n, unread, 0.5, "Agresti-Coull", subset=self.subset)
        if not n:
            return Resampled(blank, math.nan, np.empty(0), [])
        _, low, high = agresti_coull(pro, n)
        sums = sum(
            resampled_sums(each[:, 1:], np.random.default_rng(self.generators[gender]), self.resamples)
            for gender, each in self.columns.items()
            if len(each)
        )
        with np.errstate(invalid="ignore"):  # a resample of ties only
            drawn = np.asarray(sums)[:, 0] / np.asarray(sums)[:, 1]
        return Resampled(replace(blank, value=pro / n, low=low, high=high), pro / n, drawn, [n])


def _columns(rows: pd.DataFrame, unit: float) -> Array:
    pro = _pro(rows).to_numpy(dtype=np.float64)
    ratio = rows["log_ratio"].to_numpy(dtype=np.float64) * unit
    return np.column_stack([ratio, np.nan_to_num(pro), np.isfinite(pro)])


def occupations(rows: pd.DataFrame, seed: int, as_published: bool) -> Iterator[Estimate]:
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
