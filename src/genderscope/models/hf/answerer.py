"""Base class for answering one kind of question with a language model."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from genderscope.core.questions import Answer
from genderscope.models.base import Plan
from genderscope.models.hf.passes.strategies import Strategy
from genderscope.models.hf.protocols import ScoringModel

#: full vocabulary rows per pass: 48 fit into memory even for a vocabulary of 250,000 tokens
FULL_POSITIONS = 48
FULL_LOGITS = FULL_POSITIONS * 250_000
#: limit for GPUs, which have more memory and idle in small passes: 1,024 rows of 250,000 tokens are a gigabyte
FULL_LOGITS_ON_GPU = 1024 * 250_000


class Answerer(ABC):
    """Answers one kind of question with a loaded language model."""

    def __init__(self, model: ScoringModel) -> None:
        self.model = model

    @property
    def full_positions(self) -> int:
        """The maximum number of full vocabulary rows per pass."""
        most = FULL_LOGITS_ON_GPU if self.model.device.type == "cuda" else FULL_LOGITS
        return max(FULL_POSITIONS, most // max(1, len(self.model.tokenizer)))

    @abstractmethod
    def plan(self, questions: Sequence[Any], batch_size: int | None) -> Plan:
        """Plan the batches for questions of this kind."""

    @abstractmethod
    def answer(self, items: Sequence[Any], strategy: Strategy) -> list[Answer]:
        """Answer one batch with the strategy chosen during planning."""

    def begin(self, items: Sequence[Any], strategy: Strategy) -> Callable[[], list[Answer]]:
        """Start a batch; return a function that waits for the answers."""
        answers = self.answer(items, strategy)
        return lambda: answers
