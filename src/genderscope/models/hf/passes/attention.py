"""Attention functions for texts that share rows, used in place of transformers' "sdpa" while a pass runs."""

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import torch
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS
from transformers.utils.import_utils import is_torch_greater_or_equal

from genderscope.models.hf.passes.base import Array

#: the signature of `sdpa_attention_forward`: module, query, key, value, mask and settings -> (output, None)
Attention = Callable[..., tuple[torch.Tensor, None]]


class _Pass(threading.local):
    """Attention function of the current thread; other threads may be running other models."""

    attend: Attention = staticmethod(sdpa_attention_forward)


class _InPlaceOfSdpa:
    """Context manager that registers `_attend` as "sdpa" while any thread needs it."""

    def __init__(self) -> None:
        self.lock, self.threads = threading.Lock(), 0

    def __enter__(self) -> None:
        with self.lock:
            self.threads += 1
            ALL_ATTENTION_FUNCTIONS["sdpa"] = _attend

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.threads -= 1
            if not self.threads:
                del ALL_ATTENTION_FUNCTIONS["sdpa"]  # type: ignore[no-untyped-call] # removes only our entry


_pass = _Pass()
_in_place_of_sdpa = _InPlaceOfSdpa()


@contextmanager
def attending(attend: Attention) -> Iterator[None]:
    """Use this attention function in the current thread; has no effect on models with their own attention."""
    _pass.attend = attend
    try:
        with _in_place_of_sdpa:
            yield
    finally:
        _pass.attend = sdpa_attention_forward


def _attend(*args: Any, **kwargs: Any) -> tuple[torch.Tensor, None]:
    return _pass.attend(*args, **kwargs)


class Run(NamedTuple):
    """Adjacent texts of equal length in a row: start and end columns, and the length of each text."""

    begin: int
    end: int
    length: int


@dataclass(frozen=True)
class Ends:
    """The lengths of the texts in a row, and their cumulative sum with a leading zero."""

    lengths: Array
    ends: torch.Tensor

    @cached_property
    def longest(self) -> int:
        """The length of the longest text."""
        return int(self.lengths.max())

    @cached_property
    def runs(self) -> list[Run]:
        """The maximal runs of adjacent texts of equal length."""
        cuts = [0, *(np.flatnonzero(np.diff(self.lengths)) + 1).tolist(), len(self.lengths)]
        places = np.append(0, self.lengths.cumsum())[cuts].tolist()
        return [
            Run(begin, end, int(self.lengths[first]))
            for begin, end, first in zip(places[:-1], places[1:], cuts[:-1], strict=True)
        ]


@contextmanager
def segmented_attention(ends: Ends) -> Iterator[None]:
    """Make tokens attend only to their own text in the row; raise if the model bypasses this attention function."""
    within = _SegmentedAttention(ends)
    with attending(within):
        yield
    if not within.asked:
        raise NotImplementedError("the model uses its own attention, in which texts attend to each other")


@dataclass
class _SegmentedAttention:
    """Attention function that makes tokens attend only to their own text in a row."""

    ends: Ends
    asked: bool = False

    def __call__(
        self,
        _module: Any,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        attention_mask: torch.Tensor | None,
        scaling: float | None = None,
        **kwargs: Any,
    ) -> tuple[torch.Tensor, None]:
        self.asked = True
        if attention_mask is not None or kwargs.get("sliding_window") or kwargs.get("position_bias") is not None:
            raise NotImplementedError("only plain full attention is supported")
        if len(query) > 1 or key.shape != query.shape:
            raise NotImplementedError("several rows and shared key-value heads are not supported")
        if scaling is not None and not math.isclose(scaling, query.shape[-1] ** -0.5):
            query = query * (scaling * query.shape[-1] ** 0.5)
        within = _on_gpu if query.is_cuda else _anywhere
        return within(query[0], key[0], value[0], self.ends)[None], None


def _on_gpu(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, ends: Ends) -> torch.Tensor:
    """Attend within texts with the variable-length kernel: [heads, tokens, size] -> [tokens, heads, size]."""
    query, key, value = (part.transpose(0, 1) for part in (query, key, value))
    places, longest = ends.ends.to(query.device), ends.longest
    # This operator underlies `torch.nn.attention.varlen.varlen_attn`, which takes five times as long on the host. If
    # torch lacks it, the exactness check fails and another layout is used.
    output: torch.Tensor = torch.ops.aten._flash_attention_forward(
        query, key, value, places, places, longest, longest, 0.0, False, False
    )[0]
    return output


def _anywhere(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, ends: Ends) -> torch.Tensor:
    """Attend within texts with one call per run of equal lengths, without padding or masks."""
    heads, _, size = query.shape
    output = torch.empty(query.shape[1], heads, size, dtype=query.dtype, device=query.device)
    for begin, end, length in ends.runs:
        q, k, v = (part[:, begin:end].reshape(heads, -1, length, size).transpose(0, 1) for part in (query, key, value))
        here = torch.nn.functional.scaled_dot_product_attention(q, k, v)
        output[begin:end] = here.transpose(1, 2).reshape(-1, heads, size)
    return output


