"""Findings in words that claim no more than the numbers do: the size first, then a verdict against a margin.

The margin is the smallest effect of interest. An interval within it shows that there is no effect of that size (two
one-sided tests); one that excludes the neutral point shows an effect, and one beyond the margin an effect of at least
that size; anything else is too uncertain to say. Without an interval there is no verdict.
"""

import math
from collections.abc import Sequence
from typing import Literal

from genderscope.measures.effects import Margin
from genderscope.statistics.estimate import Estimate

Verdict = Literal["none", "small", "some", "large", "open"]

WORDS: dict[Verdict, str] = {
    "none": "nothing can be said",
    "small": "no effect of that size",
    "some": "an effect, perhaps below that size",
    "large": "an effect, of at least that size",
    "open": "too uncertain to say",
}
#: the same where there is room for a word only
SHORT: dict[Verdict, str] = {
    "none": "no verdict",
    "small": "below margin",
    "some": "an effect",
    "large": "beyond margin",
    "open": "uncertain",
}
#: of one that lies on the other side of the neutral point than the measure is about
AGAINST = "in the opposite direction"
OPPOSITE = "opposite"


def judged(low: float | None, high: float | None, neutral: float | None, margin: Margin | None) -> Verdict:
    """Compare an interval with the neutral point and the margin."""
    if low is None or high is None or neutral is None or not (math.isfinite(low) and math.isfinite(high)):
        return "none"
    ends = _distance(low, neutral), _distance(high, neutral)
    clear = ends[0] > 0 or ends[1] < 0
    if margin is None:
        return "some" if clear else "open"
    if -margin.distance < ends[0] and ends[1] < margin.distance:
        return "small"
    if ends[0] >= margin.distance or ends[1] <= -margin.distance:
        return "large"
    return "some" if clear else "open"


def verdict_of(e: Estimate, margin: Margin | None) -> Verdict:
    """Judge an estimate by its interval over samples."""
    return "none" if e.value is None else judged(e.low, e.high, e.neutral, margin)


def size_word(e: Estimate, margin: Margin | None) -> str:
    """Say in a word or two how large an estimate is against its margin."""
    verdict = verdict_of(e, margin)
    return f"{SHORT[verdict]}, {OPPOSITE}" if _against(verdict, e.high, e.neutral) else SHORT[verdict]


def with_interval(e: Estimate, name: str | None = None, count: str = "") -> str:
    """Write the uncertainty of a value: g_s, 95 % interval 1.08 to 1.27, neutral 1, n = 256."""
    places = _places(e)
    within = f", 95 % interval {written(e.low, places)} to {written(e.high, places)}" if e.low is not None else ""
    neutral = "" if e.neutral is None else f", neutral {e.neutral:g}"
    return f"{name or e.name}{within}{neutral}, n = {e.n:,}{count}"


def shown(e: Estimate) -> str:
    """Write the value with as many decimals as its interval supports."""
    return written(e.value, _places(e))


def in_words(e: Estimate, margin: Margin | None) -> str:
    """Say what an estimate shows, for measures without a summary of their own."""
    if e.value is None or e.low is None:
        return too_little(e, "samples")
    return f"{e.name} is {shown(e)} ({with_interval(e)}). {conclusion(e, margin)}"


def by_how_much(e: Estimate, more: str, less: str, alike: str) -> str:
    """Write a difference without its sign: `{}` in `more` or `less` is its size; `alike` if that rounds to 0."""
    size = written(abs(e.value or 0.0), _places(e))
    return alike if size == "0" else (more if (e.value or 0.0) > 0 else less).format(size)


def written(value: float | None, places: int) -> str:
    """Write a number; one that rounds to zero is 0, without sign or decimals."""
    if value is None:
        return "–"
    return "0" if round(value, places) == 0 else f"{value:.{places}f}".replace("-", "−")


def conclusion(
    e: Estimate, margin: Margin | None, *, holds: str = "", wide: str = "over other stereotypes and templates"
) -> str:
    """Say what a value shows against its margin: over samples, and over stereotypes and templates too if known.

    `holds` says where else it holds, such as in how many templates.
    """
    verdict = verdict_of(e, margin)
    if verdict == "none":
        return f"Without an interval nothing can be said about its size{_because(e)}."
    start = "Judged by its interval" if margin is None else f"Against a smallest effect of interest of {margin}"
    text = f"{start}: {_words(verdict, e.low, e.high, e.neutral)}" + (f", {holds}" if holds else "")
    if e.wide_low is None or e.wide_high is None:
        return f"{text}."
    places = _places(e)
    wider = judged(e.wide_low, e.wide_high, e.neutral, margin)
    ends = f"{written(e.wide_low, places)} to {written(e.wide_high, places)}"
    return f"{text}; {wide} ({ends}): {_words(wider, e.wide_low, e.wide_high, e.neutral)}."


def in_how_many(e: Estimate, parts: Sequence[Estimate], margin: Margin | None, what: str) -> str:
    """Say in how many parts, such as templates, the same verdict holds on the same side of the neutral point."""
    known = [part for part in parts if part.value is not None and part.low is not None]
    verdict = verdict_of(e, margin)
    if len(known) < 2 or verdict in {"none", "open"}:
        return ""
    alike = [part for part in known if _alike(verdict, e, part, margin)]
    return f"in {len(alike)} of {len(known)} {what}"


def _alike(verdict: Verdict, e: Estimate, part: Estimate, margin: Margin | None) -> bool:
    theirs = verdict_of(part, margin)
    if verdict == "small":
        return theirs == "small"
    return theirs in {"some", "large"} and _above(part) == _above(e)


def too_little(e: Estimate, what: str) -> str:
    """Say that there is no value or no interval, and why if that is known."""
    if e.value is None:
        return f"There are too few readable {what} for a value{_because(e)}."
    return f"There are too few readable {what} for an interval{_because(e)}."


def _because(e: Estimate) -> str:
    return f": {e.remark.rstrip('.')}" if e.remark else ""


def _words(verdict: Verdict, low: float | None, high: float | None, neutral: float | None) -> str:
    return f"{WORDS[verdict]} {AGAINST}" if _against(verdict, high, neutral) else WORDS[verdict]


def _against(verdict: Verdict, high: float | None, neutral: float | None) -> bool:
    return verdict in {"some", "large"} and high is not None and neutral is not None and high < neutral


def _above(e: Estimate) -> bool:
    return e.value is not None and e.neutral is not None and e.value > e.neutral


def _distance(value: float, neutral: float) -> float:
    if neutral == 1:
        return math.log(value) if value > 0 else -math.inf
    return value - neutral


def _places(e: Estimate) -> int:
    """Two decimals, or as many as the interval supports, up to six."""
    if e.low is None or e.high is None or e.value is None or not e.high > e.low:
        return 2
    return min(6, max(2, -math.floor(math.log10((e.high - e.low) / 2))))
