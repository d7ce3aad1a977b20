"""`--limit`: fewer samples of a set, spread evenly over it, so that a set sorted by stratum keeps them all."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def evenly(items: Sequence[T], count: int | None) -> tuple[T, ...]:
    """Return `count` of the items at equal distances; all where there are no more, or no count is given."""
    if count is None or count >= len(items):
        return tuple(items)
    return tuple(items[k * len(items) // count] for k in range(count))


def limits(items: Sequence[object], limit: int | None) -> bool:
    """Tell whether a limit leaves something out; the name of what is left says so."""
    return limit is not None and limit < len(items)
