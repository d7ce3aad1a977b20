"""Lets a pass attend in a way of its own: what transformers calls "sdpa" is ours while any thread needs it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

#: what `sdpa_attention_forward` is: module, query, key, value, mask and settings to output and no weights
Attention = Callable[..., tuple[torch.Tensor, None]]


class _Pass(threading.local):
    """How the pass of a thread attends: other threads may run other models meanwhile."""

    attend: Attention = staticmethod(sdpa_attention_forward)


class _InPlaceOfSdpa:
    """Puts our attention in the place of torch's while any thread needs it."""

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
                del ALL_ATTENTION_FUNCTIONS["sdpa"]  # type: ignore[no-untyped-call] # only what was put in its place here


_pass = _Pass()
_in_place_of_sdpa = _InPlaceOfSdpa()


@contextmanager
def attending(attend: Attention) -> Iterator[None]:
    """Within, models of this thread attend like this, unless they have an attention of their own."""
    _pass.attend = attend
    try:
        with _in_place_of_sdpa:
            yield
    finally:
        _pass.attend = sdpa_attention_forward


def _attend(*args: Any, **kwargs: Any) -> tuple[torch.Tensor, None]:
    return _pass.attend(*args, **kwargs)
