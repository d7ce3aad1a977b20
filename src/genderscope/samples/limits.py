"""`--limit`: a subset of the samples, spread evenly over the set, so that a sorted set keeps all its strata."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def evenly(items: Sequence[T], count: int | None) -> tuple[T, ...]:
    """Return `count` items at equal distances; all of them if there are no more or `count` is None."""
    if count is None or count >= len(items):
        return tuple(items)
    return tuple(items[k * len(items) // count] for k in range(count))


def limits(items: Sequence[object], limit: int | None) -> bool:
    """Return whether a limit leaves anything out; the name of the set then says so."""
    return limit is not None and limit < len(items)
