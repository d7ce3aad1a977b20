"""Model interface: plan batches for many questions, then answer one batch at a time."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any, ClassVar, Protocol

from genderscope.core.errors import UserError
from genderscope.core.questions import (
    Answer,
    Choice,
    Completion,
    Question,
    Reply,
    ReplyStart,
    StructuredReply,
    TokenLikelihood,
    Translation,
    TranslationAnswer,
)
from genderscope.models.chat import Chat, TranslationPrompt
from genderscope.models.settings import Settings


@dataclass(frozen=True)
class Opening:
    """Everything a worker process needs to open the model."""

    spec: str
    settings: Settings

    def open(self) -> "Model":
        """Open the model."""
        raise NotImplementedError


@dataclass(frozen=True)
class Batch:
    """Questions answered in one pass: their indices and the items the model prepared for them."""

    indices: tuple[int, ...]
    items: Any
    kind: type[Question] = Choice
    #: how texts share a forward pass, for models with several strategies; recorded in the run as text
    strategy: Any = None

    @classmethod
    def of(cls, pairs: Sequence[tuple[int, Any]], kind: type[Question] = Choice, strategy: Any = None) -> "Batch":
        """Make a batch from (question index, item) pairs."""
        return cls(tuple(index for index, _ in pairs), tuple(item for _, item in pairs), kind, strategy)

    def only(self, places: Sequence[int]) -> "Batch":
        """Return the batch restricted to the given positions."""
        return replace(self, indices=tuple(self.indices[k] for k in places), items=tuple(self.items[k] for k in places))

    def first(self, count: int) -> "Batch":
        """Return a batch of the first `count` questions; unlike `only`, this works for items of any sequence type."""
        return replace(self, indices=self.indices[:count], items=self.items[:count])

    def last(self, count: int) -> "Batch":
        """Return a batch of the last `count` questions."""
        return replace(self, indices=self.indices[-count:], items=self.items[-count:])

    def shifted(self, by: int) -> "Batch":
        """Return the batch with its question indices shifted by `by`."""
        return replace(self, indices=tuple([index + by for index in self.indices]))

    def halves(self) -> tuple["Batch", "Batch"]:
        """Split the batch in half, for example after running out of memory."""
        middle = len(self.indices) // 2
        return self.first(middle), self.last(len(self.indices) - middle)


@dataclass(frozen=True)
class Plan:
    """Plan for answering a set of questions: answers that need no model, and batches for the rest."""

    immediate: tuple[tuple[int, Answer], ...]
    batches: tuple[Batch, ...]
    #: reasons why faster strategies were rejected, one sentence each
    remarks: tuple[str, ...] = ()


class Model(ABC):
    """A system under test. Instantiation is cheap; `load` loads the weights."""

    answers: ClassVar[frozenset[type[Question]]]
    kind: ClassVar[str]
    #: whether several copies of the model answer faster than a single copy (false for files and servers)
    scales: ClassVar[bool] = False
    #: how to reopen the model in another process or on another machine
    opening: Opening | None = None
    #: whether questions are answered independently, so that a resumed run asks only a batch's unanswered questions
    independent: ClassVar[bool] = False
    #: whether answers cost neither time nor money, so that limiting the number of questions saves nothing
    free: ClassVar[bool] = False
    #: whether `announce` must be called with all questions before any is asked
    announces_cost: bool = False
    #: whether the model behind the name can change, as on a server; signatures then include the date
    may_change: ClassVar[bool] = False

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """A short hash of everything that determines the answers: weights, tokenizer, precision, BOS policy."""

    @property
    def overlaps(self) -> bool:
        """Whether the device processes a batch asynchronously, leaving the CPU free."""
        return False

    def parameter_count(self) -> int | None:
        """Return the number of parameters, or None if unknown; does not require loaded weights."""
        return None

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return a JSON-serialisable description of the model for the run's record."""
        return {"name": self.name, "kind": self.kind, "fingerprint": self.fingerprint}

    def signature(self) -> dict[str, str]:
        """Return the settings to include in the signature."""
        return {}

    def assume_capabilities(self, earlier: Sequence[Mapping[str, Any]] = ()) -> str | None:
        """Assume what only requests would show, for a plan that sends none; return a sentence about what was assumed.

        `earlier` has descriptions of the model by its earlier runs.
        """
        return None

    def unanswerable(self, kinds: frozenset[type[Question]]) -> frozenset[type[Question]]:
        """Return the kinds of questions that the model cannot answer; called before anything is loaded."""
        return frozenset(
            kind for kind in kinds if kind not in self.answers or not isinstance(self, PROTOCOLS.get(kind, Model))
        )

    def check_questions(self, questions: Sequence[Question]) -> None:
        """Raise `UserError` for questions that the model cannot answer as posed."""
        return

    def announce(self, questions: Sequence[Question]) -> None:
        """Receive all remaining questions in advance; paid services ask the user for confirmation here."""
        return

    def cost(self, questions: Sequence[Question]) -> str | None:
        """Return a sentence that estimates the number of requests and the cost, or None if no estimate is possible."""
        return None

    def cautions(self) -> list[str]:
        """Return caveats about how the questions were answered, one sentence each."""
        return []

    def in_use(self) -> AbstractContextManager[None]:
        """Return a context manager in which to ask questions; a model loaded by the caller is restored on exit."""
        return nullcontext()

    @abstractmethod
    def load(self) -> None:
        """Load the model; further calls do nothing."""

    def unload(self) -> None:
        """Free the memory that `load` allocated; the model can be loaded again."""
        return

    def prepare(self, questions: Sequence[Question]) -> None:
        """Start background work for planning these questions; a no-op for most models."""
        return

    @abstractmethod
    def plan(self, questions: Sequence[Question], batch_size: int | None) -> Plan:
        """Plan the batches, with `batch_size` questions per pass; None lets the model choose."""

    @abstractmethod
    def answer(self, batch: Batch) -> list[Answer]:
        """Answer the batch, in the order of its indices."""

    def begin(self, batch: Batch) -> Callable[[], list[Answer]]:
        """Start a batch on the device; return a function that waits for the answers."""
        answers = self.answer(batch)
        return lambda: answers

    def answer_in_parts(self, batch: Batch) -> Iterator[tuple[Batch, list[Answer]]]:
        """Yield parts of the batch with their answers, as the answers arrive; used for `independent` models."""
        yield batch, self.answer(batch)


