"""Replies and translations of causal models, generated in parallel or, if that would be inexact, with `generate`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import torch
from transformers import GenerationConfig, LogitsProcessor

from genderscope.core.questions import Answer, Reply, ReplyAnswer, Translation
from genderscope.models.base import Batch, Plan
from genderscope.models.chat import TranslationPrompt, translation_in, without_thoughts
from genderscope.models.hf.blanks import NOT_FINITE
from genderscope.models.hf.completion import end_tokens
from genderscope.models.hf.conversation import Prompt
from genderscope.models.hf.language_model import Answerer
from genderscope.models.hf.passes.base import ALONE, Strategy, TokenizedTexts
from genderscope.models.hf.passes.key_value_caches import PART, choose_row_cache
from genderscope.models.hf.reply_rows import PartialReply, ReplyRows, Sampler

#: number of replies generated in parallel, by device type; a batch contains `REFILLS` times as many
ROWS = {"cpu": 32, "cuda": 768, "mps": 64}
REFILLS = 3
#: memory for keys and values in bytes; on an NVIDIA GPU, this fraction of the free memory
KEPT = 2 << 30
KEPT_ON_GPU = 0.6


@dataclass(frozen=True, slots=True)
class ReplyItem:
    """A question with its prompt and the maximum length of its reply."""

    question: Reply
    prompt: Prompt
    most: int


class CausalReplies(Answerer):
    """Generates replies, many at a time."""

    def plan(self, questions: Sequence[Reply], batch_size: int | None) -> Plan:
        immediate: list[tuple[int, Answer]] = []
        asked: list[tuple[int, ReplyItem]] = []
        for index, question in enumerate(questions):
            prompt = self.model.conversation.prompt(question)
            if (reason := self.model.too_long(len(prompt.ids) + 1)) is not None:
                immediate.append((index, ReplyAnswer(None, unread=reason)))
            else:
                most = min(question.max_tokens, self.model.longest - len(prompt.ids))
                asked.append((index, ReplyItem(question, prompt, most)))
        return Plan(tuple(immediate), tuple(self._batches(asked, batch_size)))

    def _batches(self, asked: list[tuple[int, ReplyItem]], batch_size: int | None) -> Iterator[Batch]:
        if not asked:
            return
        texts = list(dict.fromkeys(item.prompt.ids for _, item in asked))
        strategy = self.model.exactness.choose_strategy(TokenizedTexts.of(texts), batch_size)
        strategy = choose_row_cache(self.model, texts, strategy, max(item.most for _, item in asked) - 1)
        # Place prompts with a common prefix next to each other or, without a row cache, sort prompts by length.
        key = (lambda a: (a[1].prompt.ids, a[0])) if strategy.rows else (lambda a: (len(a[1].prompt.ids), a[0]))
        ordered = sorted(asked, key=key)
        size = batch_size or (1 if strategy.layout == ALONE else REFILLS * self._rows(ordered))
        for start in range(0, len(ordered), size):
            yield Batch.of(ordered[start : start + size], strategy=strategy)

    def _rows(self, asked: Sequence[tuple[int, ReplyItem]]) -> int:
        """Return the number of replies to generate in parallel."""
        kind = self.model.device.type
        kept = self._columns(asked) * self._bytes_per_token()
        memory = KEPT_ON_GPU * _free_memory(self.model.device) if kind == "cuda" else KEPT
        return max(1, min(ROWS.get(kind, ROWS["cpu"]), int(memory // max(1, kept)), len(asked)))

    def _columns(self, asked: Sequence[tuple[int, ReplyItem]]) -> int:
        """Return the width of the cache, in tokens: the longest prompt with its reply, and some room."""
        longest = max(len(item.prompt.ids) + item.most for _, item in asked)
        return -(-(longest + PART) // PART) * PART

    def _bytes_per_token(self) -> int:
        config: Any = self.model.model.config
        text = config.get_text_config()
        heads = getattr(text, "num_attention_heads", None) or 1
        width = getattr(text, "head_dim", None) or (getattr(text, "hidden_size", None) or 1) // heads
        kept = getattr(text, "num_key_value_heads", None) or heads
        layers = getattr(text, "num_hidden_layers", None) or 1
        return 2 * layers * kept * width * self.model.dtype.itemsize

    def answer(self, items: Sequence[ReplyItem], strategy: Strategy) -> list[Answer]:
        ends = end_tokens(self.model.model, self.model.tokenizer.eos_token_id)
        replies = [PartialReply(item.question, item.prompt.ids, ends, item.most) for item in items]
        if strategy.rows:
            self._reply_rows(list(enumerate(items)), strategy).generate(replies)
        else:
            for alike in _of_one_length(replies, 1 if strategy.layout == ALONE else ROWS["cpu"]):
                self._generate(alike)
        return [self._said(item, reply) for item, reply in zip(items, replies, strict=True)]

    def _reply_rows(self, asked: Sequence[tuple[int, ReplyItem]], strategy: Strategy) -> ReplyRows:
        """Return the model's rows for replies, those of the last batch if they fit."""
        columns = self._columns(asked)
        rows: ReplyRows | None = self.model.reply_rows
        if rows is not None and rows.fits(len(asked), columns, strategy.logits):
            return rows
        self.model.reply_rows = rows = None  # frees its memory before the new rows are sized
        self.model.reply_rows = made = ReplyRows(self.model, strategy.logits, self._rows(asked), columns)
        return made

    def _generate(self, replies: Sequence[PartialReply]) -> None:
        """Generate replies to prompts of equal length with transformers' `generate`, sampling with `Sampler`."""
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
            ids,
            attention_mask=torch.ones_like(ids),
            generation_config=how,
            logits_processor=[_Drawing(replies, self.model.device)],
        )

    def _said(self, item: ReplyItem, reply: PartialReply) -> Answer:
        if not reply.tokens:
            return ReplyAnswer(None, unread=NOT_FINITE)
        decode = self.model.tokenizer.decode
        text = decode(reply.said, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        said, thought = without_thoughts(text, item.prompt.thinking)
        return ReplyAnswer(said, thought, None if reply.complete else "length")


def _free_memory(device: torch.device) -> int:
    """Return the free memory of a GPU in bytes, including what torch has reserved but does not use."""
    unused = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
    return torch.cuda.mem_get_info(device)[0] + unused


class _Drawing(LogitsProcessor):
    """Logits processor that makes `generate` use the tokens chosen by `Sampler`."""

    def __init__(self, replies: Sequence[PartialReply], device: torch.device) -> None:
        self.replies = replies
        self.all = torch.arange(len(replies), device=device)
        self.sampler = Sampler(len(replies), device)
        self.sampler.set(self.all, [reply.question for reply in replies], [reply.prompt for reply in replies])

    def __call__(self, _ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        drawn = self.sampler.choose(scores.float(), self.all)
        for reply, token in zip(self.replies, drawn.tolist(), strict=True):
            reply.take([token])
        done = [next(iter(reply.ends), 0) if reply.ended else reply.tokens[-1] for reply in self.replies]
        tokens = torch.tensor(done, device=scores.device)
        return torch.full_like(scores, -torch.inf).scatter(1, tokens[:, None], 0.0)


def _of_one_length(replies: Sequence[PartialReply], most: int) -> Iterator[list[PartialReply]]:
    by_length: dict[int, list[PartialReply]] = {}
    for reply in replies:
        by_length.setdefault(len(reply.prompt), []).append(reply)
    for alike in by_length.values():
        yield from (alike[start : start + most] for start in range(0, len(alike), most))


class CausalTranslations(CausalReplies):
    """Prompts a chat model to translate; each item is a prompt with its question."""

    def plan(self, questions: Sequence[Translation], batch_size: int | None) -> Plan:  # type: ignore[override]
        prompt: TranslationPrompt = self.model.translation  # type: ignore[attr-defined] # every causal model has one
        plan = super().plan([prompt.ask(question) for question in questions], batch_size)
        immediate = tuple((k, translation_in(cast(ReplyAnswer, reply), questions[k])) for k, reply in plan.immediate)
        batches = tuple(
            replace(batch, items=tuple(zip(batch.items, (questions[k] for k in batch.indices), strict=True)))
            for batch in plan.batches
        )
        return Plan(immediate, batches)

    def answer(self, items: Sequence[tuple[ReplyItem, Translation]], strategy: Strategy) -> list[Answer]:  # type: ignore[override]
        replies = super().answer([asked for asked, _ in items], strategy)
        questions = [question for _, question in items]
        return [translation_in(cast(ReplyAnswer, r), q) for r, q in zip(replies, questions, strict=True)]
