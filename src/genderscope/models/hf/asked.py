"""The interface of a language model for answerers."""

from typing import Any, Protocol

import torch

from genderscope.models.hf.ahead import LocatedAhead
from genderscope.models.hf.conversation import Conversation
from genderscope.models.hf.passes.readable import Readable
from genderscope.models.hf.passes.texts import Texts
from genderscope.models.hf.passes.ways import Way


class AskedModel(Readable, Protocol):
    """A language model with its tokenizer, as answerers see it."""

    tokenizer: Any
    #: which tokens are whole words, computed on first use
    words: torch.Tensor | None

    @property
    def located(self) -> LocatedAhead: ...

    @property
    def vocabulary(self) -> int | None: ...

    @property
    def width(self) -> int: ...

    @property
    def longest(self) -> int: ...

    @property
    def sees_after(self) -> bool: ...

    def settle(
        self, texts: Texts, batch_size: int | None, most: int | None = None, tokens: int | None = None
    ) -> Way: ...

    def too_long(self, length: int) -> str | None: ...


class AskedCausalModel(AskedModel, Protocol):
    """A causal model, which must not attend to later tokens when likelihoods are computed, and may be able to chat."""

    #: how it is spoken to
    conversation: Conversation

    def refuse_to_look_ahead(self, texts: Texts, way: Way) -> None: ...
