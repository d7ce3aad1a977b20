"""What every model offers to the engine: it plans batches over many questions, then answers a batch at a time."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from genderscope.models.chat import Chat
from genderscope.models.settings import Settings
from genderscope.questions import Answer, Choice, Question


@dataclass(frozen=True)
class Opening:
    """All that is needed to open a model again elsewhere: workers get it."""

    spec: str
    settings: Settings

    def open(self) -> "Model":
        """Open the model."""
        raise NotImplementedError


@dataclass(frozen=True)
class Batch:
    """Work the model does in one pass: which questions (by index) and whatever the model prepared for them."""

    indices: tuple[int, ...]
    items: Any
    kind: type[Question] = Choice
    #: how the model is to be asked, where there are several ways; as text it goes into the run's record
    way: Any = None

    def only(self, places: Sequence[int]) -> "Batch":
        """Return the part of the batch at these places."""
        return replace(self, indices=tuple(self.indices[k] for k in places), items=tuple(self.items[k] for k in places))

    def shifted(self, by: int) -> "Batch":
        """Return the batch with its questions numbered from there on."""
        return replace(self, indices=tuple(index + by for index in self.indices))

    def halves(self) -> tuple["Batch", "Batch"]:
        """Split the batch in two, for when memory runs out."""
        middle = len(self.indices) // 2
        return (
            replace(self, indices=self.indices[:middle], items=self.items[:middle]),
            replace(self, indices=self.indices[middle:], items=self.items[middle:]),
        )


@dataclass(frozen=True)
class Plan:
    """How a set of questions will be answered: what needs no model at all, and the batches for the rest."""

    immediate: tuple[tuple[int, Answer], ...]
    batches: tuple[Batch, ...]
    #: why a faster way was not taken, one sentence each
    remarks: tuple[str, ...] = ()


class Model(ABC):
    """A system under test. Creating one is cheap; `load` brings in the weights."""

    answers: ClassVar[frozenset[type[Question]]]
    kind: ClassVar[str]
    #: whether the model sees the text after a blank when it fills it
    sees_after: ClassVar[bool] = True
    #: whether several copies of the model answer faster than one; a file or a server gains nothing
    scales: ClassVar[bool] = False
    #: how the model can be opened again, in another process or on another machine
    opening: Opening | None = None
    #: whether each question is answered by itself: then a resumed run asks only those of a batch that are missing
    independent: ClassVar[bool] = False
    #: whether the model wants to hear of all that will be asked (`announce`) before anything is
    announces: ClassVar[bool] = False
    #: what the user chose for conversations
    chat: Chat = Chat()

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """A short hash of all that decides the answers: weights, tokenizer, precision, beginning-of-text policy."""

    @property
    def overlaps(self) -> bool:
        """Whether a device works on a batch by itself once it has begun, while the processor does something else."""
        return False

    @property
    def vocabulary(self) -> int | None:
        """How many tokens the model can choose from, where that is known."""
        return None

    def parameter_count(self) -> int | None:
        """Return the number of parameters, where it can be known; the weights need not be loaded for it."""
        return None

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return what a run should record about this model, in JSON types."""

    def signature(self) -> dict[str, str]:
        """Return the settings of the model that a signature shows."""
        return {}

    def take_on(self, kinds: frozenset[type[Question]]) -> frozenset[type[Question]]:
        """Hear which kinds of questions a measure asks, before anything is loaded; return those it does not answer."""
        return kinds - self.answers

    def expect(self, texts: Sequence[str]) -> None:
        """Hear all texts of the data in their order before any is asked; most models need not know."""
        return

    def check(self, source: str, target: str) -> None:
        """Refuse a language pair that this system cannot do, with a sentence, before anything starts."""
        return

    def announce(self, questions: Sequence[Question]) -> None:
        """Hear all questions that are still to be asked; what costs money asks the user here."""
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

    def begin(self, batch: Batch) -> Callable[[], list[Answer]]:
        """Set the device to work on a batch and return what waits for its answers; most models answer at once."""
        found = self.answer(batch)
        return lambda: found

    def answer_in_parts(self, batch: Batch) -> Iterator[tuple[Batch, list[Answer]]]:
        """Yield parts of the batch with their answers as they come; the way to ask a model that is `independent`."""
        yield batch, self.answer(batch)
