"""Completions of a blank: base class, and the implementation for masked models."""

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
import torch

from genderscope.core.errors import UserError
from genderscope.core.questions import Answer, Completion, CompletionAnswer
from genderscope.models.base import Batch, Plan
from genderscope.models.hf.blanks import NOT_FINITE
from genderscope.models.hf.language_model import Answerer, LanguageModel
from genderscope.models.hf.passes.layouts import groups
from genderscope.models.hf.passes.normalisers import log_normalisers
from genderscope.models.hf.passes.strategies import Strategy
from genderscope.models.hf.passes.texts import Texts

#: a whole word: letters and digits, with hyphens and apostrophes only in between
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
#: symbols for the space before a word in byte-level and SentencePiece tokenizers
_SPACES = ("Ġ", "▁")


@dataclass(frozen=True, slots=True)
class Blank:
    """A completion question as token ids: the model input, and the position of the blank's logits."""

    question: Completion
    ids: tuple[int, ...]
    position: int


class CompletionAnswerer(Answerer):
    """Encodes the questions and groups those with the same settings."""

    def plan(self, questions: Sequence[Completion], batch_size: int | None) -> Plan:
        immediate: list[tuple[int, Answer]] = []
        groups: dict[tuple[Any, ...], list[tuple[int, Blank]]] = {}
        for index, (question, blank) in enumerate(zip(questions, self._encode(questions), strict=True)):
            self._check(question)
            if isinstance(blank, str):
                immediate.append((index, CompletionAnswer(None, unread=blank)))
            else:
                groups.setdefault(self.settings(question), []).append((index, blank))
        batches = (batch for group in groups.values() for batch in self._batches(group, batch_size))
        return Plan(tuple(immediate), tuple(batches))

    def _check(self, question: Completion) -> None:
        size = self.model.vocabulary or 0
        if not 1 <= question.k <= size:
            raise UserError(
                f"K is {question.k}; it must be from 1 to the {size:,} tokens that '{self.model.name}' knows."
            )

    def settings(self, question: Completion) -> tuple[Any, ...]:
        """Return the settings that all questions in a batch must share."""
        return (question.k, question.whole_words)

    @abstractmethod
    def _encode(self, questions: Sequence[Completion]) -> Iterable[Blank | str]:
        """Yield each question as token ids, or the reason why it cannot be asked."""

    @abstractmethod
    def _batches(self, group: list[tuple[int, Blank]], batch_size: int | None) -> Iterable[Batch]:
        """Split a group into batches."""

    def likeliest(self, logits: torch.Tensor, question: Completion) -> list[Answer]:
        """Answer with the k most likely tokens in each row of logits."""
        normalisers = log_normalisers(logits)[:, None]
        if question.whole_words:
            words = whole_words(self.model)
            if question.k > (possible := int(words.sum())):
                raise UserError(f"K is {question.k}, but '{self.model.name}' has only {possible:,} whole words.")
            logits = logits.masked_fill(~words.to(logits.device), -torch.inf)
        values, tokens = logits.topk(question.k)
        scores = (values - normalisers).tolist()
        decode = cache(partial(decoded, self.model))  # the same few words are likely in many texts
        return [
            completed([(token,) for token in row], row_scores, decode)
            for row, row_scores in zip(tokens.tolist(), scores, strict=True)
        ]


class MaskedCompletions(CompletionAnswerer):
    """Fills a blank with single tokens, using one mask and one full vocabulary row."""

    def _encode(self, questions: Sequence[Completion]) -> Iterable[Blank | str]:
        tokenizer = self.model.tokenizer
        texts = [question.before + tokenizer.mask_token + question.after for question in questions]
        for question, ids in zip(questions, tokenizer(texts)["input_ids"] if texts else (), strict=True):
            if ids.count(tokenizer.mask_token_id) != 1:
                yield f"the text must hold the mask token once, but has it {ids.count(tokenizer.mask_token_id)} times"
            elif (reason := self.model.too_long(len(ids))) is not None:
                yield reason
            else:
                yield Blank(question, tuple(ids), ids.index(tokenizer.mask_token_id))

    def _batches(self, group: list[tuple[int, Blank]], batch_size: int | None) -> Iterable[Batch]:
        texts = Texts.of(blank.ids for _, blank in group)
        strategy = self.model.choose_strategy(texts, batch_size, self.full_positions)
        for chosen in groups(strategy.layout, texts, self.model.tokens_per_pass, batch_size, self.full_positions):
            yield Batch.of([group[k] for k in chosen.tolist()], strategy=strategy)

    def answer(self, items: Sequence[Blank], strategy: Strategy) -> list[Answer]:
        texts = Texts.of(blank.ids for blank in items)
        places = np.array([blank.position for blank in items])
        logits = self.model.logits_of(strategy, texts, np.arange(len(items)), places, None)
        return self.likeliest(logits, items[0].question)


def completed(
    sequences: Sequence[tuple[int, ...]], scores: Sequence[float], decode: Callable[[tuple[int, ...]], str]
) -> CompletionAnswer:
    """Convert token sequences and their scores to an answer."""
    if not all(-1e30 < score < 1e30 for score in scores):
        return CompletionAnswer(None, unread=NOT_FINITE)
    return CompletionAnswer(tuple(map(decode, sequences)), tuple(scores), tuple(sequences))


def decoded(model: LanguageModel, sequence: tuple[int, ...]) -> str:
    """Decode a token sequence to text."""
    # Keep a special token that is the whole completion; drop those that end a longer one.
    several = len(sequence) > 1
    text: str = model.tokenizer.decode(sequence, skip_special_tokens=several, clean_up_tokenization_spaces=False)
    return text.strip()


def whole_words(model: LanguageModel) -> torch.Tensor:
    """Return a mask of the vocabulary for whole words: no word pieces, punctuation or special tokens."""
    if model.words is None:
        width = model.width
        pieces = model.tokenizer.convert_ids_to_tokens(list(range(min(len(model.tokenizer), width))))
        texts = model.tokenizer.batch_decode([[k] for k in range(len(pieces))], clean_up_tokenization_spaces=False)
        special = set(model.tokenizer.all_special_ids)
        marks_spaces = any(piece.startswith(_SPACES) for piece in pieces)
        allowed = [
            token not in special
            and (piece.startswith(_SPACES) if marks_spaces else not piece.startswith("##"))
            and _WORD.fullmatch(text.strip()) is not None
            for token, (piece, text) in enumerate(zip(pieces, texts, strict=True))
        ]
        model.words = torch.tensor(allowed + [False] * (width - len(allowed)))
    return model.words
