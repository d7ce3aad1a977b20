"""The difference between two runs, which may lie on opposite sides of the neutral point, and sentences about it."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Protocol

from genderscope.judgement.notation import label
from genderscope.judgement.verdicts import Margin, distance, distance_from
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    from genderscope.statistics.paired_comparison import Contrast, SignTest  # imports numpy

LEVEL = 0.05

#: scopes of gates: that of the verdict on a model, or these items and others like them
BENCHMARK, ITEMS = "benchmark", "items"

#: heading of a column that names the run that is significantly nearer to neutral
BETTER = "nearer to neutral"


class LeaningWords(Protocol):
    """Adjectives for values above and below the neutral point."""

    @property
    def above(self) -> str: ...
    @property
    def below(self) -> str: ...


@dataclass(frozen=True)
class WideTest:
    """Test of a difference that generalises over the factors in `over`, as the wide interval of a single run does."""

    #: the random factors, joined by a plus sign: `stereotypes+templates`
    over: str
    #: second minus first, and the sum of both distances from neutral, on the scale of the test
    contrast: "Contrast"
    total: "Contrast"
    p: float | None = None
    p_adjusted: float | None = None
    p_nearer: float | None = None
    p_nearer_adjusted: float | None = None
    low: float | None = None
    high: float | None = None
    further_low: float | None = None
    further_high: float | None = None

    @property
    def units(self) -> str:
        """The units that the test generalises over: "stereotypes and templates"."""
        return self.over.replace("+", " and ")

    def to_json(self) -> dict[str, Any]:
        """Return the test as a JSON-serialisable dictionary."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name not in _NESTED}


@dataclass(frozen=True)
class Difference:
    """Difference between two runs in one headline estimate, on the questions that both answered.

    Interval and p-values generalise to other samples of the same stereotypes and templates. `wide`, if the measure
    provides it, also generalises to other stereotypes or templates, as the verdict on a single run does; statements
    about models use it.
    """

    #: the labels of the two runs
    first: str
    second: str
    #: the estimate of each run on the shared questions
    of_first: Estimate
    of_second: Estimate
    leaning: LeaningWords
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
    sign: "SignTest"
    sign_test: str
    items: int
    p_adjusted: float | None = None
    p_nearer_adjusted: float | None = None
    #: how much further from neutral the second run is than the first (log scale for ratios), with its interval
    further: float | None = None
    further_low: float | None = None
    further_high: float | None = None
    #: second minus first, and the sum of both distances from neutral, on the scale of the test
    contrast: "Contrast | None" = None
    total: "Contrast | None" = None
    #: the largest possible difference if it is bounded, as for shares
    reach: float | None = None
    #: the estimate's smallest effect of interest, which also applies to its difference
    margin: Margin | None = None
    #: why one of the two values is not meaningful; None if both are
    not_meaningful: str | None = None
    wide: WideTest | None = None

    @property
    def for_model(self) -> "Difference | WideTest":
        """The test for statements about the models: the wide one if there is one, otherwise the narrow one."""
        return self if self.wide is None else self.wide

    def tested_over(self, scope: str) -> "Difference | WideTest":
        """Return the test for a scope: `BENCHMARK` for that of statements about models, or `ITEMS`."""
        return self.for_model if scope == BENCHMARK else self

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
        """The model that is significantly nearer to the neutral point, or None."""
        return self._nearer(self.for_model)

    @property
    def nearer_on_items(self) -> str | None:
        """The run that is significantly nearer to the neutral point on these questions and others like them."""
        return self._nearer(self)

    def _nearer(self, test: "Difference | WideTest") -> str | None:
        if self.not_meaningful or test.p_nearer_adjusted is None or test.p_nearer_adjusted >= LEVEL:
            return None
        one, other = (abs(distance(e) or 0.0) for e in (self.of_first, self.of_second))
        return self.second if other < one else self.first

    @property
    def differs(self) -> bool:
        """Whether the models differ significantly, after correction for the whole family."""
        p = self.for_model.p_adjusted
        return not self.not_meaningful and p is not None and p < LEVEL

    @property
    def differs_on_items(self) -> bool:
        """Whether the runs differ significantly on these questions and others like them."""
        return not self.not_meaningful and self.p_adjusted is not None and self.p_adjusted < LEVEL

    @property
    def negligible(self) -> bool:
        """Whether the models differ by less than the smallest effect of interest (two one-sided tests)."""
        low, high = self.for_model.low, self.for_model.high
        if self.not_meaningful or self.margin is None or low is None or high is None:
            return False
        return all(abs(distance_from(self.neutral, end)) < self.margin.distance for end in (low, high))

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
            "nearer_on_items": self.nearer_on_items,
            "differs_on_items": self.differs_on_items,
            "wide": None if self.wide is None else self.wide.to_json(),
            "margin": None if self.margin is None else self.margin.size,
            "estimate_neutral": self.of_second.neutral,
            "n": self.of_second.n,
            "of_first": {key: getattr(self.of_first, key) for key in _SHOWN},
            "of_second": {key: getattr(self.of_second, key) for key in _SHOWN},
            "sign": self.sign.to_json(),
        }


