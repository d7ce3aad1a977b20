"""The difference between two runs in one headline estimate.

Shares and means are subtracted, second minus first (neutral 0). Ratios, whose neutral point is 1, are divided, second
by first (neutral 1), and tested on the log scale, where 2 and 0.5 are equally far from 1.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from genderscope.comparison.labels import distance, label
from genderscope.comparison.neutral_distance import further, further_interval
from genderscope.comparison.row_pairing import Paired
from genderscope.judgement import Margin, with_symbols
from genderscope.measures import AnyMeasure, Leaning, Outcomes
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.influence import Influence
from genderscope.statistics.paired_comparison import Contrast, Resampled, SignTest, contrast, joint_distance, sign_test
from genderscope.statistics.simultaneous import Family

if TYPE_CHECKING:
    import pandas as pd

MCNEMAR = "exact McNemar"
SIGN = "exact sign test"
STUDENT = "Student's t on paired differences"
LEVEL = 0.05

Ends = tuple[float, float]


@dataclass(frozen=True)
class Difference:
    """Difference between two runs in one headline estimate, on the questions that both answered."""

    #: the labels of the two runs
    first: str
    second: str
    #: the estimate of each run on the shared questions
    of_first: Estimate
    of_second: Estimate
    leaning: Leaning
    #: second minus first, or second / first for ratios; the interval is simultaneous
    value: float | None
    low: float | None
    high: float | None
    #: the value if there is no difference
    neutral: float
    #: p-value of `test` for this difference alone; `p_adjusted` is corrected for the whole family
    p: float | None
    test: str
    #: p-value of the test of whether one run is nearer to the neutral point than the other
    p_nearer: float | None
    sign: SignTest
    sign_test: str
    items: int
    p_adjusted: float | None = None
    p_nearer_adjusted: float | None = None
    #: how much further from neutral the second run is than the first (log scale for ratios), with its interval
    further: float | None = None
    further_low: float | None = None
    further_high: float | None = None
    #: second minus first, and the sum of both distances from neutral, on the scale of the test
    contrast: Contrast | None = None
    total: Contrast | None = None
    #: the largest possible difference if it is bounded, as for shares
    reach: float | None = None
    #: the estimate's smallest effect of interest, which also applies to its difference
    margin: Margin | None = None
    #: why one of the two values is not meaningful; None if both are
    not_meaningful: str | None = None

    @property
    def name(self) -> str:
        """The estimate with its keys, in gate syntax: stereotype_rate[sk]."""
        return label(self.of_second)

    @property
    def is_ratio(self) -> bool:
        """Whether the value is a ratio of ratios."""
        return self.neutral == 1

    @property
    def nearer(self) -> str | None:
        """The run that is significantly nearer to the neutral point, or None."""
        if self.not_meaningful or self.p_nearer_adjusted is None or self.p_nearer_adjusted >= LEVEL:
            return None
        one, other = (abs(distance(e) or 0.0) for e in (self.of_first, self.of_second))
        return self.second if other < one else self.first

    @property
    def differs(self) -> bool:
        """Whether the difference is significant after correction for the whole family."""
        return not self.not_meaningful and self.p_adjusted is not None and self.p_adjusted < LEVEL

    @property
    def negligible(self) -> bool:
        """Whether the runs differ by less than the smallest effect of interest (two one-sided tests)."""
        if self.not_meaningful or self.margin is None or self.low is None or self.high is None:
            return False
        ends = [math.log(end) if self.is_ratio else end for end in (self.low, self.high)]
        return all(abs(end) < self.margin.distance for end in ends)

    def to_json(self) -> dict[str, Any]:
        """Return the difference as a JSON-serialisable dictionary."""
        own = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in _NESTED}
        return {
            "estimate": self.of_second.name,
            **self.of_second.keys,
            **own,
            "scale": "ratio" if self.is_ratio else "difference",
            "nearer": self.nearer,
            "differs": self.differs,
            "negligible": self.negligible,
            "margin": None if self.margin is None else self.margin.size,
            "estimate_neutral": self.of_second.neutral,
            "n": self.of_second.n,
            "of_first": _numbers(self.of_first),
            "of_second": _numbers(self.of_second),
            "sign": self.sign.to_json(),
        }


_NESTED = {"of_first", "of_second", "sign", "leaning", "contrast", "total", "margin", "reach"}


def differences(kind: type[AnyMeasure], rows: Paired, options: Any, names: tuple[str, str]) -> Iterator[Difference]:
    """Yield the difference in every headline estimate, not yet corrected for multiple comparisons."""
    drawn = [_by_label(kind, side, options) for side in (rows.first, rows.second)]
    for name, first in drawn[0].items():
        second = drawn[1].get(name)
        if second is not None:
            given = [kind.outcomes(side, first.estimate, options) for side in (rows.first, rows.second)]
            found = _difference(kind.leaning(first.estimate), first, second, given[0], given[1], names)
            yield replace(found, margin=kind.margin(first.estimate, options))


def _by_label(kind: type[AnyMeasure], rows: "pd.DataFrame", options: Any) -> dict[str, Resampled]:
    resampled = list(kind.resampled(rows, options))
    estimates = with_symbols(kind.id, (r.estimate for r in resampled))
    return {label(e): replace(r, estimate=e) for r, e in zip(resampled, estimates, strict=True)}


def _difference(
    leaning: Leaning, first: Resampled, second: Resampled, one: Outcomes, other: Outcomes, names: tuple[str, str]
) -> Difference:
    by_item = [_by_item(each) for each in (one, other)]
    both = by_item[0].index.intersection(by_item[1].index)
    signs = sign_test(*(np.asarray(side.loc[both], dtype=np.float64) for side in by_item))
    alone = len(by_item[0]) == len(one.values) and len(both) == len(one.values)
    binary = one.reach is not None and alone and _binary(one, other)
    ratio = first.estimate.neutral == 1
    comparable = first.estimate.value is not None and second.estimate.value is not None
    apart = contrast(first, second) if comparable else None
    joint = joint_distance(first, second) if comparable else None
    return Difference(
        *names,
        first.estimate,
        second.estimate,
        leaning,
        None if apart is None or not math.isfinite(apart.value) else _shown(apart.value, ratio),
        None,
        None,
        1.0 if ratio else 0.0,
        None if apart is None else apart.p,
        STUDENT,
        _p_nearer(apart, joint),
        signs,
        MCNEMAR if binary else SIGN,
        len(both),
        contrast=apart,
        total=joint,
        reach=None if ratio else one.reach,
    )


def _p_nearer(apart: Contrast | None, joint: Contrast | None) -> float | None:
    """Return the p-value for one run being nearer to neutral, which requires both difference and sum to be non-zero."""
    if apart is None or joint is None or apart.p is None or joint.p is None:
        return None
    # If either is 0, both runs are equally far from neutral, on the same side or on opposite sides.
    return max(apart.p, joint.p) if apart.value * joint.value else 1.0


def _together(contrast: Contrast, family: Family) -> tuple[Ends | None, float | None]:
    """Return the simultaneous interval and adjusted p-value; the interval excludes 0 exactly when p < 0.05."""
    if contrast.p is None:
        return None, None
    p = family.adjusted(contrast.p)
    # The family's level is an interpolated quantile, so interval and p may disagree; p takes precedence.
    level = min(family.tail, contrast.p) if p >= LEVEL else max(family.tail, math.nextafter(contrast.p, 1))
    return contrast.interval(level), p


def settled(differences: Sequence[Difference]) -> list[Difference]:
    """Return the differences with simultaneous intervals and p-values.

    Distances from neutral are corrected as a separate family.
    """
    alone = Family([d.contrast.influence for d in differences if d.contrast is not None])
    both = Family([each for d in differences for each in _both(d)])
    return [_settled(d, alone, both) for d in differences]


def _both(d: Difference) -> list[Influence]:
    return [each.influence for each in (d.contrast, d.total) if each is not None]


def _settled(d: Difference, family: Family, both: Family) -> Difference:
    if d.contrast is None or d.total is None:
        return d
    ratio = d.is_ratio
    ends, p = _together(d.contrast, family)
    low, high = (None, None) if ends is None else (_shown(_within(end, d.reach), ratio) for end in ends)
    apart, joint = (_together(each, both)[0] for each in (d.contrast, d.total))
    far = further(d.contrast.value, d.total.value)
    p_nearer = None if d.p_nearer is None else both.adjusted(d.p_nearer)
    further_low = further_high = None
    if apart is not None and joint is not None and p_nearer is not None:
        further_low, further_high = map(float, further_interval(apart, joint))
        if p_nearer < LEVEL and further_low <= 0 <= further_high:
            p_nearer = LEVEL
    return replace(
        d,
        low=low,
        high=high,
        p_adjusted=p,
        p_nearer_adjusted=p_nearer,
        further=far if math.isfinite(far) else None,
        further_low=further_low,
        further_high=further_high,
    )


def _within(end: float, reach: float | None) -> float:
    """Clip an interval endpoint to the range of possible differences."""
    return end if reach is None else max(-reach, min(reach, end))


def _by_item(outcomes: Outcomes) -> "pd.Series[float]":
    """Return the mean outcome per item."""
    read = outcomes.values.dropna()
    items = outcomes.items.loc[read.index]
    return read.set_axis(items) if items.is_unique and not items.hasnans else read.groupby(items).mean()


def _binary(one: Outcomes, other: Outcomes) -> bool:
    return all(each.values.dropna().isin([0.0, 1.0]).all() for each in (one, other))


def _shown(value: float, ratio: bool) -> float:
    return math.exp(value) if ratio else value


def _numbers(estimate: Estimate) -> dict[str, Any]:
    return {k: getattr(estimate, k) for k in ("value", "low", "high", "n")}
