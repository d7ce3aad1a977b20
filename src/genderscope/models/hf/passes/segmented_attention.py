"""Lets concatenated texts share one row without attending to each other, so that none needs padding.

While the row is processed, the model's attention is replaced by one that stays within each text.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS


@dataclass(frozen=True)
class Ends:
    """The end of each text in its row, starting with a zero, and the length of the longest."""

    ends: torch.Tensor
    longest: int


@contextmanager
def segmented_attention(ends: Ends) -> Iterator[None]:
    """Within, a model's attention in its one row stays within each text; a model with its own attention is refused."""
    asked = False

    def attend(*args: Any, **kwargs: Any) -> tuple[torch.Tensor, None]:
        nonlocal asked
        asked = True
        return _attend(ends, *args, **kwargs)

    ALL_ATTENTION_FUNCTIONS["sdpa"] = attend
    try:
        yield
    finally:
        del ALL_ATTENTION_FUNCTIONS["sdpa"]  # type: ignore[no-untyped-call] # only what was put in its place here
    if not asked:
        raise NotImplementedError("the model has its own attention, in which the texts have seen each other")


def _attend(
    ends: Ends,
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    scaling: float | None = None,
    **kwargs: Any,
) -> tuple[torch.Tensor, None]:
    if attention_mask is not None or kwargs.get("sliding_window") or kwargs.get("position_bias") is not None:
        raise NotImplementedError("attention other than plain full attention")
    if len(query) > 1 or key.shape != query.shape:
        raise NotImplementedError("several rows, or shared key-value heads")
    if scaling is not None and not math.isclose(scaling, query.shape[-1] ** -0.5):
        query = query * (scaling * query.shape[-1] ** 0.5)
    within = _on_card if query.is_cuda else _anywhere
    return within(query[0], key[0], value[0], ends)[None], None


def _on_card(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, ends: Ends) -> torch.Tensor:
    """Attend within texts with the variable-length kernel: [heads, tokens, size] gives [tokens, heads, size]."""
    query, key, value = (part.transpose(0, 1) for part in (query, key, value))
    places, longest = ends.ends.to(query.device), ends.longest
    # The operator behind `torch.nn.attention.varlen.varlen_attn`, which takes five times as long on the host; if torch
    # lacks it, the trials notice when the model is loaded, and another layout is used.
    found: torch.Tensor = torch.ops.aten._flash_attention_forward(
        query, key, value, places, places, longest, longest, 0.0, False, False
    )[0]
    return found


def _anywhere(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, ends: Ends) -> torch.Tensor:
    """The same with a mask; slower, since all pairs of tokens are computed."""
    text = torch.bucketize(torch.arange(query.shape[1], device=query.device), ends.ends, right=True)
    mask = text[:, None] == text
    return torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask).transpose(0, 1)
