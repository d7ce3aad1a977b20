"""The difference between two runs in one headline estimate.

Shares and means are subtracted, second minus first (neutral 0). Ratios, whose neutral point is 1, are divided, second
by first (neutral 1), and tested on the log scale: 2 is as far from 1 as 1 is from 0.5.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from genderscope.comparison.labels import distance, label
from genderscope.comparison.nearer import further, further_interval
from genderscope.comparison.pairing import Paired
from genderscope.judgement import Margin
from genderscope.measures import AnyMeasure, Leaning, Outcomes
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.paired import (
    Array,
    Drawn,
    Resampled,
    SignTest,
    contrast,
    joint_distance,
    sign_test,
)
from genderscope.statistics.simultaneous import Family

if TYPE_CHECKING:
    import pandas as pd

MCNEMAR = "exact McNemar"
SIGN = "exact sign test"
BOOTSTRAP = "paired bootstrap"
LEVEL = 0.05

Ends = tuple[float, float]


@dataclass(frozen=True)
class Difference:
    """A headline estimate in two runs, on the questions both answered, and the difference between the two."""

    #: the labels of the two runs
    first: str
    second: str
    #: the estimate of each run on the shared questions
    of_first: Estimate
    of_second: Estimate
    leaning: Leaning
    #: second minus first, or for ratios second over first; the interval is simultaneous
    value: float | None
    low: float | None
    high: float | None
    #: the value if the runs did not differ
    neutral: float
    #: p-value of `test` for this difference alone; `p_adjusted` is corrected for the whole family
    p: float | None
    test: str
    #: p-value for one run being nearer to the neutral point than the other
    p_nearer: float | None
    sign: SignTest
    sign_test: str
    items: int
    p_adjusted: float | None = None
    p_nearer_adjusted: float | None = None
    #: how much further from neutral the second is than the first (log scale for ratios), with its interval
    further: float | None = None
    further_low: float | None = None
    further_high: float | None = None
    #: second minus first, and the sum of both distances from neutral, with their replicates
    drawn: Drawn | None = None
    total: Drawn | None = None
    #: the estimate's smallest effect of interest, which also applies to its difference
    margin: Margin | None = None
    #: why one of the two values means nothing; None if both do
    not_meaningful: str | None = None

    @property
    def name(self) -> str:
        """The estimate with its keys, as in a gate: f_s[sk]."""
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
        """Return the difference in JSON types."""
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


_NESTED = {"of_first", "of_second", "sign", "leaning", "drawn", "total", "margin"}


def differences(kind: type[AnyMeasure], rows: Paired, options: Any, names: tuple[str, str]) -> Iterator[Difference]:
    """Yield the difference in every headline estimate, not yet corrected for their number."""
    drawn = [{label(r.estimate): r for r in kind.resampled(side, options)} for side in (rows.first, rows.second)]
    for name, first in drawn[0].items():
        second = drawn[1].get(name)
        if second is not None:
            given = [kind.outcomes(side, first.estimate, options) for side in (rows.first, rows.second)]
            found = _difference(kind.leaning(first.estimate), first, second, given[0], given[1], names)
            yield replace(found, margin=kind.margin(first.estimate, options))


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
    drawn = _drawn(first, second, signs, one, binary, len(both)) if comparable else None
    whole = joint_distance(first, second) if comparable else None
    p = None if drawn is None else drawn.contrast.p
    nearer = None if p is None or whole is None or whole.contrast.p is None else max(p, whole.contrast.p)
    if (
        nearer is not None
        and drawn is not None
        and whole is not None
        and not drawn.contrast.value * whole.contrast.value
    ):
        nearer = 1.0  # both are equally far, on the same side or on opposite sides
    found = Difference(
        *names,
        first.estimate,
        second.estimate,
        leaning,
        None if drawn is None or not math.isfinite(drawn.contrast.value) else _shown(drawn.contrast.value, ratio),
        None,
        None,
        1.0 if ratio else 0.0,
        p,
        f"{MCNEMAR} and {BOOTSTRAP}" if binary and one.plain else BOOTSTRAP,
        nearer,
        signs,
        MCNEMAR if binary else SIGN,
        len(both),
        drawn=drawn,
        total=whole,
    )
    return settled([found])[0]


def _drawn(first: Resampled, second: Resampled, signs: SignTest, one: Outcomes, binary: bool, items: int) -> Drawn:
    """Return second minus first; for plain shares, p is the larger of the bootstrap's and the exact test's."""
    drawn = contrast(first, second)
    found = drawn.contrast
    if found.constant and one.reach is not None and found.low is not None:
        low, high = _at_most(found.value, one.reach, items)
        found = replace(found, low=low, high=high)
    if binary and one.plain and found.p is not None:
        found = replace(found, p=max(found.p, signs.p))
    return replace(drawn, contrast=found)


def _together(drawn: Drawn, family: Family) -> tuple[Ends | None, float | None]:
    """Return interval and p that hold for the whole family; the interval excludes 0 exactly if p is below 5 %.

    If the two would disagree, by a replicate or because an exact test is stricter, the more conservative one is used.
    """
    c = drawn.contrast
    if c.low is None or c.high is None or c.p is None:
        return None, None
    # Limits based on "none of n deviates" scale with the logarithm of the error level, others with t.
    wider = math.log(family.tail / 2) / math.log(LEVEL / 2) if c.constant else family.widening(drawn.sizes)
    low, high = (c.value + wider * (end - c.value) for end in (c.low, c.high))
    p = family.adjusted(c.p)
    if p >= LEVEL:
        return (min(low, 0.0), max(high, 0.0)), p
    return (low, high), max(p, LEVEL) if low <= 0 <= high else p


def settled(differences: Sequence[Difference], distances: Sequence[bool] | None = None) -> list[Difference]:
    """Return the differences with simultaneous intervals and p-values.

    By default the distances from neutral are a family of their own; `distances` says for each difference whether its
    distance is tested too, all in one family.
    """
    if distances is None:
        alone = Family(d.drawn.replicates for d in differences if d.drawn is not None)
        both = Family(each for d in differences for each in _both(d))
        return [_settled(d, alone, both) for d in differences]
    pairs = list(zip(differences, distances, strict=True))
    one = Family(each for d, far in pairs for each in (_both(d) if far else _both(d)[:1]))
    return [_settled(d, one, one) for d in differences]


def _both(d: Difference) -> list[Array]:
    return [each.replicates for each in (d.drawn, d.total) if each is not None]


def _settled(d: Difference, family: Family, both: Family) -> Difference:
    if d.drawn is None or d.total is None:
        return d
    ratio = d.is_ratio
    ends, p = _together(d.drawn, family)
    low, high = (None, None) if ends is None else (_shown(end, ratio) for end in ends)
    apart, joint = (_together(each, both)[0] for each in (d.drawn, d.total))
    far = further(d.drawn.contrast.value, d.total.contrast.value)
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


def _by_item(outcomes: Outcomes) -> "pd.Series[float]":
    """One number per item: the mean of its rows."""
    read = outcomes.values.dropna()
    items = outcomes.items.loc[read.index]
    return read.set_axis(items) if items.is_unique and not items.hasnans else read.groupby(items).mean()


def _binary(one: Outcomes, other: Outcomes) -> bool:
    return all(each.values.dropna().isin([0.0, 1.0]).all() for each in (one, other))


def _at_most(value: float, reach: float, items: int) -> tuple[float, float]:
    """Resampling a constant gives no interval: bound the share of items that deviate, given that none of these does."""
    room = reach * (1 - 0.025 ** (1 / items))
    return max(-reach, value - room), min(reach, value + room)


def _shown(value: float, ratio: bool) -> float:
    return math.exp(value) if ratio else value


def _numbers(estimate: Estimate) -> dict[str, Any]:
    return {k: getattr(estimate, k) for k in ("value", "low", "high", "n")}
