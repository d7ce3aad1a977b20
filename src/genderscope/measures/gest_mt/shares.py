"""Standard errors of GEST's translation rates: proportions over sentences shared by all languages.

`values` are 1 (masculine) or 0, [samples, languages] for each stereotype, NaN if unread.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from genderscope.samples.gest import MALE
from genderscope.statistics.proportions import Share, combined, effective, spread
from genderscope.statistics.student_intervals import FEWEST, Error
from genderscope.statistics.wide_intervals import Scope, wide_scope

Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

BINOMIAL = "Agresti-Coull"
EXACT = "Clopper-Pearson"
CLUSTERED = "Agresti-Coull, sentences as units"
COMBINED = "Price-Bonett, sentences as units"
TOO_FEW = f"no interval with fewer than {FEWEST} samples"
NO_NEUTRAL = {
    "rank": "a rank has no neutral point",
    "yield": "the frequency of gendered forms says nothing about bias",
    "unread_share": "the frequency of unread translations says nothing about bias",
}


def share_of(values: Array) -> Share | None:
    """Return the mean of the languages' proportions with its effective size, or None if a language has no readings.

    Readings of one sentence in several languages are correlated, so sentences are the units.
    """
    present = np.isfinite(values)
    counts = present.sum(axis=0)
    languages = values.shape[1]
    if languages == 0 or not counts.all():
        return None
    shares = np.where(present, values, 0.0).sum(axis=0) / counts
    value, samples = float(shares.mean()), int(present.any(axis=1).sum())
    if languages == 1:
        return Share(value, samples)
    influences = (np.where(present, values - shares, 0.0) / counts).sum(axis=1) / languages
    variance = float((influences**2).sum()) * samples / max(1, samples - 1)
    return effective(value, variance, int(counts.sum()), samples)


@dataclass(frozen=True)
class Combination:
    """A weighted sum of the stereotypes' proportions."""

    weights: Mapping[int, float]
    shares: Mapping[int, Share]
    samples: int

    @property
    def parts(self) -> list[tuple[float, Share]]:
        """The weights and proportions in the sum."""
        return [(weight, self.shares[i]) for i, weight in self.weights.items()]

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The interval over sentences; None if there are too few samples."""
        return None if self.samples < FEWEST else combined(self.parts)

    def scope(self) -> tuple[tuple[float, float] | None, Scope]:
        """Return the interval with stereotypes resampled as well, and its variance components."""
        value = sum(weight * share.value for weight, share in self.parts)
        groups = ([i for i in self.weights if (i in MALE) is male] for male in (True, False))
        sides = [np.array([[self.shares[i].value] for i in group]) for group in groups if group]
        factor = sum(abs(weight) for weight in self.weights.values()) / len(sides)
        narrow = Error(sum(weight**2 * spread(share, len(self.weights)) for weight, share in self.parts), np.inf)
        scope = wide_scope(sides, narrow.scaled(1 / factor), "stereotype")
        bounds = self.bounds
        if scope.error is None or bounds is None:
            return None, scope
        half = scope.error.scaled(factor).half_width()
        least, most = (math.fsum(w for w in self.weights.values() if (w > 0) is up) for up in (False, True))
        low, high = max(least, min(bounds[0], value - half)), min(most, max(bounds[1], value + half))
        return (low, high), scope


def family_parts(values: Mapping[int, Array], members: Mapping[int, Flags], column: int) -> list[tuple[float, Share]]:
    """Return p_fam - p_m as a weighted sum of disjoint proportions: family and other samples of each stereotype.

    p_fam weights the stereotypes by their number of family samples, p_m equally.
    """
    cells: list[tuple[int, bool, Array]] = []
    for i, chosen in members.items():
        read = np.isfinite(values[i][:, column])
        cells += [(i, family, values[i][read & (chosen == family), column]) for family in (True, False)]
    of_family = sum(len(read) for _, family, read in cells if family)
    if of_family == 0:
        return []
    sizes = {i: sum(len(read) for j, _, read in cells if j == i) for i in members}
    counted = [i for i in members if sizes[i]]
    parts = []
    for i, family, read in cells:
        if len(read):
            weight = len(read) / of_family * family - len(read) / sizes[i] / len(counted)
            parts.append((weight, Share(float(read.mean()), len(read))))
    return parts


def weights(plus: Sequence[int], minus: Sequence[int], factor: float = 1.0) -> dict[int, float]:
    """Return the weights of the mean over `plus` stereotypes minus the mean over `minus`."""
    return {i: sign * factor / len(group) for sign, group in ((1.0, plus), (-1.0, minus)) for i in group}


def around(value: float, bounds: tuple[float, float]) -> tuple[float, float]:
    """Return the interval, widened to include the value."""
    return min(bounds[0], value), max(bounds[1], value)
