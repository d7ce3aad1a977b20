"""The difference between two runs in one headline estimate.

Shares and means are subtracted, second minus first (neutral 0). Ratios, whose neutral point is 1, are divided, second
by first (neutral 1), and tested on the log scale, where 2 and 0.5 are equally far from 1.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from genderscope.comparison.neutral_distance import further, further_interval
from genderscope.comparison.row_pairing import Paired
from genderscope.judgement import LEVEL, Difference, WideTest, label, with_symbols
from genderscope.measures import AnyMeasure, Leaning, Outcomes
from genderscope.statistics.paired_comparison import (
    Contrast,
    Resampled,
    contrast,
    generalised,
    joint_distance,
    sign_test,
)
from genderscope.statistics.simultaneous import Family
from genderscope.statistics.wide_influence import WideTables

if TYPE_CHECKING:
    import pandas as pd

MCNEMAR = "exact McNemar"
SIGN = "exact sign test"
STUDENT = "Student's t on paired differences"

Bounds = tuple[float, float]


def differences(kind: type[AnyMeasure], rows: Paired, options: Any, names: tuple[str, str]) -> Iterator[Difference]:
    """Yield the difference in every headline estimate, not yet corrected for multiple comparisons."""
    drawn = [_by_label(kind, _with_all_stereotypes(kind, side, rows), options) for side in (rows.first, rows.second)]
    for name, first in drawn[0].items():
        second = drawn[1].get(name)
        if second is not None:
            given = [kind.outcomes(side, first.estimate, options) for side in (rows.first, rows.second)]
            difference = _difference(kind.leaning(first.estimate), first, second, given[0], given[1], names)
            yield replace(difference, margin=kind.margin(first.estimate, options))


def _with_all_stereotypes(kind: type[AnyMeasure], side: "pd.DataFrame", rows: Paired) -> "pd.DataFrame":
    """Add an unread row for each stereotype without shared rows, if the measure then pools readings instead.

    Otherwise, the rates of one language would depend on which other languages the runs have.
    """
    if not kind.pooled or not rows.uncovered:
        return side
    import pandas as pd

    missing = side.head(1).loc[side.head(1).index.repeat(len(rows.uncovered))]
    missing = missing.assign(stereotype=list(rows.uncovered), sample=-1, unread="not shared")
    return pd.concat([side, missing], ignore_index=True)


def _by_label(kind: type[AnyMeasure], rows: "pd.DataFrame", options: Any) -> dict[str, Resampled]:
    resampled = list(kind.resampled(rows, options))
    estimates = with_symbols(kind.symbols, (r.estimate for r in resampled))
    return {label(e): replace(r, estimate=e) for r, e in zip(resampled, estimates, strict=True)}


def _difference(
    leaning: Leaning, first: Resampled, second: Resampled, one: Outcomes, other: Outcomes, names: tuple[str, str]
) -> Difference:
    by_item = [_by_item(outcomes) for outcomes in (one, other)]
    both = by_item[0].index.intersection(by_item[1].index)
    signs = sign_test(*(np.asarray(side.loc[both], dtype=np.float64) for side in by_item))
    alone = len(by_item[0]) == len(one.values) and len(both) == len(one.values)
    binary = one.reach is not None and alone and _binary(one, other)
    ratio = first.estimate.neutral == 1
    comparable = first.estimate.value is not None and second.estimate.value is not None
    apart = contrast(first, second) if comparable else None
    joint = joint_distance(first, second) if comparable else None
    further_apart = generalised(first, second) if comparable else None
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
        p_nearer(apart, joint),
        signs,
        MCNEMAR if binary else SIGN,
        len(both),
        contrast=apart,
        total=joint,
        reach=None if ratio else one.reach,
        wide=None if further_apart is None else _wide(*further_apart),
    )


def _wide(first: Resampled, second: Resampled) -> WideTest | None:
    """Return the test that generalises as far as both runs' wide intervals; None if there is too little data."""
    apart, joint = contrast(first, second), joint_distance(first, second)
    if apart.p is None or joint.p is None:
        return None
    one, other = (str(side.estimate.wide_over).split("+") for side in (first, second))
    factors = [factor for factor in one if factor in other]
    if isinstance(apart.influence, WideTables) and not apart.influence.has_columns:
        factors = factors[:1]  # the runs have different columns
    return WideTest("+".join(factors), apart, joint, apart.p, p_nearer=p_nearer(apart, joint))


