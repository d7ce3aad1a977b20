"""What the passes need from a language model: a device, and logits at positions of texts."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol

import numpy.typing as npt
import torch

from genderscope.models.hf.passes.kept import KeptPasses
from genderscope.models.hf.passes.texts import Array, Texts
from genderscope.models.hf.passes.ways import Way


class Readable(Protocol):
    """A loaded language model, as layouts, trials and caches see it."""

    name: str
    #: the transformers model
    model: Any
    device: torch.device
    dtype: torch.dtype
    #: its `Trials`
    trials: Any
    #: the passes that trials have run
    tried: KeptPasses

    @property
    def longest(self) -> int: ...

    @property
    def tokens_a_pass(self) -> int: ...

    def without_gradients(self) -> AbstractContextManager[Any]: ...

    def array(self, values: npt.NDArray[Any]) -> torch.Tensor: ...

    def tensor(self, values: Iterable[int]) -> torch.Tensor: ...

    def laid_out(self, way: Way, texts: Texts) -> Iterator[Any]: ...

    def logits_of(
        self, way: Way, texts: Texts, which: Array, places: Array, tokens: torch.Tensor | None, keep: bool = False
    ) -> torch.Tensor: ...
