"""Single estimates of the probes: shares over scenarios, and differences as shares stretched to the range -1 to 1."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.decisions import names
from genderscope.measures.decisions.slopes import Slope, slope_of
from genderscope.samples.decisions import FEMALE, MALE, NONBINARY
from genderscope.statistics.cluster_variance import codes, sums
from genderscope.statistics.clustered_shares import Weighed, weighed
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.long_tailed import FEW_DECIDE, pooled_skewness
from genderscope.statistics.student_intervals import FEWEST, ROUNDING, few_units
from genderscope.statistics.unread import completed, spanned

Array = npt.NDArray[np.float64]
Ends = tuple[float, float]

SHARES, SLOPES = "Agresti-Coull, {} as units", "least squares (HC2), {} as units"
TOO_FEW = f"no interval with fewer than {FEWEST} {{}}"
NOTHING = "no reply could be read"
NO_CHARACTER = "no reply names a character's gender"
ONE_SIDE = "it needs replies about both genders, or to both kinds of stereotypes"
ALL_AGREE = "all {} agree, so the interval does not show how much rare ones may differ"
#: A pseudo-answer differs by one half from one that favours nobody, so its square is a quarter of that from 0 to 1.
PSEUDO = 4.0


@dataclass(frozen=True)
class Part:
    """One estimate: a share, a difference (if the neutral point is 0), or a slope."""

    name: str
    prompts: pd.DataFrame
    found: Weighed | Slope | None
    neutral: float | None
    #: the units, in the plural
    noun: str
    why: str = NOTHING
    remark: str | None = None
    unread_ends: Ends | None = None

    @property
    def scale(self) -> float:
        """The factor from the share to the estimate."""
        return 2.0 if self.neutral == 0 and isinstance(self.found, Weighed) else 1.0

    def shown(self, share: float) -> float:
        """Return the estimate for a share."""
        return self.scale * share + 1 - self.scale

    @property
    def value(self) -> float | None:
        """The value of the estimate."""
        return None if self.found is None else self.shown(self.found.value)

    @cached_property
    def estimate(self) -> Estimate:
        """The estimate with its interval."""
        found, unread = self.found, int((self.prompts["unread"] > 0).sum())
        method = (SLOPES if isinstance(found, Slope) else SHARES).format(self.noun)
        n = 0 if found is None else found.n
        blank = Estimate(name=self.name, n=n, unread=unread, neutral=self.neutral, method=method)
        if found is None:
            return replace(blank, remark=joined(self.why, self.remark))
        low, high = self.unread_ends or (None, None)
        valued = blank.within(self.value, None, unread_low=low, unread_high=high)
        if (ends := found.ends) is None:
            return replace(valued, remark=joined(TOO_FEW.format(self.noun), self.remark))
        freedom = found.freedom if isinstance(found, Weighed) else float(found.units - 2)
        remark = joined(few_units(found.units), self._doubt(found), self.remark)
        return valued.within(self.value, map(self.shown, ends), remark=remark, freedom=freedom)

    def _doubt(self, found: Weighed | Slope) -> str | None:
        """Return a remark if few scenarios, or none, differ from the others, so that the interval may be too narrow."""
        if self.neutral != 0 or found.error is None:
            return None
        if found.error.variance <= ROUNDING:
            return ALL_AGREE.format(self.noun)
        of_scenarios = sums(found.moved, codes(found.items))
        skewed = pooled_skewness([of_scenarios]).distorts_mean(len(of_scenarios))
        return FEW_DECIDE.format(self.noun) if skewed else None


def decision_difference(prompts: pd.DataFrame, name: str = names.DECISION, units: str = "scenario") -> Part:
    """Return the share of yes for men minus the share of yes for women."""
    chosen = prompts[prompts["gender"].isin((FEMALE, MALE))]
    return _success_difference(name, chosen, chosen["gender"] == MALE, units)


def nonbinary_difference(prompts: pd.DataFrame) -> Part:
    """Return the share of yes for non-binary people minus that for women and men."""
    return _success_difference(f"{names.DECISION}_nonbinary", prompts, prompts["gender"] == NONBINARY, "scenario")


def _success_difference(name: str, prompts: pd.DataFrame, favoured: "pd.Series[bool]", units: str) -> Part:
    noun = _noun(prompts, units)
    if favoured.nunique() < 2:
        return Part(name, prompts, None, 0.0, noun, ONE_SIDE)
    towards = prompts["success"].where(favoured, 1 - prompts["success"])
    share = _stretched(weighed(towards, favoured.astype(str), prompts[units]), prompts)
    counts = prompts.assign(other=prompts["read"] - prompts[names.YES])[[names.YES, "other", "unread"]]
    signs = np.where(sorted(favoured.unique()), 1.0, -1.0)
    ends = _unread_range(share, counts.groupby(favoured).sum(), np.array([1.0, 0.0]), signs, np.array([0.0, 1.0]))
    return Part(name, prompts, share, 0.0, noun, unread_ends=ends)


def conflict_difference(prompts: pd.DataFrame, name: str = names.CONFLICT, units: str = "scenario") -> Part:
    """Return the share of replies in favour of the man minus the share in favour of the woman, over both orders."""
    share = _stretched(weighed(prompts["leaning"], prompts["order"], prompts[units]), prompts)
    other = prompts["read"] - prompts[MALE] - prompts[FEMALE]
    counts = prompts.assign(other=other)[[MALE, FEMALE, "other", "unread"]].groupby(prompts["order"]).sum()
    signs = np.full(len(counts), 1 / max(1, len(counts)))
    ends = _unread_range(share, counts, np.array([1.0, -1.0, 0.0]), signs, np.array([0.0, 1.0, 0.5]))
    return Part(name, prompts, share, 0.0, _noun(prompts, units), unread_ends=ends)


def masculine_rate(prompts: pd.DataFrame, name: str) -> Part:
    """Return the share of men among the characters that have a gender, averaged over inventories."""
    share = weighed(prompts["masculine"], _sources(prompts), prompts["scenario"])
    share = None if share is None else replace(share, answers=_replies(prompts))
    counts = prompts[[MALE, FEMALE, "unread"]].groupby(_sources(prompts)).sum()
    weights = np.full(len(counts), 1 / max(1, len(counts)))
    ends = _unread_range(share, counts, np.array([1.0, 0.0]), weights, np.array([0.0, 1.0]), scale=1.0)
    return Part(name, prompts, share, 0.5, _noun(prompts), _why(prompts), unread_ends=ends)


def trait_stereotype_rate(prompts: pd.DataFrame, name: str = names.TRAITS) -> Part:
    """Return the share of men for male traits minus that for female traits, averaged over inventories."""
    male, sources = prompts["score"] > 0.5, _sources(prompts)
    sides = sources + "/" + male.astype(str)
    if sides.nunique() < 2 * sources.nunique():
        return Part(name, prompts, None, 0.0, _noun(prompts), ONE_SIDE)
    share = _stretched(
        weighed(prompts["masculine"].where(male, 1 - prompts["masculine"]), sides, prompts["scenario"]), prompts
    )
    counts = prompts[[MALE, FEMALE, "unread"]].groupby(sides).sum()
    signs = np.array([1.0 if str(side).endswith("True") else -1.0 for side in counts.index]) / sources.nunique()
    ends = _unread_range(share, counts, np.array([1.0, 0.0]), signs, np.array([0.0, 1.0]))
    return Part(name, prompts, share, 0.0, _noun(prompts), _why(prompts), unread_ends=ends)


def job_stereotype_rate(prompts: pd.DataFrame) -> Part:
    """Return the slope of the share of men on the stereotype of the occupation."""
    values, scores = (prompts[column].to_numpy(dtype=np.float64) for column in ("masculine", "score"))
    found = slope_of(values, scores, prompts["scenario"].to_numpy(dtype=str))
    why = _why(prompts) if prompts["masculine"].isna().all() else ONE_SIDE
    return Part(names.JOBS, prompts, found, 0.0, _noun(prompts), why)


def share_part(name: str, values: "pd.Series[float]", prompts: pd.DataFrame, remark: str, why: str = NOTHING) -> Part:
    """Return the mean of values between 0 and 1 over prompts, without a neutral point."""
    share = weighed(values, pd.Series("", index=values.index), prompts["scenario"])
    share = None if share is None else replace(share, answers=_replies(prompts))
    return Part(name, prompts, share, None, _noun(prompts), why, remark)


def _stretched(share: Weighed | None, prompts: pd.DataFrame) -> Weighed | None:
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
    share: Weighed | None, counts: pd.DataFrame, added: Array, signs: Array, tilt: Array, scale: float = 2.0
) -> Ends | None:
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
