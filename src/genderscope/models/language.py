"""What masked and causal language models have in common: loading, fingerprint, and which short cuts they can take."""

import hashlib
import io
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import torch
from transformers import AutoTokenizer

from genderscope.errors import UserError
from genderscope.models.base import Batch, Model, Plan
from genderscope.models.locate import Located, locate, require_fast
from genderscope.models.narrow import needed_logits
from genderscope.questions import Answer, Choice, ChoiceAnswer, Question

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}

#: The tokenizer adds what it adds in everyday use: <s> for some, [CLS] for some, nothing for others.
BOS_POLICY = "tokenizer"

#: Full vocabulary rows are wanted for few positions; so many at a time keep memory small even for 250,000 words.
FULL_POSITIONS = 48


@dataclass(frozen=True)
class Settings:
    """How a model is run: the user's choice of device and precision."""

    device: str = "auto"
    dtype: str = "float32"

    def torch_device(self) -> torch.device:
        """Return the device to run on; one that is not there is the user's mistake."""
        if self.device == "auto":
            return torch.device("cuda" if torch.cuda.is_available() else "cpu")
        try:
            device = torch.device(self.device)
        except RuntimeError:
            raise UserError(f"There is no device '{self.device}'; use auto, cpu, cuda, cuda:N or mps.") from None
        if device.type == "cuda" and not torch.cuda.is_available():
            raise UserError(
                f"Device '{self.device}' was asked for but this machine has no CUDA device; use --device cpu."
            )
        if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
            raise UserError(
                f"Device '{self.device}' was asked for but there are only {torch.cuda.device_count()} devices."
            )
        return device

    def torch_dtype(self) -> torch.dtype:
        """Return the precision to run in."""
        if self.dtype not in DTYPES:
            raise UserError(f"There is no dtype '{self.dtype}'; use one of {', '.join(DTYPES)}.")
        return DTYPES[self.dtype]


@dataclass(frozen=True, slots=True)
class Item:
    """A located question. `full` asks for whole vocabulary rows, because a normaliser is needed."""

    located: Located
    full: bool
    want_mass: bool


LogitsFunction = Callable[[Any, dict[str, torch.Tensor], torch.Tensor, torch.Tensor, torch.Tensor | None], torch.Tensor]


class Lookup:
    """The logits of one pass, by position and token; whole vocabulary rows where normalisers are wanted."""

    def __init__(self, logits: torch.Tensor, tokens: list[int] | None) -> None:
        self.normalisers: list[float] | None = logits.logsumexp(-1).tolist() if tokens is None else None
        self._table = logits.cpu().numpy()
        self._column = None if tokens is None else {token: k for k, token in enumerate(tokens)}

    def logit(self, position: int, token: int) -> float:
        """Return the logit of a token at the position with this number."""
        return float(self._table[position, token if self._column is None else self._column[token]])


