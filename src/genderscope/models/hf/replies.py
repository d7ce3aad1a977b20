"""Replies of causal models, generated in parallel or, if that would be inexact, with transformers' `generate`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from transformers import GenerationConfig, LogitsProcessor

from genderscope.core.questions import Answer, Reply, ReplyAnswer
from genderscope.models.base import Batch, Plan
from genderscope.models.chat import without_thoughts
from genderscope.models.hf.blanks import NOT_FINITE
from genderscope.models.hf.conversation import Prompt
from genderscope.models.hf.language_model import Answerer
from genderscope.models.hf.passes.row_cache import RowCache, choose_row_cache
from genderscope.models.hf.passes.strategies import ALONE, Strategy
from genderscope.models.hf.passes.texts import Texts
from genderscope.models.hf.search import end_tokens, seeded_generator

#: number of replies generated in parallel, by device type; a batch contains `REFILLS` times as many
ROWS = {"cpu": 32, "cuda": 256, "mps": 64}
REFILLS = 3
#: memory for keys and values in bytes, by device type
KEPT = {"cpu": 2 << 30, "cuda": 16 << 30, "mps": 2 << 30}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its prompt and the maximum length of its reply."""

    question: Reply
    prompt: Prompt
    most: int


@dataclass
class GrowingReply:
    """A partial reply. The sampled tokens depend only on its seed and prompt, not on other questions."""

    question: Reply
    prompt: tuple[int, ...]
    ends: frozenset[int]
    most: int
    tokens: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._generator = seeded_generator(self.question.seed, self.prompt)

    @property
    def ended(self) -> bool:
        """Whether the reply is complete or has reached the maximum length."""
        return self.complete or len(self.tokens) >= self.most

    @property
    def complete(self) -> bool:
        """Whether the reply ends with an end-of-text token."""
        return bool(self.tokens) and self.tokens[-1] in self.ends

    @property
    def said(self) -> list[int]:
        """The reply without its end-of-text token."""
        return self.tokens[:-1] if self.complete else self.tokens

    def take(self, logits: torch.Tensor) -> int:
        """Select the next token from logits [vocabulary], append it and return it."""
        self.tokens.append(self._chosen(logits))
        return self.tokens[-1]

    def _chosen(self, logits: torch.Tensor) -> int:
        if self.question.temperature == 0:
            return int(logits.argmax())
        chances = (logits.double() / self.question.temperature).softmax(-1).cpu()
        drawn = torch.rand(1, generator=self._generator, dtype=torch.float64)
        if self.question.top_p < 1:
            chances = _nucleus(chances, self.question.top_p)
        sums = chances.cumsum(-1)
        return min(int(torch.searchsorted(sums, drawn * sums[-1], right=True)), len(sums) - 1)


def _nucleus(chances: torch.Tensor, top_p: float) -> torch.Tensor:
    """Keep the smallest set of most likely tokens whose total probability reaches `top_p` (nucleus sampling)."""
    ordered, places = chances.sort(descending=True)
    beyond = ordered.cumsum(-1) - ordered >= top_p
    beyond[0] = False
    return chances.scatter(0, places[beyond], 0.0)


