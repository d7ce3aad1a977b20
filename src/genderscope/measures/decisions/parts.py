"""Single estimates of the probes: shares over scenarios, differences as stretched shares, and a slope.

The slope of a share on a score has scenarios as the units. Its interval adds four pseudo-answers, one of each gender at
one standard deviation below and above the mean score, as Agresti and Caffo (2000) do for differences of shares; without
them, it would collapse where all answers agree. The variance is heteroscedasticity-consistent (HC2), since the variance
of a share depends on the share.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.decisions import probes as names
from genderscope.measures.decisions.probes import NO, YES
from genderscope.measures.reply_rates import UnitRate, unit_rate
from genderscope.samples.decisions import FEMALE, MALE, NONBINARY
from genderscope.statistics.cluster_variance import clustered, codes, sums
from genderscope.statistics.clustered_shares import weighted_share
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
#: replies that decide for neither side
OTHER = "other"
#: kinds of characters -> how much they add to the share of men
CHARACTERS = {MALE: 1.0, FEMALE: 0.0}
#: how far each kind of reply lies from the first one
TILT = np.array([0.0, 1.0, 0.5])


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
    if favoured.nunique() < 2:
        return unit_rate(name, prompts, None, 0.0, _noun(prompts, units), ONE_SIDE)
    towards = prompts["success"].where(favoured, 1 - prompts["success"])
    kinds, signs = {names.YES: 1.0, OTHER: 0.0}, _signs(favoured)
    return _rate(name, prompts, towards, favoured.astype(str), kinds, signs, units)


def conflict_difference(prompts: pd.DataFrame, name: str = names.CONFLICT, units: str = "scenario") -> UnitRate:
    """Return the share of replies in favour of the man minus the share in favour of the woman, over both orders."""
    kinds, weights = {MALE: 1.0, FEMALE: -1.0, OTHER: 0.0}, _equal(prompts["order"])
    return _rate(name, prompts, prompts["leaning"], prompts["order"], kinds, weights, units)


def masculine_rate(prompts: pd.DataFrame, name: str) -> UnitRate:
    """Return the share of men among the characters that have a gender, averaged over inventories."""
    sources, why = _sources(prompts), _why(prompts)
    return _rate(name, prompts, prompts["masculine"], sources, CHARACTERS, _equal(sources), neutral=0.5, why=why)


def trait_stereotype_rate(prompts: pd.DataFrame, name: str = names.TRAITS) -> UnitRate:
    """Return the share of men for male traits minus that for female traits, averaged over inventories."""
    male, sources = prompts["score"] > 0.5, _sources(prompts)
    sides = sources + "/" + male.astype(str)
    if sides.nunique() < 2 * sources.nunique():
        return unit_rate(name, prompts, None, 0.0, _noun(prompts), ONE_SIDE)
    towards = prompts["masculine"].where(male, 1 - prompts["masculine"])
    return _rate(name, prompts, towards, sides, CHARACTERS, _signs(male) / sources.nunique(), why=_why(prompts))


def job_stereotype_rate(prompts: pd.DataFrame) -> "SlopeRate":
    """Return the slope of the share of men on the stereotype of the occupation."""
    return SlopeRate(prompts)


def share_part(
    name: str, values: "pd.Series[float]", prompts: pd.DataFrame, remark: str, why: str = NOTHING
) -> UnitRate:
    """Return the mean of values between 0 and 1 over prompts, without a neutral point."""
    share = weighted_share(values, pd.Series("", index=values.index), prompts["scenario"])
    share = None if share is None else replace(share, answers=_replies(prompts))
    return unit_rate(name, prompts, share, None, _noun(prompts), why, remark=remark)


def _rate(
    name: str,
    prompts: pd.DataFrame,
    values: "pd.Series[float]",
    sides: "pd.Series[str]",
    kinds: Mapping[str, float],
    weights: "pd.Series[float]",
    units: str = "scenario",
    neutral: float = 0.0,
    why: str = NOTHING,
) -> UnitRate:
    """Return a rate, with its range if one kind of reply goes unread more or less often than the opposite one.

    Args:
        name: The name of the estimate.
        prompts: The prompts that it is about.
        values: The share of each prompt's replies; for a difference, of those that favour its side.
        sides: The parts of the prompts that are averaged, such as both sides of a difference.
        kinds: What a reply may be -> how much it adds to its side; the second kind is the opposite of the first.
        weights: How much the side of each prompt adds to the rate.
        units: The column of the units.
        neutral: The neutral point; at 0, the rate is a difference.
        why: Why there is no value, if nothing was read.
    """
    share = weighted_share(values, sides, prompts[units])
    bounds = None
    if share is not None:
        replies, is_difference = _replies(prompts), neutral == 0
        share = replace(share, answers=PSEUDO * max(share.n, replies) if is_difference else replies)
        named = [kind for kind in kinds if kind != OTHER]
        counts = prompts.assign(**{OTHER: prompts["read"] - prompts[named].sum(axis=1)})[[*kinds, "unread"]]
        numbers = counts.groupby(sides).sum().to_numpy(dtype=np.float64)
        if numbers[:, -1].any() and numbers[:, :-1].sum(axis=1).all():
            full = completed(numbers[:, :-1], numbers[:, -1], TILT[: len(kinds)])
            of_sides = (full * list(kinds.values())).sum(axis=2) / full.sum(axis=2)
            rates = of_sides @ weights.groupby(sides).first().to_numpy()
            bounds = spanned(2 * share.value - 1 if is_difference else share.value, rates)
    return unit_rate(name, prompts, share, neutral, _noun(prompts, units), why, unread_bounds=bounds)


def _signs(first: "pd.Series[bool]") -> "pd.Series[float]":
    """Return the weights of a difference: 1 on its first side, -1 on the second."""
    return first.map({True: 1.0, False: -1.0})


def _equal(parts: "pd.Series[str]") -> "pd.Series[float]":
    return pd.Series(1 / max(1, parts.nunique()), index=parts.index)


def _replies(prompts: pd.DataFrame) -> float:
    return float(prompts["read"].sum())


def _sources(prompts: pd.DataFrame) -> "pd.Series[str]":
    return prompts["source"].fillna("").astype(str)


def _why(prompts: pd.DataFrame) -> str:
    return NO_CHARACTER if prompts["read"].any() else NOTHING


def _noun(prompts: pd.DataFrame, units: str = "scenario") -> str:
    return "items" if units == "item" or not len(prompts) else names.REPORTS[str(prompts["probe"].iloc[0])].scenarios


class SlopeRate:
    """The least-squares slope of the share of men on the stereotype of occupations."""

    def __init__(self, prompts: pd.DataFrame) -> None:
        self.prompts = prompts
        read = prompts[prompts["masculine"].notna()]
        self._values, self._scores = (read[name].to_numpy(dtype=np.float64) for name in ("masculine", "score"))
        self._items = read["scenario"].to_numpy(dtype=str)
        self._units = len(np.unique(self._items))

    @cached_property
    def _fit(self) -> tuple[float, Array] | None:
        """The slope and each value's influence on it; None if the scores do not differ."""
        is_defined = len(self._values) > 1 and np.ptp(self._scores) > 0
        return _fitted(self._scores, self._values) if is_defined else None

    @property
    def value(self) -> float | None:
        """The slope, rounded like shares."""
        return None if self._fit is None else _rounded(self._fit[0])

    @property
    def influence(self) -> Stratified:
        """The influence of each scenario on the slope, for comparisons of runs."""
        assert self._fit is not None
        return clustered(self._fit[1], np.ones(len(self._values)), self._items, reach=1.0)

    @cached_property
    def estimate(self) -> Estimate:
        """The slope with its interval."""
        n, unread, noun = len(self._values), int((self.prompts["unread"] > 0).sum()), _noun(self.prompts)
        blank = Estimate(name=names.JOBS, n=n, unread=unread, neutral=0.0, method=SLOPES.format(noun))
        if self._fit is None:
            why = _why(self.prompts) if n == 0 else ONE_SIDE
            return replace(blank, n=0, method=ONE_SHARE.format(noun), remark=why)
        if self._units < max(FEWEST, 4) or (bounds := self._bounds(self._fit[0])) is None:
            return replace(blank, value=self.value, remark=why_no_interval(self._units, noun))
        influences = self._fit[1]
        doubt = doubt_about(influences, self._items, _error(influences, self._items), noun)
        remark = joined(few_units(self._units), doubt)
        return blank.with_value(self.value, map(_rounded, bounds), remark=remark, freedom=float(self._units - 2))

    def _bounds(self, slope: float) -> Bounds | None:
        """Return the interval, which has four pseudo-answers more."""
        middle, far = float(self._scores.mean()), float(self._scores.std())
        scores = np.concatenate([self._scores, np.repeat([middle - far, middle + far], 2)])
        values = np.concatenate([self._values, [0.0, 1.0, 0.0, 1.0]])
        items = np.concatenate([self._items, [f"\0{k}" for k in range(4)]])
        centre, influences = _fitted(scores, values)
        error = _error(influences, items)
        if error is None:
            return None
        half = Error(error.variance, self._units - 2).half_width()
        return min(slope, centre - half), max(slope, centre + half)


def _rounded(slope: float) -> float:
    """Return a slope with the rounding error of a share that is shown as a rate (see `UnitRate`)."""
    return slope + 1 - 1.0


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
