"""The vocabulary of forward passes: texts, strategies, cached hidden states, and the interface of a model."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import torch

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class TokenizedTexts:
    """Texts as concatenated token ids with their lengths."""

    ids: Array
    lengths: Array

    @classmethod
    def of(cls, texts: Iterable[Sequence[int]]) -> "TokenizedTexts":
        """Concatenate token sequences."""
        listed = list(texts)
        lengths = np.array([len(text) for text in listed], dtype=np.int64)
        return cls(np.fromiter(chain.from_iterable(listed), dtype=np.int64, count=int(lengths.sum())), lengths)

    def __len__(self) -> int:
        return len(self.lengths)

    def __getitem__(self, selection: slice | Array) -> "TokenizedTexts":
        """Return the selected texts."""
        return self._taken(self.starts[selection], self.lengths[selection])

    def first(self, lengths: Array) -> "TokenizedTexts":
        """Return each text's prefix of the given length."""
        return self._taken(self.starts, lengths)

    def _taken(self, starts: Array, lengths: Array) -> "TokenizedTexts":
        return TokenizedTexts(
            self.ids[np.repeat(starts - _begins(lengths), lengths) + np.arange(int(lengths.sum()))], lengths
        )

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


#: shared prefixes are computed once; each token attends only to its ancestors
PREFIX_TREE = "prefix tree"
#: texts are concatenated in one row; attention stays within each text
PACKED_ROW = "one row"
#: short texts are packed into rows of equal width; attention stays within each text
PACKED_ROWS = "segments of rows"
#: only texts of equal length share a batch, so nothing is padded
EQUAL_LENGTHS = "equal lengths"
ALONE = "one text at a time"

#: logits are narrowed after the last attention, after the body, or not at all
EARLIEST, NEEDED, ALL = "soonest", "needed", "all"


class Strategy(NamedTuple):
    """A layout, the point at which logits are narrowed, and the caching of continuations.

    Keys and values are cached in the tree (`cache`) or in one row per text (`rows`). With `both`, one pass returns the
    logits of a few tokens for all texts and the normalisers for some.
    """

    layout: str
    logits: str
    cache: bool = False
    rows: bool = False
    both: bool = False

    @property
    def mixes(self) -> bool:
        """Whether texts of different lengths share a pass."""
        return self.layout in (PREFIX_TREE, PACKED_ROW, PACKED_ROWS)

    def __str__(self) -> str:
        kept = ", prefix cache" if self.cache else ", row cache" if self.rows else ""
        return f"{self.layout}, {'all' if self.logits == ALL else 'needed'} logits{kept}"


#: one text alone, without padding, as the model's authors run it; every other strategy must reproduce it
REFERENCE = Strategy(ALONE, ALL)


#: number of passes to cache: a check runs at most two, the one with the longest text and the largest one
MOST_CACHED = 2


@dataclass
class CachedPass:
    """A pass over texts and, once it has run, the input of its head: the hidden states in a module's output."""

    strategy: Strategy
    texts: TokenizedTexts
    hidden: torch.Tensor | None = None
    module: Any = None
    output: Any = None


@dataclass
class HiddenStateCache:
    """The most recent passes of exactness checks."""

    passes: list[CachedPass] = field(default_factory=list)

    def of(self, strategy: Strategy, texts: TokenizedTexts, keep: bool) -> CachedPass | None:
        """Return the cached pass over these texts, or None; with `keep`, add an entry if the strategy mixes lengths."""
        if not strategy.mixes or not keep:
            return self.find(strategy, texts)
        self.passes = [*self.passes, CachedPass(strategy, texts)][-MOST_CACHED:]
        return self.passes[-1]

    def find(self, strategy: Strategy, texts: TokenizedTexts) -> CachedPass | None:
        """Return the cached pass over exactly these texts, or None."""
        for kept in self.passes:
            alike = kept.strategy == strategy and np.array_equal(kept.texts.lengths, texts.lengths)
            if alike and kept.hidden is not None and np.array_equal(kept.texts.ids, texts.ids):
                return kept
        return None

    def forget(self) -> None:
        """Empty the cache."""
        self.passes.clear()


class LogitsModel(Protocol):
    """A loaded language model that computes logits at given positions of texts."""

    name: str
    #: the transformers model
    model: Any
    device: torch.device
    dtype: torch.dtype
    #: an `ExactnessCheck`
    exactness: Any
    #: hidden states cached by exactness checks
    hidden_states: HiddenStateCache

    @property
    def longest(self) -> int: ...

    @property
    def tokens_per_pass(self) -> int: ...

    def without_gradients(self) -> AbstractContextManager[Any]: ...

    def array(self, values: npt.NDArray[Any]) -> torch.Tensor: ...

    def tensor(self, values: Iterable[int]) -> torch.Tensor: ...

    def logits_of(
        self,
        strategy: Strategy,
        texts: TokenizedTexts,
        which: Array,
        places: Array,
        tokens: torch.Tensor | None,
        keep: bool = False,
    ) -> torch.Tensor: ...