class CausalReplies(Answerer):
    """Generates replies, many at a time."""

    def plan(self, questions: Sequence[Reply], batch_size: int | None) -> Plan:
        immediate: list[tuple[int, Answer]] = []
        asked: list[tuple[int, Asked]] = []
        for index, question in enumerate(questions):
            prompt = self.model.conversation.prompt(question)
            if (reason := self.model.too_long(len(prompt.ids) + 1)) is not None:
                immediate.append((index, ReplyAnswer(None, unread=reason)))
            else:
                most = min(question.max_tokens, self.model.longest - len(prompt.ids))
                asked.append((index, Asked(question, prompt, most)))
        return Plan(tuple(immediate), tuple(self._batches(asked, batch_size)))

    def _batches(self, asked: list[tuple[int, Asked]], batch_size: int | None) -> Iterator[Batch]:
        if not asked:
            return
        texts = list(dict.fromkeys(each.prompt.ids for _, each in asked))
        strategy = self.model.exactness.choose_strategy(Texts.of(texts), batch_size)
        strategy = choose_row_cache(self.model, texts, strategy, max(each.most for _, each in asked) - 1)
        # Place prompts with a common prefix next to each other or, without a row cache, sort prompts by length.
        key = (lambda a: (a[1].prompt.ids, a[0])) if strategy.rows else (lambda a: (len(a[1].prompt.ids), a[0]))
        ordered = sorted(asked, key=key)
        size = batch_size or (1 if strategy.layout == ALONE else REFILLS * self._rows(ordered))
        for start in range(0, len(ordered), size):
            yield Batch.of(ordered[start : start + size], strategy=strategy)

    def _rows(self, asked: Sequence[tuple[int, Asked]]) -> int:
        """Return the number of replies to generate in parallel."""
        kind = self.model.device.type
        longest = max(len(each.prompt.ids) + each.most for _, each in asked)
        fitting = KEPT.get(kind, KEPT["cpu"]) // max(1, longest * self._bytes_per_token())
        return max(1, min(ROWS.get(kind, ROWS["cpu"]), fitting))

    def _bytes_per_token(self) -> int:
        config: Any = self.model.model.config
        text = config.get_text_config()
        heads = getattr(text, "num_attention_heads", None) or 1
        width = getattr(text, "head_dim", None) or (getattr(text, "hidden_size", None) or 1) // heads
        kept = getattr(text, "num_key_value_heads", None) or heads
        layers = getattr(text, "num_hidden_layers", None) or 1
        return 2 * layers * kept * width * self.model.dtype.itemsize

    def answer(self, items: Sequence[Asked], strategy: Strategy) -> list[Answer]:
        ends = end_tokens(self.model.model, self.model.tokenizer.eos_token_id)
        growing = [GrowingReply(item.question, item.prompt.ids, ends, item.most) for item in items]
        if strategy.rows:
            self._side_by_side(growing, strategy, self._rows(list(enumerate(items))))
        else:
            for alike in _of_one_length(growing, 1 if strategy.layout == ALONE else ROWS["cpu"]):
                self._generate(alike)
        return [self._said(item, reply) for item, reply in zip(items, growing, strict=True)]

    def _side_by_side(self, replies: Sequence[GrowingReply], strategy: Strategy, rows: int) -> None:
        waiting = list(reversed(replies))
        live: list[GrowingReply] = []
        kept = RowCache(self.model, strategy.logits)
        while live or waiting:
            room = rows - len(live)
            # Prompts are added in groups, so that shared prefixes are computed once.
            if waiting and (not live or room >= min(len(waiting), max(1, rows // 4))):
                new = [waiting.pop() for _ in range(min(room, len(waiting)))]
                for reply, logits in zip(new, kept.add([reply.prompt for reply in new]), strict=True):
                    reply.take(logits)
                live += new
            else:
                for reply, logits in zip(live, kept.next_logits([reply.tokens[-1:] for reply in live]), strict=True):
                    reply.take(logits)
            left = [k for k, reply in enumerate(live) if not reply.ended]
            if len(left) < len(live):
                kept.keep(left)
                live = [live[k] for k in left]

    def _generate(self, replies: Sequence[GrowingReply]) -> None:
        """Generate replies to prompts of equal length with transformers' `generate`, sampling with `GrowingReply`."""
        ids = self.model.tensor(token for reply in replies for token in reply.prompt).view(len(replies), -1)
        ends = sorted(replies[0].ends)
        settings: Any = GenerationConfig
        how = settings(
            max_new_tokens=max(reply.most for reply in replies),
            do_sample=False,
            num_beams=1,
            repetition_penalty=1.0,
            no_repeat_ngram_size=0,
            eos_token_id=ends or None,
            pad_token_id=ends[0] if ends else 0,
        )
        self.model.model.generate(
            ids, attention_mask=torch.ones_like(ids), generation_config=how, logits_processor=[_Drawing(replies)]
        )

    def _said(self, item: Asked, reply: GrowingReply) -> Answer:
        if not reply.tokens:
            return ReplyAnswer(None, unread=NOT_FINITE)
        decode = self.model.tokenizer.decode
        text = decode(reply.said, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        said, thought = without_thoughts(text, item.prompt.thinking)
        return ReplyAnswer(said, thought, None if reply.complete else "length")


class _Drawing(LogitsProcessor):
    """Logits processor that makes `generate` use the tokens sampled by `GrowingReply`."""

    def __init__(self, replies: Sequence[GrowingReply]) -> None:
        self.replies = replies

    def __call__(self, _ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        only = torch.full_like(scores, -torch.inf)
        for k, reply in enumerate(self.replies):
            only[k, next(iter(reply.ends), 0) if reply.ended else reply.take(scores[k])] = 0.0
        return only


def _of_one_length(replies: Sequence[GrowingReply], most: int) -> Iterator[list[GrowingReply]]:
    by_length: dict[int, list[GrowingReply]] = {}
    for reply in replies:
        by_length.setdefault(len(reply.prompt), []).append(reply)
    for alike in by_length.values():
        yield from (alike[start : start + most] for start in range(0, len(alike), most))