class LanguageModel(Model):
    """A transformers model on this machine that fills blanks."""

    answers = frozenset({Choice})
    auto_class: ClassVar[Any]
    #: tokens in one pass where the user names no batch size, by device type
    budget: ClassVar[dict[str, int]]

    def __init__(self, name: str, folder: Path, config: Any, weights: str, settings: Settings) -> None:
        super().__init__(name)
        self.folder = folder
        self.config = config
        self.settings = settings
        self.device = settings.torch_device()
        self.dtype = settings.torch_dtype()
        self.weights = weights
        self.model: Any = None
        self.parameters: int | None = None
        self.logits: LogitsFunction = needed_logits
        try:
            self.tokenizer: Any = AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
        except (OSError, ValueError, ImportError) as error:
            raise UserError(f"'{name}' has no tokenizer that can be read: {_one_line(error)}") from None
        require_fast(self.tokenizer, name)

    @property
    def fingerprint(self) -> str:
        parts = (self.kind, self.weights, self.settings.dtype, BOS_POLICY)
        return hashlib.sha256("|".join(parts).encode()).hexdigest()[:12]

    def describe(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "kind": self.kind,
            "architecture": (self.config.architectures or [self.config.model_type])[0],
            "weights": self.weights,
            "fingerprint": self.fingerprint,
            "dtype": self.settings.dtype,
            "bos": BOS_POLICY,
            "begins_with": self._beginning(),
            "parameters": self.parameters,
        }

    def _beginning(self) -> list[str]:
        """Return the special tokens that the tokenizer puts before any text."""
        encoded = self.tokenizer("a", return_special_tokens_mask=True)
        plain = encoded["special_tokens_mask"].index(0)
        return [str(token) for token in self.tokenizer.convert_ids_to_tokens(encoded["input_ids"][:plain])]

    def load(self) -> None:
        if self.model is not None:
            return
        try:
            with quiet():
                model = self.auto_class.from_pretrained(self.folder, dtype=self.dtype, trust_remote_code=False)
        except (OSError, ValueError) as error:
            raise UserError(f"The weights of '{self.name}' cannot be read: {_one_line(error)}") from None
        self.parameters = sum(p.numel() for p in model.parameters())
        self.model = model.to(self.device).eval()
        with torch.inference_mode():
            self._choose_method()

    @abstractmethod
    def _choose_method(self) -> None:
        """Try the short cuts on a small input and keep those that give the model's own numbers."""

    def _agree(self, fast: Callable[[], torch.Tensor], plain: torch.Tensor) -> bool:
        """Tell whether a short cut gives the same logits; one that fails to run does not."""
        tolerance = (1e-4 if self.dtype == torch.float32 else 2e-2) * max(1.0, float(plain.abs().max()))
        try:
            return bool((fast() - plain).abs().max() <= tolerance)
        except Exception:  # an architecture may refuse a mask or a hook in any way it likes: then it is not used
            return False

    def _look_up(
        self, inputs: dict[str, torch.Tensor], positions: Iterable[tuple[int, int]], items: Sequence[Item]
    ) -> Lookup:
        """Run one pass and return the logits of the items' options at these (row, column) positions."""
        rows, columns = (self._tensor(axis) for axis in zip(*positions, strict=True))
        if items[0].full:
            return Lookup(self.logits(self.model, inputs, rows, columns, None), None)
        tokens = sorted({token for item in items for option in item.located.options for token in option})
        return Lookup(self.logits(self.model, inputs, rows, columns, self._tensor(tokens)), tokens)

    def _tensor(self, values: Iterable[int]) -> torch.Tensor:
        return torch.tensor(list(values), device=self.device)

    def plan(self, questions: Sequence[Question], batch_size: int | None) -> Plan:
        immediate: list[tuple[int, Answer]] = []
        items: list[tuple[int, Item]] = []
        for index, (question, located) in enumerate(zip(questions, locate(self.tokenizer, questions), strict=True)):
            reason = located if isinstance(located, str) else self._cannot_ask(located)
            if reason is not None:
                immediate.append((index, ChoiceAnswer(None, unread=reason)))
            else:
                assert isinstance(located, Located)
                full = question.want_mass or self._needs_normaliser(located)
                items.append((index, Item(located, full, question.want_mass)))
        return Plan(tuple(immediate), tuple(self._batches(items, batch_size)))

    @abstractmethod
    def _cannot_ask(self, located: Located) -> str | None:
        """Say why this model cannot be asked a located question, or None if it can."""

    @abstractmethod
    def _needs_normaliser(self, located: Located) -> bool:
        """Tell whether the options can only be compared with whole vocabulary rows."""

    @abstractmethod
    def _batches(self, items: list[tuple[int, Item]], batch_size: int | None) -> Iterable[Batch]:
        """Group the items into batches."""

    def _tokens_a_pass(self) -> int:
        return self.budget.get(self.device.type, self.budget["cpu"])

    def _too_long(self, length: int) -> str | None:
        limit = self.longest
        return f"longer than the model's {limit} tokens" if length > limit else None

    @property
    def longest(self) -> int:
        """The most tokens the model can take."""
        positions = getattr(self.config, "max_position_embeddings", None) or getattr(self.config, "n_positions", None)
        limit = min(int(self.tokenizer.model_max_length), int(positions or 10**9))
        # RoBERTa and its kin count positions from the padding token's id on.
        if positions and "roberta" in self.config.model_type:
            limit = min(limit, int(positions) - int(self.config.pad_token_id) - 1)
        return limit


def length_batches(
    items: list[tuple[int, Item]], lengths: Callable[[Item], int], tokens: int, batch_size: int | None
) -> Iterable[Batch]:
    """Sort by length and cut into batches of at most `tokens` padded tokens, or of `batch_size` questions."""
    group: list[tuple[int, Item]] = []
    for index, item in sorted(items, key=lambda pair: (pair[1].full, lengths(pair[1]), pair[0])):
        most = batch_size or max(1, tokens // lengths(item))
        if group and (
            len(group) >= (min(most, FULL_POSITIONS) if item.full else most) or group[-1][1].full != item.full
        ):
            yield as_batch(group)
            group = []
        group.append((index, item))
    if group:
        yield as_batch(group)


def as_batch(group: list[tuple[int, Item]]) -> Batch:
    """Make a batch of pairs of question index and item."""
    return Batch(tuple(index for index, _ in group), tuple(item for _, item in group))


def padded(sequences: Sequence[Sequence[int]], fill: int, device: torch.device) -> dict[str, torch.Tensor]:
    """Lay sequences side by side, filled up on the right."""
    width = max(map(len, sequences))
    ids = torch.tensor([[*s, *[fill] * (width - len(s))] for s in sequences])
    mask = torch.tensor([[1] * len(s) + [0] * (width - len(s)) for s in sequences])
    return {"input_ids": ids.to(device), "attention_mask": mask.to(device)}


def finite(answer: ChoiceAnswer) -> ChoiceAnswer:
    """Report scores that overflowed as unread."""
    if answer.scores is not None and not all(-1e30 < score < 1e30 for score in answer.scores):
        return ChoiceAnswer(None, tokens=answer.tokens, unread="the model's logits are not finite in this precision")
    return answer


@contextmanager
def quiet() -> Iterator[None]:
    """Keep the libraries' own progress bars and remarks off the terminal; errors still surface as exceptions."""
    with redirect_stderr(io.StringIO()):
        yield


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:300]
