"""How estimates are written: names with their keys, the papers' symbols, and as many decimals as the interval supports.

Each measure declares the symbols. Tables show them next to the names; gates and `Result.estimate` accept either.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

from genderscope.statistics.estimate import Estimate

#: a range whose ends need more decimals is rounding error
MOST_PLACES = 6


def label(estimate: Estimate) -> str:
    """Return an estimate's name with its keys: stereotype_rate[sk], honest_score[K=20, female]."""
    return f"{estimate.name}[{estimate.scope}]" if estimate.scope else estimate.name


def with_symbols(symbols: Mapping[str, str], estimates: Iterable[Estimate]) -> list[Estimate]:
    """Return a measure's estimates with their symbols; estimates that older versions named by symbol are renamed."""
    names = {symbol: name for name, symbol in symbols.items() if symbol not in symbols}
    named = [replace(e, name=names[e.name], symbol=e.name) if e.name in names else e for e in estimates]
    return [e if e.symbol or e.name not in symbols else replace(e, symbol=symbols[e.name]) for e in named]


def format_value(e: Estimate) -> str:
    """Format an estimate's value with as many decimals as its interval supports."""
    return format_number(e.value, decimals(e))


def format_number(value: float | None, places: int) -> str:
    """Format a number with `places` decimals; a number that rounds to zero becomes "0"."""
    if value is None:
        return "–"
    return "0" if round(value, places) == 0 else f"{value:.{places}f}".replace("-", "−")


def format_bounds(e: Estimate, low: float | None, high: float | None) -> str:
    """Format an interval with the estimate's decimals, e.g. "1.08 to 1.27"."""
    places = decimals(e)
    return f"{format_number(low, places)} to {format_number(high, places)}"


def format_range(low: float | None, high: float | None, places: int) -> str:
    """Format a range with `places` decimals, or with as many more as its ends need to look different."""
    while low != high and format_number(low, places) == format_number(high, places) and places < MOST_PLACES:
        places += 1
    return f"{format_number(low, places)} to {format_number(high, places)}"


def with_interval(e: Estimate, name: str | None = None, count: str = "") -> str:
    """Format the uncertainty of a value, e.g. "odds ratio g_s, 95 % interval 1.08 to 1.27, neutral 1, n = 256"."""
    within = "" if e.low is None else f", 95 % interval {format_bounds(e, e.low, e.high)}"
    neutral = "" if e.neutral is None else f", neutral {e.neutral:g}"
    return f"{name or e.in_words}{within}{neutral}, n = {e.n:,}{count}"


def decimals(e: Estimate) -> int:
    """Return the number of decimals that the interval supports, between two and six."""
    if e.low is None or e.high is None or e.value is None or not e.high > e.low:
        return 2
    return min(6, max(2, -math.floor(math.log10((e.high - e.low) / 2))))


def format_people(share: float | None) -> str:
    """Format a share as a number of people in 100, with a decimal below 1 and above 99 unless it is exact."""
    if share is None:
        return "–"
    people = round(100 * share, 6) + 0.0
    if abs(people) < 0.05:
        return "0"
    near_end = 0 < abs(people) < 1 or 99 < abs(people) < 100
    return (f"{people:.1f}" if near_end else f"{people:.0f}").replace("-", "−")
