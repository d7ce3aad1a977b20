"""The interface of a model: it plans batches over many questions, then answers one batch at a time."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar

from genderscope.errors import UserError
from genderscope.models.chat import Chat
from genderscope.models.settings import Settings
from genderscope.questions import (
    Answer,
    Choice,
    Completion,
    Question,
    Reply,
    ReplyStart,
    TokenLikelihood,
    Translation,
)


@dataclass(frozen=True)
class Opening:
    """Everything a worker needs to open the model in another process."""

    spec: str
    settings: Settings

    def open(self) -> "Model":
        """Open the model."""
        raise NotImplementedError


@dataclass(frozen=True)
class Batch:
    """The work of one pass: question indices and whatever the model prepared for them."""

    indices: tuple[int, ...]
    items: Any
    kind: type[Question] = Choice
    #: how texts share a forward pass, for models that have several strategies; the run records it as text
    strategy: Any = None

    def only(self, places: Sequence[int]) -> "Batch":
        """Return the part of the batch at these positions."""
        return replace(self, indices=tuple(self.indices[k] for k in places), items=tuple(self.items[k] for k in places))

    def first(self, count: int) -> "Batch":
        """Return the first questions of the batch; unlike `only`, for items of any sequence type."""
        return replace(self, indices=self.indices[:count], items=self.items[:count])

    def last(self, count: int) -> "Batch":
        """Return the last questions of the batch."""
        return replace(self, indices=self.indices[-count:], items=self.items[-count:])

    def shifted(self, by: int) -> "Batch":
        """Return the batch with its question indices shifted."""
        return replace(self, indices=tuple([index + by for index in self.indices]))

    def halves(self) -> tuple["Batch", "Batch"]:
        """Split the batch in two, for when memory runs out."""
        middle = len(self.indices) // 2
        return (
            replace(self, indices=self.indices[:middle], items=self.items[:middle]),
            replace(self, indices=self.indices[middle:], items=self.items[middle:]),
        )


@dataclass(frozen=True)
class Plan:
    """How a set of questions will be answered: answers that need no model, and the batches for the rest."""

    immediate: tuple[tuple[int, Answer], ...]
    batches: tuple[Batch, ...]
    #: why a faster way was not used, one sentence each
    remarks: tuple[str, ...] = ()


class Model(ABC):
    """A system under test. Creating one is cheap; `load` loads the weights."""

    answers: ClassVar[frozenset[type[Question]]]
    kind: ClassVar[str]
    #: whether several copies of the model answer faster than one; a file or a server gains nothing
    scales: ClassVar[bool] = False
    #: how the model can be opened again, in another process or on another machine
    opening: Opening | None = None
    #: whether questions are answered independently: then a resumed run asks only the missing ones of a batch
    independent: ClassVar[bool] = False
    #: whether answers cost neither time nor money, so that nothing is gained by asking less
    free: ClassVar[bool] = False
    #: whether the model wants to hear of all that will be asked (`announce`) before anything is
    announces: bool = False
    #: whether another model may answer under the same name tomorrow, as behind a server: then signatures have the date
    may_change: ClassVar[bool] = False

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """A short hash of what determines the answers: weights, tokenizer, precision, beginning-of-text policy."""

    @property
    def overlaps(self) -> bool:
        """Whether the device works on a batch asynchronously, while the CPU does something else."""
        return False

    def parameter_count(self) -> int | None:
        """Return the number of parameters, if known; the weights need not be loaded for it."""
        return None

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return what a run should record about this model, in JSON types."""

    def signature(self) -> dict[str, str]:
        """Return the settings of the model that a signature shows."""
        return {}

    def take_on(self, kinds: frozenset[type[Question]]) -> frozenset[type[Question]]:
        """Return the kinds of questions that this model does not answer; called before anything is loaded."""
        return frozenset(
            kind for kind in kinds if kind not in self.answers or not isinstance(self, PROTOCOLS.get(kind, Model))
        )

    def check_questions(self, questions: Sequence[Question]) -> None:
        """Refuse questions of a form that this model cannot answer, in one sentence; most models answer all forms."""
        return

    def announce(self, questions: Sequence[Question]) -> None:
        """Receive all questions that are still to be asked; paid services ask the user for confirmation here."""
        return

    def cost(self, questions: Sequence[Question]) -> str | None:
        """Say what asking these questions takes that is paid for, if the model can tell beforehand."""
        return None

    def cautions(self) -> list[str]:
        """Return what a reader should know about how the questions were answered, one sentence each."""
        return []

    def in_use(self) -> AbstractContextManager[None]:
        """Return what holds while questions are asked; a model that belongs to the caller is then as it was."""
        return nullcontext()

    @abstractmethod
    def load(self) -> None:
        """Load the model; calling it again does nothing."""

    def unload(self) -> None:
        """Let go of what `load` brought in; it can be loaded again."""
        return

    def prepare(self, questions: Sequence[Question]) -> None:
        """Begin in the background what planning these questions will need; most models have nothing to begin."""
        return

    @abstractmethod
    def plan(self, questions: Sequence[Question], batch_size: int | None) -> Plan:
        """Plan the batches; `batch_size` is the number of questions per pass, None lets the model choose."""

    @abstractmethod
    def answer(self, batch: Batch) -> list[Answer]:
        """Answer the batch, in the order of its indices."""

    def begin(self, batch: Batch) -> Callable[[], list[Answer]]:
        """Start a batch on the device and return a function that waits for its answers; most models answer at once."""
        found = self.answer(batch)
        return lambda: found

    def answer_in_parts(self, batch: Batch) -> Iterator[tuple[Batch, list[Answer]]]:
        """Yield parts of the batch with their answers as they arrive; used for models that are `independent`."""
        yield batch, self.answer(batch)


