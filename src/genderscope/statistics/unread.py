"""Sensitivity of rates to unread (unparsable) answers, if being unread depends on the answer.

Rates are computed over the answers that were read, which is unbiased if being unread is unrelated to gender. Bounds
cover other cases: an answer of one gender goes unread up to `FACTOR` times as often as one of the other, with the same
factor in all cells (stereotypes, languages); a relative-risk model of non-ignorable nonresponse.

A cell is a set of answers with its own rate. Within a cell, answers are counted by group: masculine and feminine, or
right and wrong.
"""

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from genderscope.statistics.quantiles import student_tail
from genderscope.statistics.student_intervals import ROUNDING as NO_VARIANCE
from genderscope.statistics.student_intervals import Error, total

Array = npt.NDArray[np.float64]

#: relative risk of an answer of one gender going unread
FACTOR = 2.0
#: relative risks at which the rates are computed; the middle one, 1, leaves them unchanged
RISKS: Array = np.geomspace(1 / FACTOR, FACTOR, 9)
#: counts below this are rounding error
ROUNDING = 1e-9
_STEPS = 60


class Yields(NamedTuple):
    """Mean yields of male and female stereotypes, and the p-value of their difference."""

    male: float
    female: float
    p: float


def completed(read: Array, unread: Array, tilt: Array) -> Array:
    """Return the cells' expected counts if every answer had been read: [risks, cells, groups].

    Args:
        read: Counts of read answers [cells, groups]; every cell needs at least one.
        unread: Counts of unread answers [cells].
        tilt: Exponent of the relative risk per group: 0 for masculine, 1 for feminine, in between for neither.
    """
    return np.array([_complete(read, unread, risk**tilt) for risk in RISKS])


def _complete(read: Array, unread: Array, risks: Array) -> Array:
    """Distribute the unread answers over the groups in proportion to their risk of going unread."""
    risks = risks / risks.max()

    def missing(rate: Array) -> Array:
        chance = rate[:, None] * risks
        return np.where(read > 0, read * chance / np.maximum(1 - chance, 1e-15), 0.0)

    low, high = np.zeros(len(read)), np.ones(len(read))
    for _ in range(_STEPS):
        middle = (low + high) / 2
        few = missing(middle).sum(axis=1) < unread
        low, high = np.where(few, middle, low), np.where(few, high, middle)
    added = missing(low)
    # A group without any read answer may have gone unread entirely.
    rest = unread - added.sum(axis=1)
    added[:, int(risks.argmax())] += np.where(rest > ROUNDING, rest, 0.0)
    full: Array = read + added
    return full


def spanned(value: float, rates: Array) -> tuple[float, float]:
    """Return the range of a value, given the rates expected under each relative risk if every answer were read."""
    shifts = rates - rates[len(rates) // 2]
    return value + float(min(0.0, shifts.min())), value + float(max(0.0, shifts.max()))


def share_range(value: float, read: Array, unread: Array, weights: Array) -> tuple[float, float] | None:
    """Return the bounds of a weighted sum of the first group's share in each cell.

    None if every answer was read.
    """
    if not unread.any():
        return None
    counts = completed(read, unread, np.array([0.0, 1.0]))
    return spanned(value, counts[..., 0] / counts.sum(axis=2) @ weights)


def mean_range(value: float, cells: Iterable[tuple[float, Array, int]]) -> tuple[float, float] | None:
    """Return the bounds of a weighted sum of the cells' means; None if every answer was read.

    A cell is given as (weight, read values, number of unread answers). Values above 0 are masculine, the others
    feminine, and the unread values of a gender are assumed to have the mean of its read values.
    """
    counts, means, unread, weights = [], [], [], []
    for weight, values, missing in cells:
        sides = values[values > 0], values[values <= 0]
        counts.append([float(len(side)) for side in sides])
        means.append([float(side.mean()) if len(side) else 0.0 for side in sides])
        unread.append(float(missing))
        weights.append(weight)
    if not any(unread):
        return None
    full = completed(np.array(counts), np.array(unread), np.array([0.0, 1.0]))
    return spanned(value, (full * np.array(means)).sum(axis=2) / full.sum(axis=2) @ np.array(weights))


def compare_yields(male: npt.NDArray[np.floating[Any]], female: npt.NDArray[np.floating[Any]]) -> Yields:
    """Compare the yields of male and female stereotypes with Welch's t-test, using one yield per stereotype.

    Stereotypes are the units, since their sentences differ in readability for reasons other than gender.
    """
    means = float(np.mean(male)), float(np.mean(female))
    if min(len(male), len(female)) < 2:
        return Yields(*means, 1.0)
    error = total(Error(float(side.var(ddof=1)) / len(side), len(side) - 1) for side in (male, female))
    if error.variance <= NO_VARIANCE:
        return Yields(*means, float(math.isclose(*means)))
    return Yields(*means, 2 * student_tail(abs(means[0] - means[1]) / math.sqrt(error.variance), error.freedom))
