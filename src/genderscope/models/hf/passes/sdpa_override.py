"""Temporary replacement of the "sdpa" attention function in transformers, per thread."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

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
