"""Base class for masked and causal language models: loading, fingerprint, strategies, forward passes."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import astuple, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import torch

from genderscope.core.questions import ANSWER_TO, Answer, Choice, Question, Reply, Translation
from genderscope.models.base import Batch, Plan, WordModel
from genderscope.models.digest import Contents, short_hash
from genderscope.models.hf.blanks import BlankLocator
from genderscope.models.hf.checkpoints import (
    LoadedModel,
    count_parameters,
    input_device,
    keep_settings,
    load_weights,
    read_tokenizer,
    require_fast,
    require_fitting,
)
from genderscope.models.hf.conversation import Conversation
from genderscope.models.hf.model_files import quantisation_of
from genderscope.models.hf.passes.base import Array, HiddenStateCache, Strategy, TokenizedTexts
from genderscope.models.hf.passes.exactness_check import ExactnessCheck
from genderscope.models.hf.passes.layouts import LAYOUTS
from genderscope.models.hf.passes.needed_logits import LOGITS, Needed
from genderscope.models.settings import Settings

#: The tokenizer adds its usual special tokens: <s>, [CLS] or none, depending on the model.
BOS_POLICY = "tokenizer"
NO_EMBEDDING = "the text contains a special token for which the model has no embedding"

#: full vocabulary rows per pass: 48 fit into memory even for a vocabulary of 250,000 tokens
FULL_POSITIONS = 48
FULL_LOGITS = FULL_POSITIONS * 250_000
#: limit for GPUs, which small passes underuse: 1,024 rows of 250,000 tokens take up a gigabyte
FULL_LOGITS_ON_GPU = 1024 * 250_000


class LanguageModel(WordModel):
    """A local transformers model. Each kind of question is handled by an `Answerer`."""

    scales = True
    auto_class: ClassVar[Any]
    answerers: ClassVar[Mapping[type[Question], type["Answerer"]]]
    #: default tokens per pass, by device type
    budget: ClassVar[dict[str, int]]

    def __init__(
        self,
        name: str,
        folder: Path,
        config: Any,
        contents: Contents,
        settings: Settings,
        loaded: LoadedModel | None = None,
    ) -> None:
        super().__init__(name)
        self.folder = folder
        #: the caller's own model and tokenizer, used instead of those in the folder
        self.loaded = loaded
        self.config = config
        self.settings = settings
        self.device, self.dtype = settings.torch_device(), settings.torch_dtype()
        self.contents = contents
        self.weights = contents.short
        self.model: Any = None
        self._kept: tuple[Any, ...] = ()
        self.parameters: int | None = None
        #: mask of whole-word tokens, computed on first use
        self.words: torch.Tensor | None = None
        self.exactness = ExactnessCheck(self, self.candidates())
        self.hidden_states = HiddenStateCache()
        self.reply_rows: Any = None  # the `ReplyRows` of the last batch of replies
        #: special tokens of the tokenizer for which the model has no embedding
        self.without_embedding: frozenset[str] = frozenset()
        self.tokenizer: Any = read_tokenizer(folder, name) if loaded is None else loaded.tokenizer
        require_fast(self.tokenizer, name)

    @cached_property
    def fingerprint(self) -> str:
        return short_hash("|".join((self.kind, self.weights, self.settings.dtype, BOS_POLICY)))

    @cached_property
    def blank_locator(self) -> BlankLocator:
        return BlankLocator(self.tokenizer, self.longest, self.sees_after)

    @cached_property
    def conversation(self) -> Conversation:
        """The model's conversation renderer, with its own chat template or the user's."""
        return Conversation(self.name, self.tokenizer, self.settings.remote.chat_template)

    @property
    def overlaps(self) -> bool:
        return self.device.type == "cuda"

    @property
    def vocabulary(self) -> int | None:
        return len(self.tokenizer)

    def parameter_count(self) -> int | None:
        return self.parameters or count_parameters(self.auto_class, self.config)

    def describe(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "kind": self.kind,
            "architecture": (self.config.architectures or [self.config.model_type])[0],
            "weights": self.weights,
            "fingerprint": self.fingerprint,
            "dtype": self.settings.dtype,
            **self._quantised,
            "bos": BOS_POLICY,
            "begins_with": self._beginning(),
            "parameters": self.parameters,
        }

    def signature(self) -> dict[str, str]:
        return {"dtype": self.settings.dtype, **self._quantised, "bos": BOS_POLICY}

    @cached_property
    def _quantised(self) -> dict[str, str]:
        """The quantisation method as a dictionary entry; empty if the weights are not quantised."""
        method = quantisation_of(self.folder) if self.loaded is None else None
        return {} if method is None else {"quantised": method}

    def _beginning(self) -> list[str]:
        """Return the special tokens that the tokenizer adds before a text."""
        encoded = self.tokenizer("a", return_special_tokens_mask=True)
        plain = encoded["special_tokens_mask"].index(0)
        return [str(token) for token in self.tokenizer.convert_ids_to_tokens(encoded["input_ids"][:plain])]

    def load(self) -> None:
        if self.model is not None:
            return
        if self.loaded is None:
            model = load_weights(self.auto_class, self.folder, self.name, self.settings, self.contents)
        else:
            model = self.loaded.model
        self.without_embedding = require_fitting(self.tokenizer, model, self.name)
        self.model = model
        self.device = input_device(self.model)
        self.parameters = sum(p.numel() for p in self.model.parameters())
        self._kept = keep_settings(self.model)

    @contextmanager
    def in_use(self) -> Iterator[None]:
        if self.loaded is None:
            yield
            return
        with self.loaded.in_use(self.settings.torch_device()):
            try:
                yield
            finally:
                for hook in self._kept:
                    hook.remove()
                self.model, self._kept, self.reply_rows = None, (), None
                self.hidden_states.forget()  # the caller may continue training

    def without_gradients(self) -> AbstractContextManager[Any]:
        """Return a context manager for forward passes without gradients."""
        # Inference tensors cached by modules would make the caller's next training step fail.
        return torch.inference_mode() if self.loaded is None else torch.no_grad()

    def unload(self) -> None:
        self.model = self.reply_rows = None
        self.hidden_states.forget()

    @abstractmethod
    def candidates(self) -> tuple[Strategy, ...]:
        """Return the candidate strategies, fastest first; the last is the reference."""

    def prepare(self, questions: Sequence[Question]) -> None:
        choices = [question for question in questions if isinstance(question, Choice)]
        unknown = self._without_embedding(choices)
        if choices:
            self.blank_locator.start_encoding([question for k, question in enumerate(choices) if k not in unknown])

    def plan(self, questions: Sequence[Question], batch_size: int | None) -> Plan:
        self.load()
        immediate: list[tuple[int, Answer]] = []
        batches: list[Batch] = []
        unknown = self._without_embedding(questions)
        for kind in dict.fromkeys(map(type, questions)):
            indices = [index for index, question in enumerate(questions) if type(question) is kind]
            immediate += [(index, ANSWER_TO[kind](None, unread=NO_EMBEDDING)) for index in indices if index in unknown]
            indices = [index for index in indices if index not in unknown]
            plan = self.answerers[kind](self).plan([questions[index] for index in indices], batch_size)
            immediate += [(indices[k], answer) for k, answer in plan.immediate]
            batches += [
                replace(batch, indices=tuple(map(indices.__getitem__, batch.indices)), kind=kind)
                for batch in plan.batches
            ]
        return Plan(tuple(immediate), tuple(batches), self.exactness.remarks())

    def _without_embedding(self, questions: Sequence[Question]) -> set[int]:
        """Return the indices of questions with a token that has no embedding; usually none."""
        if not self.without_embedding:
            return set()
        texts = [" ".join(map(str, astuple(question))) for question in questions]
        return {k for k, text in enumerate(texts) if any(token in text for token in self.without_embedding)}

    def answer(self, batch: Batch) -> list[Answer]:
        return self.begin(batch)()

    def begin(self, batch: Batch) -> Callable[[], list[Answer]]:
        if batch.kind not in (Reply, Translation):
            self.reply_rows = None  # its keys and values may take up most of the memory
        with self.without_gradients():
            return self.answerers[batch.kind](self).begin(batch.items, batch.strategy)

    def tensor(self, values: Iterable[int]) -> torch.Tensor:
        """Copy integers to the model's device."""
        return torch.tensor(list(values), device=self.device)

    def array(self, values: npt.NDArray[Any]) -> torch.Tensor:
        """Copy an array to the model's device, asynchronously on a GPU."""
        sent = torch.from_numpy(np.ascontiguousarray(values))
        waiting = self.device.type != "cuda"
        return sent.to(self.device) if waiting else sent.pin_memory().to(self.device, non_blocking=True)

    def logits_of(
        self,
        strategy: Strategy,
        texts: TokenizedTexts,
        which: Array,
        places: Array,
        tokens: torch.Tensor | None,
        keep: bool = False,
    ) -> torch.Tensor:
        """Return the logits [positions, tokens] at position `places[i]` of text `which[i]`; `tokens=None` means all.

        `keep` caches the hidden states, so that the same pass can be reused later.
        """
        kept = self.hidden_states.of(strategy, texts, keep)
        logits, where = [], []
        number = np.empty(len(texts), dtype=np.int64)
        for forward_pass in LAYOUTS[strategy.layout](self, texts):
            number.fill(-1)
            number[forward_pass.texts] = np.arange(len(forward_pass.texts))
            here = np.flatnonzero(number[which] >= 0)
            if not len(here):
                continue
            text = number[which[here]]
            rows, columns = self.array(np.stack([forward_pass.rows[text], forward_pass.columns[text, places[here]]]))
            needed = Needed(rows, columns, tokens)
            logits.append(LOGITS[strategy.logits](self.model, forward_pass.inputs, needed, kept))
            where.append(here)
        if len(logits) == 1:
            return logits[0]
        back = np.argsort(np.concatenate(where), kind="stable")
        return torch.cat(logits)[self.array(back).to(logits[0].device)]

    @property
    def tokens_per_pass(self) -> int:
        """The default number of tokens per pass."""
        return self.budget.get(self.device.type, self.budget["cpu"])

    def too_long(self, length: int) -> str | None:
        """Return an explanation if a text of this length is too long, else None."""
        return f"longer than the model's limit of {self.longest} tokens" if length > self.longest else None

    @cached_property
    def longest(self) -> int:
        """The model's maximum length in tokens."""
        positions = getattr(self.config, "max_position_embeddings", None) or getattr(self.config, "n_positions", None)
        limit = min(int(self.tokenizer.model_max_length), int(positions or 10**9))
        # RoBERTa-like models count positions from the padding token's id.
        if positions and "roberta" in self.config.model_type:
            limit = min(limit, int(positions) - int(self.config.pad_token_id) - 1)
        return limit


class Answerer(ABC):
    """Answers one kind of question with a loaded language model."""

    def __init__(self, model: LanguageModel) -> None:
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
