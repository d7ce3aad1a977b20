"""Terminal tables of correlations across models."""

from genderscope.report.layout import PlainTable, plain_table
from genderscope.statistics.correlation import Correlation

NUMBERS = ("r", "95 % (Fisher)", "n", "p", "leave-one-out range")


def correlation_table(*first: str) -> PlainTable:
    """Create a table with the given first columns, followed by the correlation columns."""
    return plain_table(first, NUMBERS, optional=("leave-one-out range",))


def correlation_cells(correlation: Correlation) -> tuple[str, ...]:
    """Return a correlation's cells."""
    if correlation.r != correlation.r:  # NaN: one of the variables is constant across models
        return ("–",) * len(NUMBERS)
    p = "–" if correlation.p is None else "< 0.0001" if correlation.p < 0.0001 else f"{correlation.p:.4f}"
    ranges = _range(correlation.fisher), _range(correlation.without_one)
    return f"{correlation.r:.3f}", ranges[0], str(correlation.n), p, ranges[1]


def _range(ends: tuple[float, float] | None) -> str:
    return "–" if ends is None else f"[{ends[0]:.2f}, {ends[1]:.2f}]"
