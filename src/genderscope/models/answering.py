"""How a language model answers one kind of question."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch

from genderscope.models.base import Plan
from genderscope.questions import Answer

if TYPE_CHECKING:
    from genderscope.models.language import LanguageModel

#: Full vocabulary rows are wanted for few positions; so many at a time keep memory small even for 250,000 words.
FULL_POSITIONS = 48


class Answerer(ABC):
    """Answers one kind of question with a loaded language model."""

    def __init__(self, model: "LanguageModel") -> None:
        self.model = model

    @abstractmethod
    def plan(self, questions: Sequence[Any], batch_size: int | None) -> Plan:
        """Plan the batches for questions of this kind."""

    @abstractmethod
    def answer(self, items: Sequence[Any]) -> list[Answer]:
        """Answer one batch."""


def padded(sequences: Sequence[Sequence[int]], fill: int, device: torch.device) -> dict[str, torch.Tensor]:
    """Lay sequences side by side, filled up on the right."""
    width = max(map(len, sequences))
    ids = torch.tensor([[*s, *[fill] * (width - len(s))] for s in sequences])
    mask = torch.tensor([[1] * len(s) + [0] * (width - len(s)) for s in sequences])
    return {"input_ids": ids.to(device), "attention_mask": mask.to(device)}
