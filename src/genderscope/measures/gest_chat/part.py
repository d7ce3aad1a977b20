"""Weighted sums of stereotype means, and the proportions that their intervals are based on."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from genderscope.measures.gest_chat.reading import FEMALE, MALE
from genderscope.measures.gest_chat.shares import Sentences, share_of, weight_of
from genderscope.samples.gest import FEMALE as FEMALE_STEREOTYPES
from genderscope.statistics.proportions import Share
from genderscope.statistics.recurrence import resized
from genderscope.statistics.student_intervals import FEWEST
from genderscope.statistics.unread import completed, spanned

Array = npt.NDArray[np.float64]

SHARES = "Price-Bonett, sentences as units"
ONE_SHARE = "Agresti-Coull, sentences as units"
TOO_FEW = f"no interval with fewer than {FEWEST} sentences"


@dataclass(frozen=True)
class Part:
    """A weighted sum of the stereotypes' means of `values`, with its neutral point."""

    name: str
    weights: Mapping[int, float]
    values: Mapping[int, Array]
    neutral: float | None
    #: whether the values cover only answers that name a gender
    gendered_only: bool = False
    #: how much a single answer can differ from the others: 0.5 if choosing no gender counts as one half
    step: float = 1.0

    @property
    def value(self) -> float:
        """The weighted sum; stereotypes with equal weights are averaged first, so that equal means cancel exactly."""
        alike: dict[float, list[float]] = {}
        for i, weight in self.weights.items():
            alike.setdefault(weight, []).append(float(np.nanmean(self.values[i])))
        return sum(weight * len(means) * (math.fsum(means) / len(means)) for weight, means in alike.items())


def shares_of(part: Part, strata: Mapping[int, Sentences], form: str) -> dict[int, tuple[float, Share]]:
    """Return the weight and proportion of each stereotype that has a proportion."""
    found = {}
    lone = _lone_variances(part, strata)
    for i, weight in part.weights.items():
        answers = weight_of(float(strata[i].read.sum()), form)
        share = share_of(part.values[i], answers, len(part.weights), part.step, lone.get(i, 0.0))
        if share is not None:
            found[i] = (weight, share)
    return sized(found, part.values, strata)


def _lone_variances(part: Part, strata: Mapping[int, Sentences]) -> dict[int, float]:
    """Return the variance between sentences for stereotypes with a single one, which shows no variance itself.

    It is the variance between such stereotypes, if possible of the same gender, which is conservative because it
    includes their differences; for a lone one, it is the average variance within the other stereotypes. A sentence with
    a single answer needs none, because its variance is binomial.
    """
    known = {i: part.values[i][np.isfinite(part.values[i])] for i in part.weights}
    lone = [i for i, values in known.items() if len(values) == 1 and strata[i].read.max() > 1]
    within = [float(values.var(ddof=1)) for values in known.values() if len(values) > 1]
    found = {}
    for i in lone:
        alike = [float(known[k][0]) for k in lone if (k in FEMALE_STEREOTYPES) is (i in FEMALE_STEREOTYPES)]
        others = alike if len(alike) > 1 else [float(known[k][0]) for k in lone]
        found[i] = float(np.var(others, ddof=1)) if len(others) > 1 else float(np.mean(within or [0.0]))
    return found


def sized(
    shares: Mapping[int, tuple[float, Share]], values: Mapping[int, Array], strata: Mapping[int, Sentences]
) -> dict[int, tuple[float, Share]]:
    """Adjust the effective sizes of weighted proportions for recurring sentences."""
    codes = {i: strata[i].codes for i in shares}
    known = {i: each for i, each in codes.items() if each is not None}
    return resized(shares, {i: values[i][:, None] for i in known}, known if len(known) == len(codes) else None)


def unread_range(part: Part, strata: Mapping[int, Sentences]) -> tuple[float, float] | None:
    """Return the range of the sum if one gender goes unread more often; None if nothing is unread.

    Answers that choose no gender are assumed to lie in between.
    """
    chosen = [strata[i] for i in part.weights]
    unread = np.array([float(each.unread.sum()) for each in chosen])
    if not unread.any():
        return None
    read = np.array([np.nansum(each.shares * each.read[:, None], axis=0) for each in chosen])
    women, men = (chosen[0].outcomes.index(gender) for gender in (FEMALE, MALE))
    tilt = np.full(read.shape[1], 0.5)
    tilt[[women, men]] = 1.0, 0.0
    full = completed(read, unread, tilt)
    gendered = full[..., men] + full[..., women]
    over = gendered if part.gendered_only or chosen[0].gendered_only else full.sum(axis=2)
    leaning = 0.5 + (full[..., men] - full[..., women]) / over / 2
    return spanned(part.value, leaning @ np.array(list(part.weights.values())))
