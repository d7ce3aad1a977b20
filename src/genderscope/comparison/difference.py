"""The difference between two runs in one headline estimate.

Shares and means are subtracted, second minus first (neutral 0). Ratios, whose neutral point is 1, are divided, second
by first (neutral 1), and tested on the log scale: 2 against 1 is as far as 1 against 0.5.
"""

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from genderscope.comparison.pairing import Paired
from genderscope.measures.base import Leaning, Measure, Outcomes
from genderscope.statistics.estimate import KEYS, Estimate
from genderscope.statistics.paired import Contrast, Resampled, SignTest, contrast, joint_distance, sign_test

if TYPE_CHECKING:
    import pandas as pd

MCNEMAR = "exact McNemar"
SIGN = "exact sign test"
BOOTSTRAP = "paired bootstrap"


@dataclass(frozen=True)
class Difference:
    """What a headline estimate is in two runs, on the questions that both answered, and how the two differ."""

    #: the labels of the two runs
    first: str
    second: str
    #: the estimate of each run on the shared questions
    of_first: Estimate
    of_second: Estimate
    leaning: Leaning
    #: second minus first, or for ratios second over first
    value: float | None
    low: float | None
    high: float | None
    #: what the value would be if the runs did not differ
    neutral: float
    #: p-value of `test`, and corrected for all differences that were looked at (Holm)
    p: float | None
    test: str
    #: p-value for one run being nearer to the neutral point than the other
    p_nearer: float | None
    sign: SignTest
    sign_test: str
    items: int
    p_holm: float | None = None
    p_nearer_holm: float | None = None

    @property
    def name(self) -> str:
        """The estimate with what it is for, as a gate would write it: f_s[sk]."""
        return label(self.of_second)

    @property
    def is_ratio(self) -> bool:
        """Whether the value is a ratio of ratios."""
        return self.neutral == 1

    @property
    def nearer(self) -> str | None:
        """The run that is nearer to the neutral point as far as can be told, or None."""
        if self.p_nearer_holm is None or self.p_nearer_holm >= 0.05:
            return None
        one, other = (abs(distance(e) or 0.0) for e in (self.of_first, self.of_second))
        return self.second if other < one else self.first

    @property
    def differs(self) -> bool:
        """Whether a difference can be told from chance, all that was looked at considered."""
        return self.p_holm is not None and self.p_holm < 0.05

    def to_json(self) -> dict[str, Any]:
        """Return the difference in JSON types."""
        keys = {k: getattr(self.of_second, k) for k in KEYS if getattr(self.of_second, k) is not None}
        own = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in _NESTED}
        return {
            "estimate": self.of_second.name,
            **keys,
            **own,
            "scale": "ratio" if self.is_ratio else "difference",
            "nearer": self.nearer,
            "differs": self.differs,
            "estimate_neutral": self.of_second.neutral,
            "n": self.of_second.n,
            "of_first": _numbers(self.of_first),
            "of_second": _numbers(self.of_second),
            "sign": asdict(self.sign),
        }


_NESTED = {"of_first", "of_second", "sign", "leaning"}


def label(estimate: Estimate) -> str:
    """Name an estimate with what it is for: f_s[sk], honest[K=20, female]."""
    return f"{estimate.name}[{estimate.scope}]" if estimate.scope else estimate.name


def distance(estimate: Estimate) -> float | None:
    """How far a value lies from its neutral point, with its sign; on the log scale for a ratio."""
    if estimate.value is None or estimate.neutral is None:
        return None
    if estimate.neutral == 1:
        return math.log(estimate.value) if estimate.value > 0 else -math.inf
    return estimate.value - estimate.neutral


def differences(kind: type[Measure], rows: Paired, options: Any, names: tuple[str, str]) -> Iterator[Difference]:
    """Yield the difference in every headline estimate, not yet corrected for their number."""
    drawn = [{label(r.estimate): r for r in kind.resampled(side, options)} for side in (rows.first, rows.second)]
    for name, first in drawn[0].items():
        second = drawn[1].get(name)
        if second is not None:
            given = [kind.outcomes(side, first.estimate, options) for side in (rows.first, rows.second)]
            yield _difference(kind.leaning(first.estimate), first, second, given[0], given[1], names)


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
    found = contrast(first, second) if comparable else Contrast(math.nan, None, None, None, False)
    low, high = found.low, found.high
    if found.constant and one.reach is not None and low is not None:
        low, high = _at_most(found.value, one.reach, len(both))
    p, test = (signs.p, MCNEMAR) if binary and one.plain and found.p is not None else (found.p, BOOTSTRAP)
    whole = joint_distance(first, second) if comparable else None
    nearer = None if p is None or whole is None or whole.p is None else max(p, whole.p)
    if whole is not None and found.value * whole.value == 0:
        nearer = None if nearer is None else 1.0  # both lie equally far, on the same side or on either side
    shown = [None if end is None or not math.isfinite(end) else _shown(end, ratio) for end in (found.value, low, high)]
    return Difference(
        *names,
        first.estimate,
        second.estimate,
        leaning,
        shown[0],
        shown[1],
        shown[2],
        1.0 if ratio else 0.0,
        p,
        test,
        nearer,
        signs,
        MCNEMAR if binary else SIGN,
        len(both),
    )


def _by_item(outcomes: Outcomes) -> "pd.Series[float]":
    """One number for each item: the mean of its rows."""
    read = outcomes.values.dropna()
    return read.groupby(outcomes.items.loc[read.index]).mean()


def _binary(one: Outcomes, other: Outcomes) -> bool:
    return all(each.values.dropna().isin([0.0, 1.0]).all() for each in (one, other))


def _at_most(value: float, reach: float, items: int) -> tuple[float, float]:
    """Resampling what never varies says nothing: how many items may yet deviate, if none of these does?"""
    room = reach * (1 - 0.025 ** (1 / items))
    return max(-reach, value - room), min(reach, value + room)


def _shown(value: float, ratio: bool) -> float:
    return math.exp(value) if ratio else value


def _numbers(estimate: Estimate) -> dict[str, Any]:
    return {k: getattr(estimate, k) for k in ("value", "low", "high", "n")}
