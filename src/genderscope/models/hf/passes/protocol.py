"""Interface that forward passes require of a language model."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any, Protocol

import numpy.typing as npt
import torch

from genderscope.models.hf.passes.hidden_state_cache import HiddenStateCache
from genderscope.models.hf.passes.strategies import Strategy
from genderscope.models.hf.passes.texts import Array, Texts


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
        texts: Texts,
        which: Array,
        places: Array,
        tokens: torch.Tensor | None,
        keep: bool = False,
    ) -> torch.Tensor: ...
