"""Subsampling for `--limit`, stratified so that no stratum ends up with too few samples."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

T = TypeVar("T")


def evenly(items: Sequence[T], count: int | None) -> tuple[T, ...]:
    """Return `count` evenly spaced items, or all items if there are fewer or `count` is None."""
    if count is None or count >= len(items):
        return tuple(items)
    return tuple(items[k * len(items) // count] for k in range(count))


def by_stratum(
    items: Sequence[T], count: int | None, stratum: Callable[[T], Hashable], equal: bool = False
) -> tuple[T, ...]:
    """Return `count` items in their original order, sampled from each stratum in proportion to its size.

    `equal` samples the same number from each stratum where possible, for estimates that weight strata equally. Items
    are evenly spaced within a stratum, with an offset that differs between strata, so that strata that repeat the same
    sentences (such as templates) jointly cover all sentences.
    """
    if count is None or count >= len(items):
        return tuple(items)
    places: dict[Hashable, list[int]] = {}
    for place, item in enumerate(items):
        places.setdefault(stratum(item), []).append(place)
    sizes = [len(indices) for indices in places.values()]
    shares = _equal(sizes, count) if equal else _proportional(sizes, count)
    kept: list[int] = []
    for number, (indices, share) in enumerate(zip(places.values(), shares, strict=True)):
        kept += (indices[(k * len(indices) // share + number) % len(indices)] for k in range(share))
    return tuple(items[place] for place in sorted(kept))


def in_strata(
    stratum: Callable[[T], Hashable], equal: bool = False
) -> Callable[[Sequence[T], int | None], tuple[T, ...]]:
    """Return `by_stratum` for these strata."""
    return lambda items, count: by_stratum(items, count, stratum, equal)


def spread(items: Sequence[T], count: int | None, rank: Callable[[T], Any]) -> tuple[T, ...]:
    """Return `count` items in their original order, which are evenly spaced in the order of their ranks."""
    places = sorted(range(len(items)), key=lambda place: rank(items[place]))
    return tuple(items[place] for place in sorted(evenly(places, count)))


def _proportional(sizes: Sequence[int], count: int) -> list[int]:
    """Divide `count` in proportion to the sizes; the remainder goes to evenly spaced strata."""
    total, before, shares = sum(sizes), 0, []
    for size in sizes:
        shares.append((before + size) * count // total - before * count // total)
        before += size
    return shares


def _equal(sizes: Sequence[int], count: int) -> list[int]:
    """Divide `count` equally among strata with enough items; the remainder goes to evenly spaced strata."""
    shares = [0] * len(sizes)
    while count:
        open_ = [k for k, size in enumerate(sizes) if shares[k] < size]
        for k in evenly(open_, count):
            shares[k] += 1
        count -= min(count, len(open_))
    return shares
