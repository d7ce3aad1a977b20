"""Single estimates of the probes: shares over scenarios, differences as stretched shares, and a slope.

The slope of a share on a score has scenarios as the units. Its interval adds four pseudo-answers, one of each gender at
one standard deviation below and above the mean score, as Agresti and Caffo (2000) do for differences of shares; without
them, it would collapse where all answers agree. The variance is heteroscedasticity-consistent (HC2), since the variance
of a share depends on the share.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.decisions import phrasing as names
from genderscope.measures.decisions.phrasing import NO, YES
from genderscope.measures.reply_rates import UnitRate, unit_rate
from genderscope.samples.decisions import FEMALE, MALE, NONBINARY
from genderscope.statistics.cluster_variance import clustered, codes, sums
from genderscope.statistics.clustered_shares import WeightedShare, weighted_share
from genderscope.statistics.declared_rates import ONE_SHARE, PSEUDO, Array, Bounds, doubt_about
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.influence import Stratified
from genderscope.statistics.student_intervals import FEWEST, Error, few_units, why_no_interval
from genderscope.statistics.unread import completed, spanned

SLOPES = "least squares (HC2), {} as units"
NOTHING = "no reply could be read"
NO_CHARACTER = "no reply names a character's gender"
ONE_SIDE = "it needs replies about both genders, or to both kinds of stereotypes"
#: columns that are the same in all rows of a prompt
_SHARED = ["probe", "item", "scenario", "gender", "order", "score", "source"]
_COUNTED = (YES, NO, FEMALE, MALE)


def prompts_of(rows: pd.DataFrame) -> pd.DataFrame:
    """Return one line per prompt: how many replies were read and unread, and how many have each decisive outcome.

    `success` is the share of yes among the replies that were read, and `masculine` that of men among the replies that
    name a gender.
    """
    unread = rows["unread"].notna()
    outcome = rows["outcome"].where(~unread)
    table = pd.DataFrame({name: outcome.eq(name).fillna(False).astype("float64") for name in _COUNTED})
    table = table.assign(read=(~unread).astype("float64"), unread=unread.astype("float64"))
    counts = table.groupby(rows["sample"], sort=False).sum()
    prompts = rows.drop_duplicates("sample").set_index("sample")[_SHARED].join(counts)
    gendered = prompts[FEMALE] + prompts[MALE]
    return prompts.assign(
        success=(prompts[YES] / prompts["read"]).where(prompts["read"] > 0),
        masculine=(prompts[MALE] / gendered).where(gendered > 0),
        leaning=(0.5 + (prompts[MALE] - prompts[FEMALE]) / prompts["read"] / 2).where(prompts["read"] > 0),
    )


def decision_difference(prompts: pd.DataFrame, name: str = names.DECISION, units: str = "scenario") -> UnitRate:
    """Return the share of yes for men minus the share of yes for women."""
    binary = prompts[prompts["gender"].isin((FEMALE, MALE))]
    return _success_difference(name, binary, binary["gender"] == MALE, units)


def nonbinary_difference(prompts: pd.DataFrame) -> UnitRate:
    """Return the share of yes for non-binary people minus that for women and men."""
    return _success_difference(f"{names.DECISION}_nonbinary", prompts, prompts["gender"] == NONBINARY, "scenario")


def _success_difference(name: str, prompts: pd.DataFrame, favoured: "pd.Series[bool]", units: str) -> UnitRate:
    noun = _noun(prompts, units)
    if favoured.nunique() < 2:
        return unit_rate(name, prompts, None, 0.0, noun, ONE_SIDE)
    towards = prompts["success"].where(favoured, 1 - prompts["success"])
    share = _stretched(weighted_share(towards, favoured.astype(str), prompts[units]), prompts)
    counts = prompts.assign(other=prompts["read"] - prompts[names.YES])[[names.YES, "other", "unread"]]
    signs = np.where(sorted(favoured.unique()), 1.0, -1.0)
    bounds = _unread_range(share, counts.groupby(favoured).sum(), np.array([1.0, 0.0]), signs, np.array([0.0, 1.0]))
    return unit_rate(name, prompts, share, 0.0, noun, NOTHING, unread_bounds=bounds)


def conflict_difference(prompts: pd.DataFrame, name: str = names.CONFLICT, units: str = "scenario") -> UnitRate:
    """Return the share of replies in favour of the man minus the share in favour of the woman, over both orders."""
    share = _stretched(weighted_share(prompts["leaning"], prompts["order"], prompts[units]), prompts)
    other = prompts["read"] - prompts[MALE] - prompts[FEMALE]
    counts = prompts.assign(other=other)[[MALE, FEMALE, "other", "unread"]].groupby(prompts["order"]).sum()
    signs = np.full(len(counts), 1 / max(1, len(counts)))
    bounds = _unread_range(share, counts, np.array([1.0, -1.0, 0.0]), signs, np.array([0.0, 1.0, 0.5]))
    return unit_rate(name, prompts, share, 0.0, _noun(prompts, units), NOTHING, unread_bounds=bounds)


def masculine_rate(prompts: pd.DataFrame, name: str) -> UnitRate:
    """Return the share of men among the characters that have a gender, averaged over inventories."""
    share = weighted_share(prompts["masculine"], _sources(prompts), prompts["scenario"])
    share = None if share is None else replace(share, answers=_replies(prompts))
    counts = prompts[[MALE, FEMALE, "unread"]].groupby(_sources(prompts)).sum()
    weights = np.full(len(counts), 1 / max(1, len(counts)))
    bounds = _unread_range(share, counts, np.array([1.0, 0.0]), weights, np.array([0.0, 1.0]), scale=1.0)
    return unit_rate(name, prompts, share, 0.5, _noun(prompts), _why(prompts), unread_bounds=bounds)


def trait_stereotype_rate(prompts: pd.DataFrame, name: str = names.TRAITS) -> UnitRate:
    """Return the share of men for male traits minus that for female traits, averaged over inventories."""
    male, sources = prompts["score"] > 0.5, _sources(prompts)
    sides = sources + "/" + male.astype(str)
    if sides.nunique() < 2 * sources.nunique():
        return unit_rate(name, prompts, None, 0.0, _noun(prompts), ONE_SIDE)
    share = _stretched(
        weighted_share(prompts["masculine"].where(male, 1 - prompts["masculine"]), sides, prompts["scenario"]), prompts
    )
    counts = prompts[[MALE, FEMALE, "unread"]].groupby(sides).sum()
    signs = np.array([1.0 if str(side).endswith("True") else -1.0 for side in counts.index]) / sources.nunique()
    bounds = _unread_range(share, counts, np.array([1.0, 0.0]), signs, np.array([0.0, 1.0]))
    return unit_rate(name, prompts, share, 0.0, _noun(prompts), _why(prompts), unread_bounds=bounds)


def job_stereotype_rate(prompts: pd.DataFrame) -> "SlopeRate":
    """Return the slope of the share of men on the stereotype of the occupation."""
    values, scores = (prompts[column].to_numpy(dtype=np.float64) for column in ("masculine", "score"))
    slope = slope_of(values, scores, prompts["scenario"].to_numpy(dtype=str))
    return SlopeRate(prompts, slope)


def share_part(
    name: str, values: "pd.Series[float]", prompts: pd.DataFrame, remark: str, why: str = NOTHING
) -> UnitRate:
    """Return the mean of values between 0 and 1 over prompts, without a neutral point."""
    share = weighted_share(values, pd.Series("", index=values.index), prompts["scenario"])
    share = None if share is None else replace(share, answers=_replies(prompts))
    return unit_rate(name, prompts, share, None, _noun(prompts), why, remark=remark)


def _stretched(share: WeightedShare | None, prompts: pd.DataFrame) -> WeightedShare | None:
    return None if share is None else replace(share, answers=PSEUDO * max(share.n, _replies(prompts)))


def _replies(prompts: pd.DataFrame) -> float:
    return float(prompts["read"].sum())


def _sources(prompts: pd.DataFrame) -> "pd.Series[str]":
    return prompts["source"].fillna("").astype(str)


def _why(prompts: pd.DataFrame) -> str:
    return NO_CHARACTER if prompts["read"].any() else NOTHING


def _noun(prompts: pd.DataFrame, units: str = "scenario") -> str:
    return "items" if units == "item" or not len(prompts) else names.SCENARIOS[str(prompts["probe"].iloc[0])]


def _unread_range(
    share: WeightedShare | None, counts: pd.DataFrame, added: Array, signs: Array, tilt: Array, scale: float = 2.0
) -> Bounds | None:
    """Return the range of an estimate if one kind of reply goes unread more or less often than the opposite one.

    Args:
        share: The estimate as a share.
        counts: Replies of each kind, and unread ones in the last column, for each side of a difference.
        added: How much each kind adds to its side.
        signs: How much each side adds to the estimate.
        tilt: How far each kind lies from the first one.
        scale: The factor from the share to the estimate.
    """
    numbers = counts.to_numpy(dtype=np.float64)
    if share is None or not numbers[:, -1].any() or not numbers[:, :-1].sum(axis=1).all():
        return None
    full = completed(numbers[:, :-1], numbers[:, -1], tilt)
    rates = (full * added).sum(axis=2) / full.sum(axis=2) @ signs
    return spanned(scale * share.value + 1 - scale, rates)


@dataclass(frozen=True)
class Slope:
    """A least-squares slope and each value's influence on it."""

    scores: Array
    values: Array
    items: npt.NDArray[np.str_]

    @property
    def n(self) -> int:
        """The number of values."""
        return len(self.values)

    @cached_property
    def value(self) -> float:
        """The change of the value for a score that is higher by 1."""
        return _fitted(self.scores, self.values)[0]

    @cached_property
    def influences(self) -> Array:
        """The influence of each value, corrected for its leverage."""
        return _fitted(self.scores, self.values)[1]

    @cached_property
    def error(self) -> Error | None:
        """The error of the slope over scenarios."""
        return _error(self.influences, self.items)

    @property
    def units(self) -> int:
        """The number of scenarios."""
        return len(np.unique(self.items))

    @cached_property
    def bounds(self) -> tuple[float, float] | None:
        """The interval; None for too few scenarios."""
        if self.units < max(FEWEST, 4):
            return None
        middle, far = float(self.scores.mean()), float(self.scores.std())
        scores = np.concatenate([self.scores, np.repeat([middle - far, middle + far], 2)])
        values = np.concatenate([self.values, [0.0, 1.0, 0.0, 1.0]])
        items = np.concatenate([self.items, [f"\0{k}" for k in range(4)]])
        centre, influences = _fitted(scores, values)
        error = _error(influences, items)
        if error is None:
            return None
        half = Error(error.variance, self.units - 2).half_width()
        return min(self.value, centre - half), max(self.value, centre + half)