class WordModel(Model):
    """Scores words in context: what measures use of models that answer choices, likelihoods or completions."""

    #: whether the model sees the text after a blank when it fills it
    sees_after: ClassVar[bool] = True

    @property
    def vocabulary(self) -> int | None:
        """The size of the vocabulary, if known."""
        return None


class ReplyModel(Model):
    """Replies to messages: what measures use of chat models."""

    #: the user's choices for conversations
    chat: Chat = Chat()

    def set_date(self, moment: datetime) -> None:
        """Use this time in prompts that contain the date; most models have no such prompts."""
        return

    @property
    def prompts_are_dated(self) -> bool:
        """Whether a prompt contained the date or the time."""
        return False


class TranslationModel(Model):
    """Translates: what measures use of translation systems and of servers that translate."""

    #: whether the translations exist already, as in a file; then no source is too long
    stored: ClassVar[bool] = False

    def expect(self, texts: Sequence[str], target: str | None = None) -> None:
        """Receive all source texts in the order of the data; `target` is set if each language has its own texts."""
        return

    def check(self, source: str, target: str) -> None:
        """Refuse a language pair that this system does not support, before anything starts."""
        return

    def translates(self, source: str, targets: Sequence[str]) -> tuple[str, ...]:
        """Return the targets that this system translates into; refuse if there are none."""
        return self.targets_where(self._supports, source, targets)

    def _supports(self, source: str, target: str) -> bool:
        try:
            self.check(source, target)
        except UserError:
            return False
        return True

    def targets_where(
        self, supports: Callable[[str, str], bool], source: str, targets: Sequence[str]
    ) -> tuple[str, ...]:
        """Return the targets for which `supports(source, target)` is true; refuse if there are none."""
        supported = tuple(target for target in targets if supports(source, target))
        if not supported:
            raise UserError(f"'{self.name}' cannot translate '{source}' into any of {', '.join(targets)}.")
        return supported

    def characters(self, questions: Sequence[Question]) -> int:
        """Count the characters that a translation service bills for these questions: those of the source texts."""
        return sum(len(question.text) for question in questions if isinstance(question, Translation))


#: kind of question -> what a model must be to answer it
PROTOCOLS: dict[type[Question], type] = {
    Choice: WordModel,
    TokenLikelihood: WordModel,
    Completion: WordModel,
    Reply: ReplyModel,
    ReplyStart: ReplyModel,
    Translation: TranslationModel,
}