#: numbers of each run's estimate in JSON, and fields left out there
_SHOWN = ("value", "low", "high", "n")
_NESTED = {"of_first", "of_second", "sign", "leaning", "contrast", "total", "margin", "reach", "wide"}


def describe_difference(d: Difference) -> str:
    """Return a sentence on whether two runs differ, in which direction, and by how much."""
    if d.not_meaningful is not None:
        return f"{d.first} and {d.second} cannot be compared on {d.name}: {d.not_meaningful}."
    if d.value is None or d.p_adjusted is None:
        why = f" ({d.of_second.remark})" if d.of_second.remark else ""
        return (
            f"Inconclusive: {d.first} and {d.second} share too few questions to estimate a difference in {d.name}{why}."
        )
    if not d.differs and d.differs_on_items and not d.negligible and d.wide is not None:
        wide = f"{format_difference(d, d.wide)[1]}, {format_p(d.wide.p_adjusted)}"
        return (
            f"On these questions {_direction(d, d.nearer_on_items)} ({summarise_difference(d, d)}); for other "
            f"{d.wide.units} the difference is not significant ({wide})."
        )
    also = "" if d.wide is None else f", also for other {d.wide.units}"
    if not d.differs:
        bound = f", and none beyond the threshold of {d.margin}" if d.negligible else ""
        bound = f"{bound}{also}" if bound else ""
        return f"No significant difference between {d.first} and {d.second}{bound}: {summarise_difference(d)}."
    below = f", by less than the threshold of {d.margin}" if d.negligible else ""
    return f"{_direction(d, d.nearer)}{also}{below}: {summarise_difference(d)}."


def short_difference(d: Difference) -> str:
    """Return a short phrase that says how the second run differs from the first."""
    if d.not_meaningful is not None:
        return "cannot be judged"
    if d.value is None or d.p_adjusted is None:
        return "inconclusive"
    if not d.differs and d.differs_on_items and not d.negligible:
        return "differs on these questions only"
    if not d.differs:
        return f"no significant difference{', below threshold' if d.negligible else ''}"
    one, other = _distances(d)
    side = f"more {d.leaning.above if other > one else d.leaning.below}"
    where = {d.second: "nearer to neutral", d.first: "further from neutral"}.get(d.nearer or "", side)
    return f"{where}{', below threshold' if d.negligible else ''}"


def better_run(d: Difference) -> str:
    """Return the run that is significantly nearer to neutral, or a short phrase that says why neither is."""
    if d.nearer is not None or not d.differs:
        return d.nearer or short_difference(d)
    return f"neither; {d.second} is {short_difference(d)}"


def _direction(d: Difference, nearer: str | None) -> str:
    one, other = _distances(d)
    crossed = one * other < 0
    if nearer is None:
        # The runs differ, but neither is significantly nearer to neutral.
        side = d.leaning.above if other > one else d.leaning.below
        where = "they lie on opposite sides of the neutral point and " if crossed and _is_clear(d) else ""
        return f"{d.second} is more {side} than {d.first}, but {where}neither is significantly nearer to neutral"
    # Use the first run's side of the neutral point for "less", and the second run's for "more".
    how, decisive = ("less", one) if nearer == d.second else ("more", other)
    word = d.leaning.above if decisive > 0 else d.leaning.below
    text = f"{d.second} is {how} {word} than {d.first}"
    return f"{text}, but on the other side of the neutral point" if crossed and _is_clear(d) else text


