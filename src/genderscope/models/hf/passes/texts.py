"""Tokenized texts stored as two flat arrays, for vectorised processing of thousands of texts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Texts:
    """Texts as concatenated token ids with their lengths."""

    ids: Array
    lengths: Array

    @classmethod
    def of(cls, texts: Iterable[Sequence[int]]) -> "Texts":
        """Concatenate token sequences."""
        listed = list(texts)
        lengths = np.array([len(text) for text in listed], dtype=np.int64)
        return cls(np.fromiter(chain.from_iterable(listed), dtype=np.int64, count=int(lengths.sum())), lengths)

    def __len__(self) -> int:
        return len(self.lengths)

    def __getitem__(self, chosen: slice | Array) -> "Texts":
        """Return the selected texts."""
        return self._taken(self.starts[chosen], self.lengths[chosen])

    def first(self, lengths: Array) -> "Texts":
        """Return each text's prefix of the given length."""
        return self._taken(self.starts, lengths)

    def _taken(self, starts: Array, lengths: Array) -> "Texts":
        return Texts(self.ids[np.repeat(starts - _begins(lengths), lengths) + np.arange(int(lengths.sum()))], lengths)

    @cached_property
    def starts(self) -> Array:
        """The start of each text in `ids`."""
        return _begins(self.lengths)

    def table(self, fill: int = 0) -> Array:
        """Return a table with one text per row, padded on the right."""
        rows = np.full((len(self), int(self.lengths.max())), fill, dtype=self.ids.dtype)
        rows[np.arange(rows.shape[1]) < self.lengths[:, None]] = self.ids
        return rows

    def order(self) -> Array:
        """Return an order in which texts with a common prefix are adjacent, shorter texts first."""
        numbers = self.ids.astype(">u4").tobytes()  # big-endian bytes sort like the numbers they encode
        ends = np.cumsum(self.lengths).tolist()
        keys = [numbers[4 * start : 4 * end] for start, end in zip(self.starts.tolist(), ends, strict=True)]
        return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)

    def last_longest(self) -> int:
        """Return the index of the last of the longest texts."""
        return len(self) - 1 - int(np.argmax(self.lengths[::-1]))

    def in_common(self) -> Array:
        """Return the length of the prefix that each text shares with its predecessor."""
        common_lengths = [np.zeros(1, dtype=np.int64)]
        for start in range(0, len(self) - 1, _CHUNK):  # in chunks, so that one long text does not blow up the table
            part = self[start : start + _CHUNK + 1]
            rows, most = part.table(), np.minimum(part.lengths[1:], part.lengths[:-1])
            alike = (rows[1:] == rows[:-1]) & (np.arange(rows.shape[1]) < most[:, None])
            common_lengths.append(np.minimum.accumulate(alike, axis=1).sum(axis=1))
        return np.concatenate(common_lengths)


_CHUNK = 1000


def _begins(lengths: Array) -> Array:
    return np.cumsum(lengths) - lengths
