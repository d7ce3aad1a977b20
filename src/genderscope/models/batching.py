"""Splits items into batches."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from genderscope.models.base import Batch

T = TypeVar("T")
Array = npt.NDArray[np.int64]


def length_batches(
    items: Iterable[tuple[int, T]], length: Callable[[T], int], tokens: int, batch_size: int | None
) -> Iterable[Batch]:
    """Sort by length and split into batches of at most `tokens` padded tokens, or of `batch_size` items."""
    listed = list(items)
    for chosen in by_length(np.array([length(item) for _, item in listed], dtype=np.int64), tokens, batch_size):
        yield as_batch([listed[k] for k in chosen.tolist()])


def by_length(lengths: Array, tokens: int, batch_size: int | None) -> Iterator[Array]:
    """Sort texts by length and yield those of each batch: at most `tokens` with padding, or `batch_size` texts."""
    order = np.argsort(lengths, kind="stable")
    for start, stop in _cuts(lengths[order].tolist(), tokens, batch_size):
        yield order[start:stop]


def _cuts(lengths: Sequence[int], tokens: int, batch_size: int | None) -> Iterator[tuple[int, int]]:
    """Split texts of increasing lengths; yield where each batch starts and stops."""
    start = 0
    for k, size in enumerate(lengths):
        full = k - start >= (batch_size or max(1, tokens // size))
        # Once a batch is large enough to be efficient, padding costs more than another batch.
        ragged = not batch_size and (k - start) * size > tokens // 4 and size > lengths[k - 1]
        if k > start and (full or ragged):
            yield start, k
            start = k
    if start < len(lengths):
        yield start, len(lengths)


def as_batch(group: Sequence[tuple[int, Any]]) -> Batch:
    """Make a batch from pairs of question index and item."""
    return Batch(tuple(index for index, _ in group), tuple(item for _, item in group))
