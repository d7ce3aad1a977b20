"""Attention within each of several texts concatenated in one row, so that nothing is padded."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import torch

from genderscope.models.hf.passes.sdpa_override import attending
from genderscope.models.hf.passes.texts import Array


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
    within = _Within(ends)
    with attending(within):
        yield
    if not within.asked:
        raise NotImplementedError("the model uses its own attention, in which texts attend to each other")


@dataclass
class _Within:
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