#: nodes per block: torch's attention kernel processes 32 queries at a time
SIZE = 32
#: blocks pay off if a node attends to at most this fraction of its row
SHARE = 0.7
#: arguments that make attention depend on more than queries, keys, values and mask
_MORE = ("position_bias", "cache", "softcap")
#: whether torch supports grouped-query attention (fewer key heads than query heads)
_GROUPS = is_torch_greater_or_equal("2.5")


@dataclass(frozen=True)
class Blocks:
    """The blocks of all rows: the nodes that each block attends to (`keys`), and the additive mask.

    `sees` pairs each node, numbered across rows of this width, with the nodes in its row that it attends to.
    """

    width: int
    keys: torch.Tensor
    mask: torch.Tensor
    sees: tuple[Array, Array]

    @classmethod
    def of(cls, ends: Array, dtype: torch.dtype) -> "Blocks | None":
        """Split rows into blocks, given the end of each node's descendants; return None if blocks would not pay off."""
        rows, width = ends.shape
        count = -(-width // SIZE)
        size = -(-width // count)
        own = np.arange(count * size).reshape(count, size)
        first = own[:, :1]
        above = (np.arange(width) < first) & (ends[:, None] > first)
        most = int(above.sum(-1).max())
        if most + size > SHARE * width:
            return None
        line = np.argsort(~above, axis=-1, kind="stable")[..., :most]  # ancestors first, starting at the root
        filled = (rows, count, size)
        keys = np.concatenate([line, np.broadcast_to(np.minimum(own, width - 1), filled)], axis=-1)
        meant = np.concatenate([np.take_along_axis(above, line, -1), np.broadcast_to(own < width, filled)], axis=-1)
        end = np.take_along_axis(ends, keys.reshape(rows, -1), 1).reshape(keys.shape)
        node = own[:, :, None]
        seen = meant[:, :, None] & (keys[:, :, None] <= node) & (end[:, :, None] > node)
        row, block, place, which = np.nonzero(seen)
        sees = row * width + own[block, place], keys[row, block, which]
        seen |= node >= width  # padding of the last block
        mask = torch.zeros(seen.shape, dtype=dtype)
        mask.masked_fill_(torch.from_numpy(~seen), torch.finfo(dtype).min)
        keys = keys + width * np.arange(rows)[:, None, None]
        return cls(width, torch.from_numpy(keys).flatten(0, 1), mask.flatten(0, 1), sees)

    @cached_property
    def whole(self) -> torch.Tensor:
        """The equivalent mask over whole rows, which is passed to the model."""
        rows = len(self.mask) // -(-self.width // self.mask.shape[1])
        whole = torch.full((rows * self.width, self.width), torch.finfo(self.mask.dtype).min, dtype=self.mask.dtype)
        whole[tuple(map(torch.from_numpy, self.sees))] = 0.0
        return whole.view(rows, 1, self.width, self.width)

    def attend(
        self,
        module: Any,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        attention_mask: torch.Tensor | None,
        scaling: float | None = None,
        **kwargs: Any,
    ) -> tuple[torch.Tensor, None]:
        """Attend blockwise if the mask is the tree's own; otherwise fall back to torch's attention."""
        rows, heads, width, _ = query.shape
        plain = not kwargs.get("dropout") and all(kwargs.get(name) is None for name in _MORE)
        same = attention_mask is not None and _memory(attention_mask) == _memory(self.whole) and key.shape[2] == width
        group = getattr(module, "num_key_value_groups", 1)  # query heads per key head
        if not plain or not same or key.shape[1] * group != heads or (group > 1 and not _GROUPS):
            return sdpa_attention_forward(module, query, key, value, attention_mask, scaling=scaling, **kwargs)
        blocks, size, _ = self.mask.shape
        more = blocks // rows * size - width
        nodes = query.transpose(1, 2)
        filled = torch.cat([nodes, nodes[:, :more]], dim=1) if more else nodes
        output = torch.nn.functional.scaled_dot_product_attention(
            filled.reshape(blocks, size, heads, -1).transpose(1, 2),
            self._seen(key),
            self._seen(value),
            attn_mask=self.mask[:, None],
            scale=scaling,
            **({"enable_gqa": True} if group > 1 else {}),
        )
        together = output.transpose(1, 2).reshape(rows, width + more, heads, -1)
        return together[:, :width].contiguous(), None

    def _seen(self, parts: torch.Tensor) -> torch.Tensor:
        """Gather the keys or values that each block attends to: [blocks, heads, nodes, dimensions]."""
        by_node = parts.transpose(1, 2)
        if by_node.is_contiguous():  # a node's heads are adjacent in memory
            nodes = by_node.flatten(0, 1).index_select(0, self.keys.flatten())
            return nodes.view(*self.keys.shape, *nodes.shape[1:]).transpose(1, 2)
        heads = parts.transpose(0, 1).flatten(1, 2).index_select(1, self.keys.flatten())
        return heads.view(len(heads), *self.keys.shape, -1).transpose(0, 1)


def _memory(mask: torch.Tensor) -> tuple[Any, ...]:
    """Return the memory address, shape, strides and dtype of a tensor."""
    return mask.data_ptr(), mask.shape, mask.stride(), mask.dtype
