"""Correlations over models, on the terminal."""

from genderscope.report.layout import PlainTable, plain_table
from genderscope.statistics.correlation import Correlation

NUMBERS = ("r", "95 % (Fisher)", "n", "p", "without one model")


def correlation_table(*first: str) -> PlainTable:
    """Start a table whose first columns are these, followed by a correlation's numbers."""
    return plain_table(first, NUMBERS, yields=("without one model",))


def correlation_cells(found: Correlation) -> tuple[str, ...]:
    """Write a correlation's numbers for people."""
    if found.r != found.r:  # NaN: one of the measures is the same for all models
        return ("–",) * len(NUMBERS)
    p = "–" if found.p is None else "< 0.0001" if found.p < 0.0001 else f"{found.p:.4f}"
    return f"{found.r:.3f}", _range(found.fisher), str(found.n), p, _range(found.without_one)


def _range(ends: tuple[float, float] | None) -> str:
    return "–" if ends is None else f"[{ends[0]:.2f}, {ends[1]:.2f}]"
