"""What a difference means, in words that hold on both sides of the neutral point."""

import math
from typing import TYPE_CHECKING

from genderscope.comparison.labels import distance

if TYPE_CHECKING:
    from genderscope.comparison.difference import Difference


def verdict(difference: "Difference") -> str:
    """Say in one sentence whether two runs differ, in which direction, and by how much."""
    d = difference
    if d.value is None or d.p_adjusted is None:
        return f"Whether {d.first} and {d.second} differ in {d.name} cannot be told: too few questions were shared."
    if not d.differs:
        nor = f", and none as large as {d.margin}" if d.negligible else ""
        return f"No difference between {d.first} and {d.second} can be told from chance{nor}: {effect(d)}."
    small = f", though by less than {d.margin}, the smallest effect of interest" if d.negligible else ""
    return f"{_finding(d)}{small}: {effect(d)}."


def verdict_word(d: "Difference") -> str:
    """Say in a few words what a difference of the second run from the first means."""
    if d.value is None or d.p_adjusted is None:
        return "cannot be told"
    if not d.differs:
        return f"no difference told{', none as large as the margin' if d.negligible else ''}"
    one, other = (distance(e) or 0.0 for e in (d.of_first, d.of_second))
    side = f"more {d.leaning.above if other > one else d.leaning.below}"
    where = {d.second: "nearer to neutral", d.first: "further from neutral"}.get(d.nearer or "", side)
    return f"{where}{', by less than the margin' if d.negligible else ''}"


def _finding(d: "Difference") -> str:
    one, other = (distance(e) or 0.0 for e in (d.of_first, d.of_second))
    crossed = one * other < 0
    if d.nearer is None:
        # They differ, but it is unclear whether the second is nearer to neutral or further away.
        side = d.leaning.above if other > one else d.leaning.below
        where = "they lie on different sides of the neutral point and " if crossed and _clear(d) else ""
        return f"{d.second} is the more {side} of the two, but {where}which is nearer to neutral cannot be told"
    # Either less than the first, on the first's side of the neutral point, or more, on its own side.
    how, decisive = ("less", one) if d.nearer == d.second else ("more", other)
    word = d.leaning.above if decisive > 0 else d.leaning.below
    text = f"{d.second} is {how} {word} than {d.first}"
    return f"{text}, though on the other side of the neutral point" if crossed and _clear(d) else text


def _clear(d: "Difference") -> bool:
    """Whether both runs' own intervals exclude the neutral point, so that they do lie on different sides."""
    return all(
        e.low is not None and e.high is not None and e.neutral is not None and not e.low <= e.neutral <= e.high
        for e in (d.of_first, d.of_second)
    )


def effect(d: "Difference") -> str:
    """Write the difference with its interval and p: Δf_s = −0.08 [−0.11, −0.05], p = 0.002."""
    if d.value is None:
        return "–"
    places = _places(d)
    name = f"{d.name} of {d.second} / {d.first}" if d.is_ratio else f"Δ{d.name}"
    value, *ends = (_number(v, places, not d.is_ratio) for v in (d.value, d.low, d.high) if v is not None)
    within = f" [{', '.join(ends)}]" if len(ends) == 2 else ""
    return f"{name} = {value}{within}, {p_text(d.p_adjusted)}"


def interval_text(d: "Difference") -> tuple[str, str]:
    """Write value and interval for a table."""
    places = _places(d)
    cells = [None if v is None else _number(v, places, not d.is_ratio) for v in (d.value, d.low, d.high)]
    return cells[0] or "–", f"[{cells[1]}, {cells[2]}]" if cells[1] and cells[2] else "–"


def p_text(p: float | None, sign: str = "p ") -> str:
    """Write a p-value."""
    if p is None:
        return f"{sign}–"
    return f"{sign}< 0.001" if p < 0.001 else f"{sign}= {p:.3f}" if sign else f"{p:.3f}"


def _places(d: "Difference") -> int:
    """As many decimals as the interval's width supports, from two to four."""
    width = (d.high - d.low) if d.low is not None and d.high is not None else abs(d.value or 0.0)
    return 2 if width <= 0 else min(4, max(2, 1 - math.floor(math.log10(width / 2))))


def _number(value: float, places: int, signed: bool) -> str:
    if round(value, places) == 0:
        value = 0.0  # neither +0.00 nor −0.00
    text = f"{value:+.{places}f}" if signed and value else f"{value:.{places}f}"
    return text.replace("-", "−")