def p_nearer(apart: Contrast | None, joint: Contrast | None) -> float | None:
    """Return the p-value for one run being nearer to neutral: neither the difference nor the sum may be zero."""
    if apart is None or joint is None or apart.p is None or joint.p is None:
        return None
    # If either is 0, both runs are equally far from neutral, on the same side or on opposite sides.
    return max(apart.p, joint.p) if apart.value * joint.value else 1.0


def in_family(contrast: Contrast, family: Family, families: int = 1) -> tuple[Bounds | None, float | None]:
    """Return the simultaneous interval and adjusted p-value; the interval excludes 0 exactly when p < 0.05.

    If there are several such families, both are also corrected for their number.
    """
    if contrast.p is None:
        return None, None
    p = min(1.0, families * family.adjusted(contrast.p))
    tail = family.tail / families
    # The family's level is an interpolated quantile, so interval and p may disagree; p takes precedence.
    level = min(tail, contrast.p) if p >= LEVEL else max(tail, math.nextafter(contrast.p, 1))
    return contrast.interval(level), p


def adjusted_together(differences: Sequence[Difference], families: int = 1) -> list[Difference]:
    """Return the differences with simultaneous intervals and p-values.

    Distances from neutral are corrected as a separate family, and so are the wide tests. If there are several such
    families, intervals and p-values are also corrected for their number.
    """
    narrow = _Families(differences, families)
    adjusted = [_adjusted(d, narrow) for d in differences]
    if all(d.wide is None for d in differences):
        return adjusted
    wide = _Families([d.for_model for d in differences], families)
    return [d if d.wide is None else replace(d, wide=_adjusted_wide(d, d.wide, wide)) for d in adjusted]


class _Families:
    """The families of a scope: that of the differences, and that of the distances from neutral."""

    def __init__(self, tests: Sequence[Difference | WideTest], number: int) -> None:
        self.number = number
        self.alone = Family([test.contrast.influence for test in tests if test.contrast is not None])
        pairs = ((test.contrast, test.total) for test in tests)
        self.both = Family([compared.influence for pair in pairs for compared in pair if compared is not None])


def _adjusted(d: Difference, families: _Families) -> Difference:
    if d.contrast is None or d.total is None:
        return d
    far = further(d.contrast.value, d.total.value)
    return replace(d, further=far if math.isfinite(far) else None, **_corrected(d, d, families))


def _adjusted_wide(d: Difference, wide: WideTest, families: _Families) -> WideTest:
    """Return the wide test, corrected, and never more certain than the narrow one."""
    corrected = _corrected(d, wide, families)
    for name, value in corrected.items():
        own = getattr(d, name)
        least_certain = min if name in {"low", "further_low"} else max
        corrected[name] = None if own is None or value is None else least_certain(own, value)
    return replace(wide, **corrected)


def _corrected(d: Difference, test: Difference | WideTest, families: _Families) -> dict[str, Any]:
    """Return the simultaneous intervals and p-values of a test of a difference."""
    assert test.contrast is not None
    assert test.total is not None
    bounds, p = in_family(test.contrast, families.alone, families.number)
    low, high = (None, None) if bounds is None else (_shown(_within(end, d.reach), d.is_ratio) for end in bounds)
    apart, joint = (in_family(compared, families.both, families.number)[0] for compared in (test.contrast, test.total))
    p_nearer = None if test.p_nearer is None else min(1.0, families.number * families.both.adjusted(test.p_nearer))
    further_low = further_high = None
    if apart is not None and joint is not None and p_nearer is not None:
        further_low, further_high = map(float, further_interval(apart, joint))
        if p_nearer < LEVEL and further_low <= 0 <= further_high:
            p_nearer = LEVEL
    intervals = {"low": low, "high": high, "further_low": further_low, "further_high": further_high}
    return {**intervals, "p_adjusted": p, "p_nearer_adjusted": p_nearer}


def _within(end: float, reach: float | None) -> float:
    """Clip an interval endpoint to the range of possible differences."""
    return end if reach is None else max(-reach, min(reach, end))


def _by_item(outcomes: Outcomes) -> "pd.Series[float]":
    """Return the mean outcome per item."""
    read = outcomes.values.dropna()
    items = outcomes.items.loc[read.index]
    return read.set_axis(items) if items.is_unique and not items.hasnans else read.groupby(items).mean()


def _binary(one: Outcomes, other: Outcomes) -> bool:
    return all(outcomes.values.dropna().isin([0.0, 1.0]).all() for outcomes in (one, other))


def _shown(value: float, ratio: bool) -> float:
    return math.exp(value) if ratio else value
