"""How items are cut into batches."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from genderscope.models.base import Batch

T = TypeVar("T")


def length_batches(
    items: Iterable[tuple[int, T]], length: Callable[[T], int], tokens: int, batch_size: int | None
) -> Iterable[Batch]:
    """Sort by length and cut into batches of at most `tokens` padded tokens, or of `batch_size` items."""
    group: list[tuple[int, T]] = []
    for index, item in sorted(items, key=lambda pair: (length(pair[1]), pair[0])):
        size = length(item)
        full = len(group) >= (batch_size or max(1, tokens // size))
        # Once a batch is large enough to be quick, padding costs more than another batch.
        ragged = not batch_size and len(group) * size > tokens // 4 and size > length(group[-1][1])
        if group and (full or ragged):
            yield as_batch(group)
            group = []
        group.append((index, item))
    if group:
        yield as_batch(group)


def as_batch(group: Sequence[tuple[int, Any]]) -> Batch:
    """Make a batch of pairs of question index and item."""
    return Batch(tuple(index for index, _ in group), tuple(item for _, item in group))