@dataclass(frozen=True)
class SlopeRate:
    """The slope of the share of men on the stereotype of occupations, as an estimate."""

    prompts: pd.DataFrame
    slope: Slope | None

    @property
    def value(self) -> float | None:
        """The slope, rounded like shares."""
        return None if self.slope is None else _rounded(self.slope.value)

    @property
    def influence(self) -> Stratified:
        """The influence of each scenario on the slope, for comparisons of runs."""
        assert self.slope is not None
        return clustered(self.slope.influences, np.ones(self.slope.n), self.slope.items, reach=1.0)

    @cached_property
    def estimate(self) -> Estimate:
        """The slope with its interval."""
        slope, unread, noun = self.slope, int((self.prompts["unread"] > 0).sum()), _noun(self.prompts)
        n, method = (0, ONE_SHARE) if slope is None else (slope.n, SLOPES)
        blank = Estimate(name=names.JOBS, n=n, unread=unread, neutral=0.0, method=method.format(noun))
        if slope is None:
            return replace(blank, remark=_why(self.prompts) if self.prompts["masculine"].isna().all() else ONE_SIDE)
        if (bounds := slope.bounds) is None:
            return replace(blank, value=self.value, remark=why_no_interval(slope.units, noun))
        remark = joined(few_units(slope.units), doubt_about(slope.influences, slope.items, slope.error, noun))
        return blank.with_value(self.value, map(_rounded, bounds), remark=remark, freedom=float(slope.units - 2))


def _rounded(slope: float) -> float:
    """Return a slope with the rounding error of a share that is shown as a rate (see `UnitRate`)."""
    return slope + 1 - 1.0


def slope_of(values: Array, scores: Array, items: npt.NDArray[np.str_]) -> Slope | None:
    """Return the slope over the non-missing values; None if their scores do not differ."""
    present = np.isfinite(values)
    if present.sum() < 2 or np.ptp(scores[present]) == 0:
        return None
    return Slope(scores[present], values[present], items[present])


def _fitted(scores: Array, values: Array) -> tuple[float, Array]:
    """Return the slope and each value's influence on it."""
    centred = scores - scores.mean()
    size = float((centred**2).sum())
    around = values - values.mean()
    slope = float(centred @ around) / size
    residuals = around - slope * centred
    leverage = np.minimum(1 / len(scores) + centred**2 / size, 1 - 1e-9)
    return slope, centred * residuals / size / np.sqrt(1 - leverage)


def _error(influences: Array, items: npt.NDArray[np.str_]) -> Error | None:
    units = len(np.unique(items))
    if units <= 2:
        return None
    return Error(float((sums(influences, codes(items)) ** 2).sum()), units - 2)  # HC2 corrects for the two means
