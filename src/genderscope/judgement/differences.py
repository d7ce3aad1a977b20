"""Sentences about the difference between two runs, valid on both sides of the neutral point."""

import math
from typing import Protocol

from genderscope.judgement.thresholds import Margin
from genderscope.judgement.verdicts import distance_from
from genderscope.statistics.estimate import Estimate


class Leaning(Protocol):
    """Adjectives for values above and below the neutral point."""

    @property
    def above(self) -> str: ...
    @property
    def below(self) -> str: ...


class Difference(Protocol):
    """The difference between two runs in one estimate, second minus first (or second divided by first for a ratio)."""

    @property
    def first(self) -> str: ...
    @property
    def second(self) -> str: ...
    @property
    def of_first(self) -> Estimate: ...
    @property
    def of_second(self) -> Estimate: ...
    @property
    def leaning(self) -> Leaning: ...
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...
    @property
    def p_adjusted(self) -> float | None: ...
    @property
    def margin(self) -> Margin | None: ...
    @property
    def is_ratio(self) -> bool: ...
    @property
    def differs(self) -> bool: ...
    @property
    def negligible(self) -> bool: ...
    @property
    def nearer(self) -> str | None: ...
    @property
    def not_meaningful(self) -> str | None: ...


def describe_difference(d: Difference) -> str:
    """Return a sentence on whether two runs differ, in which direction, and by how much."""
    if d.not_meaningful is not None:
        return f"{d.first} and {d.second} cannot be compared on {d.name}: {d.not_meaningful}."
    if d.value is None or d.p_adjusted is None:
        return f"Inconclusive: {d.first} and {d.second} share too few questions to estimate a difference in {d.name}."
    if not d.differs:
        bound = f", and none beyond the threshold of {d.margin}" if d.negligible else ""
        return f"No significant difference between {d.first} and {d.second}{bound}: {summarise_difference(d)}."
    below = f", by less than the threshold of {d.margin}" if d.negligible else ""
    return f"{_direction(d)}{below}: {summarise_difference(d)}."


def short_difference(d: Difference) -> str:
    """Return a short phrase that says how the second run differs from the first."""
    if d.not_meaningful is not None:
        return "not meaningful"
    if d.value is None or d.p_adjusted is None:
        return "inconclusive"
    if not d.differs:
        return f"no significant difference{', below threshold' if d.negligible else ''}"
    one, other = _distances(d)
    side = f"more {d.leaning.above if other > one else d.leaning.below}"
    where = {d.second: "nearer to neutral", d.first: "further from neutral"}.get(d.nearer or "", side)
    return f"{where}{', below threshold' if d.negligible else ''}"


def _direction(d: Difference) -> str:
    one, other = _distances(d)
    crossed = one * other < 0
    if d.nearer is None:
        # The runs differ, but neither is significantly nearer to neutral.
        side = d.leaning.above if other > one else d.leaning.below
        where = "they lie on opposite sides of the neutral point and " if crossed and _is_clear(d) else ""
        return f"{d.second} is more {side} than {d.first}, but {where}neither is significantly nearer to neutral"
    # Use the first run's side of the neutral point for "less", and the second run's for "more".
    how, decisive = ("less", one) if d.nearer == d.second else ("more", other)
    word = d.leaning.above if decisive > 0 else d.leaning.below
    text = f"{d.second} is {how} {word} than {d.first}"
    return f"{text}, but on the other side of the neutral point" if crossed and _is_clear(d) else text


def _distances(d: Difference) -> tuple[float, float]:
    one, other = (
        0.0 if e.value is None or e.neutral is None else distance_from(e.neutral, e.value)
        for e in (d.of_first, d.of_second)
    )
    return one, other


def _is_clear(d: Difference) -> bool:
    """Return whether both runs' own intervals exclude the neutral point."""
    return all(
        e.low is not None and e.high is not None and e.neutral is not None and not e.low <= e.neutral <= e.high
        for e in (d.of_first, d.of_second)
    )


def summarise_difference(d: Difference) -> str:
    """Format a difference with its interval and p-value, e.g. "Δf_s = −0.08 [−0.11, −0.05], p = 0.002"."""
    if d.value is None:
        return "–"
    name = f"{d.name} of {d.second} / {d.first}" if d.is_ratio else f"Δ{d.name}"
    value, ends = format_difference(d)
    within = f" {ends}" if ends != "–" else ""
    return f"{name} = {value}{within}, {format_p(d.p_adjusted)}"


def format_difference(d: Difference) -> tuple[str, str]:
    """Format a difference and its interval as two table cells."""
    places = _places(d)
    value, low, high = (None if v is None else _number(v, places, not d.is_ratio) for v in (d.value, d.low, d.high))
    return value or "–", f"[{low}, {high}]" if low and high else "–"


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
