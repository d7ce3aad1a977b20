"""How a language model answers one kind of question."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from genderscope.models.base import Plan
from genderscope.models.hf.asked import AskedModel
from genderscope.models.hf.passes.ways import Way
from genderscope.questions import Answer

#: Full vocabulary rows are needed at few positions; 48 at a time fit into memory even for 250,000 tokens.
FULL_POSITIONS = 48
FULL_LOGITS = FULL_POSITIONS * 250_000
#: A GPU has more memory, and small passes would leave it idle.
FULL_POSITIONS_ON_CARDS = 1024


class Answerer(ABC):
    """Answers one kind of question with a loaded language model."""

    def __init__(self, model: AskedModel) -> None:
        self.model = model

    @property
    def full_positions(self) -> int:
        """The number of positions at which a pass may compute full vocabulary rows."""
        if self.model.device.type == "cuda":
            return FULL_POSITIONS_ON_CARDS
        return max(FULL_POSITIONS, FULL_LOGITS // max(1, len(self.model.tokenizer)))

    @abstractmethod
    def plan(self, questions: Sequence[Any], batch_size: int | None) -> Plan:
        """Plan the batches for questions of this kind."""

    @abstractmethod
    def answer(self, items: Sequence[Any], way: Way) -> list[Answer]:
        """Answer one batch, in the way that was chosen when it was planned."""

    def begin(self, items: Sequence[Any], way: Way) -> Callable[[], list[Answer]]:
        """Start a batch and return a function that waits for its answers; most answerers answer at once."""
        found = self.answer(items, way)
        return lambda: found
