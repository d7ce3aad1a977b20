"""`--limit`: fewer samples of a set, chosen by stratum, so that none is left with too few by chance."""

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

T = TypeVar("T")


def evenly(items: Sequence[T], count: int | None) -> tuple[T, ...]:
    """Return `count` items at equal distances; all of them if there are no more or `count` is None."""
    if count is None or count >= len(items):
        return tuple(items)
    return tuple(items[k * len(items) // count] for k in range(count))


def by_stratum(
    items: Sequence[T], count: int | None, stratum: Callable[[T], Hashable], equal: bool = False
) -> tuple[T, ...]:
    """Return `count` of the items in their order, from each stratum in proportion to its size.

    `equal` takes the same number from each as far as it has so many, for estimates in which strata weigh the same.
    Within a stratum they lie at equal distances, beginning one later in every stratum: where strata repeat the same
    series of sentences, as templates do, all of the series is covered.
    """
    if count is None or count >= len(items):
        return tuple(items)
    places: dict[Hashable, list[int]] = {}
    for place, item in enumerate(items):
        places.setdefault(stratum(item), []).append(place)
    sizes = [len(each) for each in places.values()]
    shares = _equal(sizes, count) if equal else _proportional(sizes, count)
    kept: list[int] = []
    for number, (each, share) in enumerate(zip(places.values(), shares, strict=True)):
        kept += (each[(k * len(each) // share + number) % len(each)] for k in range(share))
    return tuple(items[place] for place in sorted(kept))


def _proportional(sizes: Sequence[int], count: int) -> list[int]:
    """Share `count` out in proportion; what is left over goes to the strata at equal distances."""
    total, before, shares = sum(sizes), 0, []
    for size in sizes:
        shares.append((before + size) * count // total - before * count // total)
        before += size
    return shares


def _equal(sizes: Sequence[int], count: int) -> list[int]:
    """Share `count` out one by one: to every stratum that has more, in turns that begin at equal distances."""
    shares = [0] * len(sizes)
    while count:
        open_ = [k for k, size in enumerate(sizes) if shares[k] < size]
        for k in evenly(open_, count):
            shares[k] += 1
        count -= min(count, len(open_))
    return shares


def limits(items: Sequence[object], limit: int | None) -> bool:
    """Return whether a limit leaves anything out; the name of the set then says so."""
    return limit is not None and limit < len(items)