def _distances(d: Difference) -> tuple[float, float]:
    return distance(d.of_first) or 0.0, distance(d.of_second) or 0.0


def _is_clear(d: Difference) -> bool:
    """Return whether both runs' own intervals exclude the neutral point."""
    return all(
        e.low is not None and e.high is not None and e.neutral is not None and not e.low <= e.neutral <= e.high
        for e in (d.of_first, d.of_second)
    )


def summarise_difference(d: Difference, test: Difference | WideTest | None = None) -> str:
    """Format a difference with its interval and p-value, e.g. "Δf_s = −0.08 [−0.11, −0.05], p = 0.002".

    These are by default those for statements about the models.
    """
    if d.value is None:
        return "–"
    test = test or d.for_model
    name = f"{d.name} of {d.second} / {d.first}" if d.is_ratio else f"Δ{d.name}"
    value, interval = format_difference(d, test)
    within = f" {interval}" if interval != "–" else ""
    return f"{name} = {value}{within}, {format_p(test.p_adjusted)}"


def format_difference(d: Difference, test: Difference | WideTest | None = None) -> tuple[str, str]:
    """Format a difference and its interval, by default the narrow one, as two table cells."""
    places, test = _places(d), test or d
    value, low, high = (
        None if v is None else _number(v, places, not d.is_ratio) for v in (d.value, test.low, test.high)
    )
    return value or "–", f"[{low}, {high}]" if low and high else "–"


def format_wide_test(d: Difference) -> tuple[str, ...]:
    """Format the interval and the adjusted p-value that generalise further; missing if there are none."""
    if d.not_meaningful is not None or d.wide is None:
        return "–", "–"
    return format_tested_difference(d, BENCHMARK)[1:]


def wide_units(differences: Iterable[Difference]) -> str | None:
    """Return the units that the wide tests of differences generalise over, or None if there are no such tests."""
    units = dict.fromkeys(d.wide.units for d in differences if d.wide is not None)
    return " or ".join(units) or None


def format_change(d: Difference) -> str:
    """Format a difference; × marks a ratio of ratios."""
    value, _ = format_difference(d)
    return f"×{value}" if d.is_ratio and d.value is not None else value


def format_tested_difference(d: Difference, scope: str = ITEMS) -> tuple[str, str, str]:
    """Format a difference, its interval and its adjusted p-value; all are missing if a value is not meaningful."""
    if d.not_meaningful is not None:
        return "–", "–", "–"
    test = d.tested_over(scope)
    return format_change(d), format_difference(d, test)[1], format_p(test.p_adjusted, "")


def explain_scopes(differences: Iterable[Difference]) -> str:
    """Explain the two intervals of a difference, if there are two."""
    units = wide_units(d for d in differences if d.not_meaningful is None)
    if units is None:
        return ""
    return (
        f" The first interval generalises to other sentences of the same kind, the second also to other {units}, as "
        "the verdict on a single run does; sentences about models use the second."
    )


def explain_ratios(differences: Iterable[Difference]) -> str:
    """Explain the mark ×, if any difference is a ratio."""
    shown = [d for d in differences if d.not_meaningful is None]
    return " × marks a ratio of ratios (1 means no difference)." if any(d.is_ratio for d in shown) else ""


def format_p(p: float | None, sign: str = "p ") -> str:
    """Format a p-value."""
    if p is None:
        return f"{sign}–"
    return f"{sign}< 0.001" if p < 0.001 else f"{sign}= {p:.3f}" if sign else f"{p:.3f}"


def _places(d: Difference) -> int:
    """Return the number of decimals that the interval's width supports, between two and four."""
    width = (d.high - d.low) if d.low is not None and d.high is not None else abs(d.value or 0.0)
    return 2 if width <= 0 else min(4, max(2, 1 - math.floor(math.log10(width / 2))))


def _number(value: float, places: int, signed: bool) -> str:
    if round(value, places) == 0:
        value = 0.0  # avoid +0.00 and −0.00
    text = f"{value:+.{places}f}" if signed and value else f"{value:.{places}f}"
    return text.replace("-", "−")
