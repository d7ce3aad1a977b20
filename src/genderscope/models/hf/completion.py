"""Completions to fill a blank: single tokens from masked models; beam search and sampling with causal models."""

import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import numpy as np
import torch

from genderscope.core.errors import UserError
from genderscope.core.questions import Answer, Completion, CompletionAnswer
from genderscope.models.base import Batch, Plan
from genderscope.models.hf.blanks import NOT_FINITE
from genderscope.models.hf.language_model import FULL_LOGITS, Answerer, LanguageModel
from genderscope.models.hf.passes.base import Strategy, TokenizedTexts
from genderscope.models.hf.passes.key_value_caches import Path, Reader, choose_prefix_cache, reader
from genderscope.models.hf.passes.layouts import groups
from genderscope.models.hf.passes.needed_logits import log_normalisers


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A partial continuation and its log-probability."""

    tokens: Path
    score: float

    @property
    def mean(self) -> float:
        """The log-probability per token, used to rank finished continuations of different lengths."""
        return self.score / len(self.tokens)

    def plus(self, token: int, score: float) -> "Hypothesis":
        """Return the continuation extended by one token."""
        return Hypothesis((*self.tokens, token), self.score + score)


@dataclass
class Search(ABC):
    """The search for continuations of one text. `running` contains the continuations to be extended next."""

    question: Completion
    ends: frozenset[int]
    before: Path
    running: list[Hypothesis] = field(default_factory=lambda: [Hypothesis((), 0.0)])
    #: finished continuations; k at the end of the search
    finished: list[Hypothesis] = field(default_factory=list)

    @abstractmethod
    def take(self, log_probs: torch.Tensor) -> None:
        """Extend the running continuations, given the log-probabilities [running, vocabulary] of the next token."""

    def _ends(self, hypothesis: Hypothesis) -> bool:
        return hypothesis.tokens[-1] in self.ends or len(hypothesis.tokens) == self.question.new_tokens


@dataclass
class BeamSearch(Search):
    """Beam search with k beams, as in transformers' `generate` (no early stopping, length penalty 1)."""

    open: bool = True

    def take(self, log_probs: torch.Tensor) -> None:
        k = self.question.k
        # Take enough candidates to continue k beams even if the best ones are all complete.
        width = max(2, 1 + len(self.ends)) * k
        values, tokens = log_probs.topk(min(width, log_probs.shape[-1]))
        totals = values + torch.tensor([h.score for h in self.running], device=values.device)[:, None]
        best = totals.flatten().topk(min(width, totals.numel())).indices
        beams, columns = (best // totals.shape[1]).tolist(), (best % totals.shape[1]).tolist()
        token_ids, scores = tokens.tolist(), values.tolist()
        candidates = [self.running[b].plus(token_ids[b][c], scores[b][c]) for b, c in zip(beams, columns, strict=True)]
        if self.open:
            self.finished += filter(self._ends, candidates[:k])
            self.finished = sorted(self.finished, key=lambda h: -h.mean)[:k]
        self.running = [h for h in candidates if not self._ends(h)][:k]
        if not self.running or (len(self.finished) == k and self.running[0].mean <= self.finished[-1].mean):
            self.open, self.running = False, []


@dataclass
class SamplingSearch(Search):
    """k independent random continuations. The samples depend only on the seed and the text."""

    def __post_init__(self) -> None:
        self._generator = seeded_generator(self.question.seed, self.before)

    def take(self, log_probs: torch.Tensor) -> None:
        row = {h.tokens: k for k, h in enumerate(self.running)}
        drawn = self.finished or [Hypothesis((), 0.0)] * self.question.k
        live = [k for k, h in enumerate(drawn) if h.tokens in row]
        rows = log_probs.cpu()[[row[drawn[k].tokens] for k in live]]
        tokens = torch.multinomial(rows.exp(), 1, generator=self._generator)
        scores = rows.gather(1, tokens)
        for k, token, score in zip(live, tokens[:, 0].tolist(), scores[:, 0].tolist(), strict=True):
            drawn[k] = drawn[k].plus(token, score)
        self.finished = drawn
        # Identical continuations are computed once.
        self.running = list({h.tokens: h for h in drawn if not self._ends(h)}.values())


def seeded_generator(seed: int, text: Path) -> torch.Generator:
    """Return a random generator whose numbers depend only on the seed and the text."""
    digest = hashlib.sha256(repr((seed, text)).encode()).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest[:7], "big"))


def end_tokens(model: Any, default: int | None = None) -> frozenset[int]:
    """Return the end-of-text tokens from a transformers model's generation config, or else the default."""
    ends = getattr(getattr(model, "generation_config", None), "eos_token_id", None)
    ends = default if ends is None else ends
    return frozenset(() if ends is None else [ends] if isinstance(ends, int) else ends)


def run(searches: Sequence[Search], next_logits: Reader) -> None:
    """Run all searches to completion, with one pass per step for all of them."""
    while live := [search for search in searches if search.running]:
        paths = [search.before + h.tokens for search in live for h in search.running]
        log_probs = next_logits(paths).log_softmax(-1)
        start = 0
        for search in live:
            count = len(search.running)
            search.take(log_probs[start : start + count])
            start += count


