"""Splitting items into batches."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any, TypeVar

from genderscope.models.base import Batch

T = TypeVar("T")


def length_batches(
    items: Iterable[tuple[int, T]], length: Callable[[T], int], tokens: int, batch_size: int | None
) -> Iterable[Batch]:
    """Sort items by length and split them into batches of at most `tokens` padded tokens, or of `batch_size` items."""
    listed = sorted(((length(item), index, item) for index, item in items), key=itemgetter(0))
    for start, stop in _cuts([size for size, _, _ in listed], tokens, batch_size):
        yield as_batch([(index, item) for _, index, item in listed[start:stop]])


def _cuts(lengths: Sequence[int], tokens: int, batch_size: int | None) -> Iterator[tuple[int, int]]:
    """Yield the start and stop index of each batch, given lengths in increasing order."""
    start = 0
    for k, size in enumerate(lengths):
        full = k - start >= (batch_size or max(1, tokens // size))
        # Once a batch is large enough to be efficient, padding costs more than starting another batch.
        ragged = not batch_size and (k - start) * size > tokens // 4 and size > lengths[k - 1]
        if k > start and (full or ragged):
            yield start, k
            start = k
    if start < len(lengths):
        yield start, len(lengths)


def as_batch(group: Sequence[tuple[int, Any]]) -> Batch:
    """Make a batch from (question index, item) pairs."""
    return Batch(tuple(index for index, _ in group), tuple(item for _, item in group))
