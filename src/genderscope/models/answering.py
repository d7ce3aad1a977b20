"""How a language model answers one kind of question, and how its batches are cut and laid out."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import torch

from genderscope.models.base import Batch, Plan
from genderscope.questions import Answer

if TYPE_CHECKING:
    from genderscope.models.language import LanguageModel

T = TypeVar("T")

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


def length_batches(
    items: Iterable[tuple[int, T]], length: Callable[[T], int], tokens: int, batch_size: int | None
) -> Iterable[Batch]:
    """Sort by length and cut into batches of at most `tokens` padded tokens, or of `batch_size` items."""
    group: list[tuple[int, T]] = []
    for index, item in sorted(items, key=lambda pair: (length(pair[1]), pair[0])):
        if group and len(group) >= (batch_size or max(1, tokens // length(item))):
            yield as_batch(group)
            group = []
        group.append((index, item))
    if group:
        yield as_batch(group)


def as_batch(group: Sequence[tuple[int, Any]]) -> Batch:
    """Make a batch of pairs of question index and item."""
    return Batch(tuple(index for index, _ in group), tuple(item for _, item in group))


def padded(sequences: Sequence[Sequence[int]], fill: int, device: torch.device) -> dict[str, torch.Tensor]:
    """Lay sequences side by side, filled up on the right."""
    width = max(map(len, sequences))
    ids = torch.tensor([[*s, *[fill] * (width - len(s))] for s in sequences])
    mask = torch.tensor([[1] * len(s) + [0] * (width - len(s)) for s in sequences])
    return {"input_ids": ids.to(device), "attention_mask": mask.to(device)}
