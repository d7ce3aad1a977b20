"""Blockwise attention in a prefix tree: attention over a whole row is quadratic and mostly masked.

Nodes are in depth-first order, so a block of adjacent nodes attends only to itself and the ancestors of its first node.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.utils.import_utils import is_torch_greater_or_equal

from genderscope.models.hf.passes.texts import Array

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
