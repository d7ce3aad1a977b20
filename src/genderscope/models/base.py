"""What every model offers to the engine: it plans batches over many questions, then answers a batch at a time."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from genderscope.questions import Answer, Choice, Question


@dataclass(frozen=True)
class Batch:
    """Work the model does in one pass: which questions (by index) and whatever the model prepared for them."""

    indices: tuple[int, ...]
    items: tuple[Any, ...]
    kind: type[Question] = Choice

    def halves(self) -> tuple["Batch", "Batch"]:
        """Split the batch in two, for when memory runs out."""
        middle = len(self.indices) // 2
        return (
            Batch(self.indices[:middle], self.items[:middle], self.kind),
            Batch(self.indices[middle:], self.items[middle:], self.kind),
        )


@dataclass(frozen=True)
class Plan:
    """How a set of questions will be answered: what needs no model at all, and the batches for the rest."""

    immediate: tuple[tuple[int, Answer], ...]
    batches: tuple[Batch, ...]


class Model(ABC):
    """A system under test. Creating one is cheap; `load` brings in the weights."""

    answers: ClassVar[frozenset[type[Question]]]
    kind: ClassVar[str]
    #: whether the model sees the text after a blank when it fills it
    sees_after: ClassVar[bool] = True

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """A short hash of all that decides the answers: weights, tokenizer, precision, beginning-of-text policy."""

    @property
    def vocabulary(self) -> int | None:
        """How many tokens the model can choose from, where that is known."""
        return None

    def size(self) -> int | None:
        """Return the number of parameters, where it can be known; the weights need not be loaded for it."""
        return None

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return what a run should record about this model, in JSON types."""

    def signature(self) -> dict[str, str]:
        """Return the settings of the model that a signature shows."""
        return {}

    def expect(self, texts: Sequence[str]) -> None:
        """Hear all texts of the data in their order before any is asked; most models need not know."""
        return

    def cautions(self) -> list[str]:
        """Return what a reader should know about how the questions were answered, one sentence each."""
        return []

    @abstractmethod
    def load(self) -> None:
        """Bring the model into memory; calling it twice does nothing."""

    @abstractmethod
    def plan(self, questions: Sequence[Question], batch_size: int | None) -> Plan:
        """Plan the batches; `batch_size` is questions a pass, None lets the model choose."""

    @abstractmethod
    def answer(self, batch: Batch) -> list[Answer]:
        """Answer the batch, in the order of its indices."""