#: a whole word: letters and digits, with hyphens and apostrophes only in between
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
#: symbols for the space before a word in byte-level and SentencePiece tokenizers
_SPACES = ("Ġ", "▁")
#: maximum rows per tree; every continuation attends to the whole tree, so the tree's size must be bounded
MOST_ROWS = {"cpu": 256, "cuda": 512}


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
            raise UserError(f"K is {question.k}; use 1 to {size:,}, the vocabulary size of '{self.model.name}'.")

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
        """Return one answer per row of logits: its k most likely tokens."""
        normalisers = log_normalisers(logits)[:, None]
        if question.whole_words:
            words = whole_words(self.model, logits.shape[-1])
            if question.k > (possible := int(words.sum())):
                raise UserError(f"K is {question.k}, but '{self.model.name}' has only {possible:,} whole-word tokens.")
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
                yield f"the text must contain the mask token once, not {ids.count(tokenizer.mask_token_id)} times"
            elif (reason := self.model.too_long(len(ids))) is not None:
                yield reason
            else:
                yield Blank(question, tuple(ids), ids.index(tokenizer.mask_token_id))

    def _batches(self, group: list[tuple[int, Blank]], batch_size: int | None) -> Iterable[Batch]:
        texts = TokenizedTexts.of(blank.ids for _, blank in group)
        strategy = self.model.exactness.choose_strategy(texts, batch_size, self.full_positions)
        for selected in groups(strategy.layout, texts, self.model.tokens_per_pass, batch_size, self.full_positions):
            yield Batch.of([group[k] for k in selected.tolist()], strategy=strategy)

    def answer(self, items: Sequence[Blank], strategy: Strategy) -> list[Answer]:
        texts = TokenizedTexts.of(blank.ids for blank in items)
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
    # Keep a special token that is the whole completion; drop special tokens that end a longer completion.
    several = len(sequence) > 1
    text: str = model.tokenizer.decode(sequence, skip_special_tokens=several, clean_up_tokenization_spaces=False)
    return text.strip()


def whole_words(model: LanguageModel, width: int) -> torch.Tensor:
    """Return a mask over `width` logits that excludes word pieces, punctuation and special tokens."""
    if model.words is None:
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


class CausalCompletions(CompletionAnswerer):
    """Continues the text before the blank, only once for all questions that share this text."""

    def settings(self, question: Completion) -> tuple[Any, ...]:
        return (*super().settings(question), question.new_tokens, question.search, question.seed)

    def _encode(self, questions: Sequence[Completion]) -> Iterable[Blank | str]:
        # A word's first token includes the preceding space, so the text must end before that space.
        texts = [question.before.rstrip() for question in questions]
        encoded = self.model.tokenizer(texts, return_special_tokens_mask=True) if texts else None
        for k, question in enumerate(questions):
            assert encoded is not None
            ids, special = list(encoded["input_ids"][k]), list(encoded["special_tokens_mask"][k])
            while ids and special[-1] and not all(special):  # drop a final end-of-text token, which would end the text
                ids.pop(), special.pop()
            if not ids or (not texts[k] and not any(special)):
                yield "there is no text before the blank and the tokenizer adds no beginning-of-text token"
            elif (reason := self.model.too_long(len(ids) + question.new_tokens - 1)) is not None:
                yield reason
            else:
                yield Blank(question, tuple(ids), len(ids) - 1)

    def _batches(self, group: list[tuple[int, Blank]], batch_size: int | None) -> Iterable[Batch]:
        question = group[0][1].question
        strategy = self.model.exactness.choose_strategy(TokenizedTexts.of(blank.ids for _, blank in group), batch_size)
        batches = list(self._cut(group, question, strategy, batch_size))
        if self._searches(question):
            texts = [TokenizedTexts.of(dict.fromkeys(blank.ids for _, blank in batch)) for batch in batches]
            strategy = choose_prefix_cache(self.model, texts, strategy, question.k, question.new_tokens - 1)
        yield from (Batch.of(batch, strategy=strategy) for batch in batches)

    def _cut(
        self, group: list[tuple[int, Blank]], question: Completion, strategy: Strategy, batch_size: int | None
    ) -> Iterator[list[tuple[int, Blank]]]:
        """Split a group into batches, keeping equal texts and texts with a common prefix together."""
        by_text: dict[tuple[int, ...], list[tuple[int, Blank]]] = {}
        for index, blank in group:
            by_text.setdefault(blank.ids, []).append((index, blank))
        pairs = list(by_text.values())
        model, wide = self.model, question.k if question.new_tokens > 1 else 1
        most_rows = MOST_ROWS.get(model.device.type, MOST_ROWS["cpu"])
        most = max(1, min(model.tokens_per_pass, most_rows, FULL_LOGITS // len(model.tokenizer)) // wide)
        for selected in groups(strategy.layout, TokenizedTexts.of(by_text), model.tokens_per_pass, batch_size, most):
            yield [pair for k in selected.tolist() for pair in pairs[k]]

    def answer(self, items: Sequence[Blank], strategy: Strategy) -> list[Answer]:
        question = items[0].question
        texts = list(dict.fromkeys(blank.ids for blank in items))
        following = reader(self.model, strategy)
        if self._searches(question):
            answers = self._search(texts, question, following)
        else:
            answers = self.likeliest(following(texts), question)
        answers_by_text = dict(zip(texts, answers, strict=True))
        return [answers_by_text[blank.ids] for blank in items]

    def _searches(self, question: Completion) -> bool:
        return question.new_tokens > 1 or question.search == "sample"

    def _search(self, texts: Sequence[tuple[int, ...]], question: Completion, following: Reader) -> list[Answer]:
        kind: type[Search] = BeamSearch if question.search == "beam" else SamplingSearch
        searches = [kind(question, end_tokens(self.model.model), text) for text in texts]
        run(searches, following)
        decode = partial(decoded, self.model)
        return [
            completed([h.tokens for h in search.finished], [h.score for h in search.finished], decode)
            for search in searches
        ]
