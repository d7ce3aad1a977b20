"""What an answerer may ask of a language model."""

from typing import Any, Protocol

import torch

from genderscope.models.hf.conversation import Conversation
from genderscope.models.hf.passes.readable import Readable
from genderscope.models.hf.passes.texts import Texts
from genderscope.models.hf.passes.ways import Way


class AskedModel(Readable, Protocol):
    """A language model with its tokenizer, as those who answer questions with it see it."""

    tokenizer: Any
    #: which tokens are whole words, once that was asked
    words: torch.Tensor | None

    @property
    def vocabulary(self) -> int | None: ...

    @property
    def width(self) -> int: ...

    @property
    def longest(self) -> int: ...

    @property
    def sees_after(self) -> bool: ...

    def settle(self, texts: Texts, batch_size: int | None) -> Way: ...

    def too_long(self, length: int) -> str | None: ...


class AskedCausalModel(AskedModel, Protocol):
    """A causal model, which must not look ahead where likelihoods are asked for, and which may be able to chat."""

    #: how it is spoken to
    conversation: Conversation

    def refuse_to_look_ahead(self, texts: Texts, way: Way) -> None: ...