class IndependentModel(Model):
    """Model that sends separate requests for every question, so that answers can arrive in any order."""

    independent = True
    may_change = True

    def answer(self, batch: Batch) -> list[Answer]:
        answers_by_index: dict[int, Answer] = {}
        for part, answers in self.answer_in_parts(batch):
            answers_by_index.update(zip(part.indices, answers, strict=True))
        return [answers_by_index[index] for index in batch.indices]


class WordModel(Model):
    """Model that scores words in context, to answer questions about choices, token likelihoods or completions."""

    #: whether the model sees the text after a blank when filling it
    sees_after: ClassVar[bool] = True

    @property
    def vocabulary(self) -> int | None:
        """The vocabulary size, or None if unknown."""
        return None


class JobStore(Protocol):
    """Named texts that outlive the command, such as a run's journal."""

    def note(self, texts: Mapping[str, str]) -> None:
        """Store named texts without overwriting existing ones."""

    def notes(self) -> dict[str, str]:
        """Return the stored texts."""


class ReplyModel(Model):
    """Model that replies to messages."""

    #: the user's chat settings
    chat: Chat = Chat()

    #: whether many questions can be sent as one job
    has_batches: bool = False

    def keep_jobs(self, store: JobStore) -> None:
        """Store the IDs of batch jobs in this place."""
        return

    def set_date(self, moment: datetime) -> None:
        """Use this time in prompts that contain the date; a no-op for most models."""
        return

    @property
    def prompts_are_dated(self) -> bool:
        """Whether any prompt contained the date or time."""
        return False


