"""Interfaces of language models for answerers."""

from typing import Any, Protocol

import torch

from genderscope.models.hf.blank_locator import BlankLocator
from genderscope.models.hf.conversation import Conversation
from genderscope.models.hf.passes.protocol import LogitsModel
from genderscope.models.hf.passes.strategies import Strategy
from genderscope.models.hf.passes.texts import Texts


class ScoringModel(LogitsModel, Protocol):
    """A loaded language model with its tokenizer."""

    tokenizer: Any
    #: mask of whole-word tokens, computed on first use
    words: torch.Tensor | None

    @property
    def blank_locator(self) -> BlankLocator: ...

    @property
    def vocabulary(self) -> int | None: ...

    @property
    def width(self) -> int: ...

    @property
    def longest(self) -> int: ...

    @property
    def sees_after(self) -> bool: ...

    def choose_strategy(
        self, texts: Texts, batch_size: int | None, most: int | None = None, tokens: int | None = None
    ) -> Strategy: ...

    def too_long(self, length: int) -> str | None: ...


class CausalScoringModel(ScoringModel, Protocol):
    """A causal model, which must not attend to later tokens and may have a chat template."""

    #: renders messages with the chat template
    conversation: Conversation

    def require_causal(self, texts: Texts, strategy: Strategy) -> None: ...