class TranslationModel(Model):
    """Model that translates: a translation system, or a server prompted to translate."""

    #: whether the translations already exist, as in a file: only the expected texts have one, so no controls are asked,
    #: and source length is unlimited
    stored: bool = False
    #: the prompt with which a chat model translates; None for translation systems
    translation: TranslationPrompt | None = None

    def expect(self, texts: Sequence[str], target: str | None = None) -> None:
        """Receive all source texts in dataset order; `target` is the target language if the texts depend on it."""
        return

    def check(self, source: str, target: str) -> None:
        """Raise `UserError` if the language pair is not supported; called before anything starts."""
        return

    def translates(self, source: str, targets: Sequence[str]) -> tuple[str, ...]:
        """Return the `targets` to audit: those that the model supports; raise `UserError` if there are none."""
        if self.translation is not None and not self.translation.own:
            raise UserError(
                f"Name the target languages (e.g. --to {targets[0]}) or a --prompt to have a chat model translate."
            )
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
        """Return the targets for which `supports(source, target)` is true; raise `UserError` if there are none."""
        supported = tuple(target for target in targets if supports(source, target))
        if not supported:
            raise UserError(f"'{self.name}' cannot translate from '{source}' into any of {', '.join(targets)}.")
        return supported

    def characters(self, questions: Sequence[Question]) -> int:
        """Count the characters that a translation service bills for these questions: those in the source texts."""
        return sum(len(question.text) for question in questions if isinstance(question, Translation))


#: question type -> class that a model must inherit from to answer such questions
PROTOCOLS: dict[type[Question], type] = {
    Choice: WordModel,
    TokenLikelihood: WordModel,
    Completion: WordModel,
    Reply: ReplyModel,
    StructuredReply: ReplyModel,
    ReplyStart: ReplyModel,
    Translation: TranslationModel,
}


#: a translation, None, or an answer with the reason why there is no translation
Translated = str | TranslationAnswer | None

#: Default number of characters per batch.
CHARACTERS = 2000


class Translator(TranslationModel):
    """Base class for translation systems."""

    answers = frozenset({Translation})
    kind = "translation"

    @abstractmethod
    def translate(self, texts: Sequence[str], source: str, target: str) -> Sequence[Translated]:
        """Translate texts of one language pair; None marks a text without a translation."""

    def load(self) -> None:
        """Do nothing; most translators have nothing to load."""

    def plan(self, questions: Sequence[Question], batch_size: int | None) -> Plan:
        asked = [(k, q) for k, q in enumerate(questions) if isinstance(q, Translation)]
        batches: list[Batch] = []
        for _, group in groupby(sorted(asked, key=lambda pair: _pair(pair[1])), key=lambda pair: _pair(pair[1])):
            ordered = sorted(group, key=lambda pair: len(pair[1].text))
            cuts = _cuts([len(question.text) + 1 for _, question in ordered], batch_size)
            batches += [Batch.of(ordered[start:stop], Translation) for start, stop in cuts]
        return Plan((), tuple(batches))

    def answer(self, batch: Batch) -> list[Answer]:
        first: Translation = batch.items[0]
        texts = self.translate([q.text for q in batch.items], first.source, first.target)
        missing = TranslationAnswer(None, "no translation was given")
        return [TranslationAnswer(t) if isinstance(t, str) else t or missing for t in texts]


def _cuts(lengths: Sequence[int], batch_size: int | None) -> Iterator[tuple[int, int]]:
    """Yield the start and stop index of each batch, given lengths in increasing order."""
    start = 0
    for k, size in enumerate(lengths):
        full = k - start >= (batch_size or max(1, CHARACTERS // size))
        # Once a batch is large enough to be efficient, padding costs more than starting another batch.
        ragged = not batch_size and (k - start) * size > CHARACTERS // 4 and size > lengths[k - 1]
        if k > start and (full or ragged):
            yield start, k
            start = k
    if start < len(lengths):
        yield start, len(lengths)


def source_cut(tokens: int, most: int) -> TranslationAnswer:
    """Return the answer for a source that exceeds the model's limit; a truncated source would be a different text."""
    return TranslationAnswer(None, f"the source has {tokens:,} tokens, but the model's limit is {most:,}")


def output_cut(most: int) -> TranslationAnswer:
    """Return the answer for an output that reached the length limit."""
    return TranslationAnswer(None, f"the output reached the limit of {most:,} tokens")


def _pair(question: Translation) -> tuple[str, str]:
    return question.source, question.target
