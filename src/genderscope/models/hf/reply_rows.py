"""Generation of replies in the rows of a cache, many steps at a time; on an NVIDIA GPU, each step is a CUDA graph.

A step runs the model on the newest token of every row and chooses the next one, all on the device. The host looks at
the tokens only every few steps. When replies have ended, the next prompts take their rows. Each random number is a hash
of the reply's key and the number of its tokens so far, so that a reply depends only on its seed and prompt, not on the
replies next to it, their order or the batch size.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from genderscope.core.questions import Reply
from genderscope.models.hf.passes.base import LogitsModel
from genderscope.models.hf.passes.key_value_caches import RowCache


@dataclass
class PartialReply:
    """The tokens of a reply so far."""

    question: Reply
    prompt: tuple[int, ...]
    ends: frozenset[int]
    most: int
    tokens: list[int] = field(default_factory=list)

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

    def take(self, tokens: Sequence[int]) -> None:
        """Append tokens up to the end of the reply; those generated after it are dropped."""
        for token in tokens:
            if self.ended:
                return
            self.tokens.append(token)


#: constants of the splitmix64 generator (Steele, Lea and Flood 2014), as signed integers
_STEP = 0x9E3779B97F4A7C15 - (1 << 64)
_MIX = ((30, 0xBF58476D1CE4E5B9 - (1 << 64)), (27, 0x94D049BB133111EB - (1 << 64)))
_LAST_SHIFT = 31


def reply_key(seed: int, prompt: tuple[int, ...]) -> int:
    """Return the key of a reply's random numbers: 64 bits that depend only on the seed and the prompt."""
    digest = hashlib.sha256(repr((seed, prompt)).encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)


def uniform(keys: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
    """Return a number in [0, 1) for each key and count."""
    bits = keys + (counts + 1) * _STEP
    for shift, factor in _MIX:
        bits = (bits ^ _shifted(bits, shift)) * factor
    bits = bits ^ _shifted(bits, _LAST_SHIFT)
    return _shifted(bits, 11).double() * 2.0**-53


def _shifted(bits: torch.Tensor, by: int) -> torch.Tensor:
    """Shift 64 bits to the right, filling up with zeros."""
    return (bits >> by) & ((1 << (64 - by)) - 1)


class Sampler:
    """Chooses the next token of each reply: the most likely one at temperature 0, otherwise a random one."""

    def __init__(self, rows: int, device: torch.device) -> None:
        self.temperature = torch.zeros(rows, dtype=torch.float64, device=device)
        self.top_p = torch.ones(rows, dtype=torch.float64, device=device)
        self.keys = torch.zeros(rows, dtype=torch.int64, device=device)
        #: number of tokens of each reply so far
        self.counts = torch.zeros(rows, dtype=torch.int64, device=device)
        #: whether any reply is sampled, and whether any is restricted to a nucleus
        self.samples = self.nucleus = False

    def set(self, rows: torch.Tensor, questions: Sequence[Reply], prompts: Sequence[tuple[int, ...]]) -> None:
        """Start replies in these rows."""
        device = self.keys.device
        self.temperature[rows] = torch.tensor([q.temperature for q in questions], dtype=torch.float64, device=device)
        self.top_p[rows] = torch.tensor([q.top_p for q in questions], dtype=torch.float64, device=device)
        keys = [reply_key(q.seed, prompt) for q, prompt in zip(questions, prompts, strict=True)]
        self.keys[rows] = torch.tensor(keys, dtype=torch.int64, device=device)
        self.counts[rows] = 0
        sampled = [q for q in questions if q.temperature > 0]
        self.samples |= bool(sampled)
        self.nucleus |= any(q.top_p < 1 for q in sampled)

    def copy_rows(self, rows: torch.Tensor, into: torch.Tensor) -> None:
        """Copy rows to other rows."""
        for values in (self.temperature, self.top_p, self.keys, self.counts):
            values[into] = values[rows]

    def choose(self, logits: torch.Tensor, rows: slice | torch.Tensor) -> torch.Tensor:
        """Return the next token of these rows, given their logits [rows, vocabulary]."""
        likeliest = logits.argmax(-1)
        if self.samples:
            temperature = self.temperature[rows]
            drawn = self._drawn(logits, temperature, uniform(self.keys[rows], self.counts[rows]), self.top_p[rows])
            likeliest = torch.where(temperature > 0, drawn, likeliest)
        self.counts[rows] += 1
        return likeliest

    def _drawn(
        self, logits: torch.Tensor, temperature: torch.Tensor, numbers: torch.Tensor, top_p: torch.Tensor
    ) -> torch.Tensor:
        scale = torch.where(temperature > 0, temperature, 1.0)
        chances = (logits.double() / scale[:, None]).softmax(-1)
        if self.nucleus:
            chances = _nucleus(chances, top_p)
        sums = chances.cumsum(-1)
        token_ids = torch.searchsorted(sums, numbers[:, None] * sums[:, -1:], right=True)
        return token_ids[:, 0].clamp_max(logits.shape[-1] - 1)


def _nucleus(chances: torch.Tensor, top_p: torch.Tensor) -> torch.Tensor:
    """Keep the smallest set of most likely tokens whose total probability reaches `top_p` (nucleus sampling)."""
    ordered, places = chances.sort(dim=-1, descending=True, stable=True)
    beyond = ordered.cumsum(-1) - ordered >= top_p[:, None]
    beyond[:, 0] = False
    return chances.masked_fill(torch.zeros_like(beyond).scatter(-1, places, beyond), 0.0)


#: steps between two looks at the tokens, by device type
STEPS = {"cpu": 1, "cuda": 8, "mps": 4}
#: prompts added at a time, which bounds the memory that their keys and values take up before they are copied
ADDED = 128
#: waiting prompts are added once this fraction of the rows is free
FREE = 4
#: rows are reused for up to this many replies per row, and for replies shorter by at most this many columns
MOST_PER_ROW, MOST_SPARE = 4, 64
#: on a GPU, steps compute all rows or one of the fractions 1/SHRINK, 1/SHRINK**2 …
SHRINK = 4


class ReplyRows:
    """Rows in which replies grow. They are reused for later replies of the same model, with their graphs."""

    def __init__(self, model: LogitsModel, logits: str, rows: int, columns: int) -> None:
        self.model, self.rows = model, rows
        self.cache = RowCache(model, logits, rows, columns)
        self.sampler = Sampler(rows, model.device)
        self.steps = STEPS.get(model.device.type, 1)
        self.tokens = torch.zeros(rows, dtype=torch.int64, device=model.device)
        self.drawn = torch.zeros(rows, self.steps, dtype=torch.int64, device=model.device)
        self._turn = torch.zeros(1, dtype=torch.int64, device=model.device)
        self._graphs: dict[tuple[Any, ...], torch.cuda.CUDAGraph] = {}
        one_device = len(set((getattr(model.model, "hf_device_map", None) or {}).values())) < 2
        self._records = model.device.type == "cuda" and one_device
        self._memory: Any = None

    def fits(self, replies: int, columns: int, logits: str) -> bool:
        """Return whether replies of this length can be generated here without much waste."""
        own = self.cache
        enough = self.rows <= replies <= MOST_PER_ROW * self.rows
        return enough and columns <= own.columns <= columns + MOST_SPARE and logits == own.logits

    def generate(self, replies: Sequence[PartialReply]) -> None:
        """Complete all replies."""
        waiting = list(reversed(replies))
        live: list[PartialReply | None] = []  # by row; None if the row is free
        self.cache.move_to(0)
        self.sampler.samples = self.sampler.nucleus = False
        while waiting or any(live):
            free = self.rows - sum(reply is not None for reply in live)
            if waiting and (free == self.rows or free >= min(len(waiting), max(1, self.rows // FREE))):
                self._add(live, waiting)
            else:
                self._compact(live, len(waiting))
                self._advance(live)
            live = [None if reply is None or reply.ended else reply for reply in live]

    def _add(self, live: list[PartialReply | None], waiting: list[PartialReply]) -> None:
        """Put waiting replies into free rows, with their first tokens."""
        live += [None] * (min(self.rows, len(live) + len(waiting)) - len(live))
        rows = [row for row, reply in enumerate(live) if reply is None][: min(ADDED, len(waiting))]
        new = [waiting.pop() for _ in rows]
        prompts = [reply.prompt for reply in new]
        logits = self.cache.add(prompts, rows)
        into = self.model.tensor(rows)
        self.sampler.set(into, [reply.question for reply in new], prompts)
        first = self.sampler.choose(logits, into)
        self.tokens[into] = first
        for row, reply, token in zip(rows, new, first.tolist(), strict=True):
            live[row] = reply
            reply.take([token])

    def _advance(self, live: Sequence[PartialReply | None]) -> None:
        """Extend all rows by a few tokens."""
        if not any(live):
            return
        left = max(reply.most - len(reply.tokens) for reply in live if reply is not None)
        if self.cache.room < min(self.steps, left):
            self._make_room(live)
        rows = self._rows_to_run(len(live))
        self._turn.zero_()
        count = min(self.steps, left, self.cache.room)
        for _ in range(count):
            self._step(rows)
        taken = self.drawn[:rows, :count].tolist()
        for reply, tokens in zip(live, taken, strict=False):
            if reply is not None:
                reply.take(tokens)

    def _rows_to_run(self, used: int) -> int:
        """Return how many rows a step computes; on a GPU, one of a few numbers, each with its own graphs."""
        if not self._records:
            return used
        rows = self.rows
        while rows // SHRINK >= max(used, 8):
            rows //= SHRINK
        return rows

    def _step(self, rows: int) -> None:
        seen = self.cache.seen(rows)
        if self._records:
            key = (rows, seen, self.sampler.samples, self.sampler.nucleus)
            if key not in self._graphs:
                self._record(key, rows, seen)
            if key in self._graphs:
                self._graphs[key].replay()
                self.cache.next += 1
                return
        self._compute(rows, seen)
        self.cache.next += 1

    def _compute(self, rows: int, seen: tuple[int, int]) -> None:
        """Run one step on the device."""
        logits = self.cache.next_logits(self.tokens[:rows, None], seen)
        next_tokens = self.sampler.choose(logits, slice(0, rows))
        self.tokens[:rows] = next_tokens
        self.drawn[:rows].index_copy_(1, self._turn, next_tokens[:, None])
        self._turn += 1

    def _record(self, key: tuple[Any, ...], rows: int, seen: tuple[int, int]) -> None:
        """Record a step as a CUDA graph; models whose code needs the host's attention are run step by step instead."""
        state = (self.cache.column, self._turn, self.tokens, self.drawn, self.sampler.counts)
        before = [tensor.clone() for tensor in state]
        stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        stream.wait_stream(torch.cuda.current_stream())
        try:
            with torch.cuda.stream(stream):  # kernels are loaded and chosen before the recording
                self._compute(rows, seen)
            torch.cuda.current_stream().wait_stream(stream)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, pool=self._memory):
                self._compute(rows, seen)
            self._memory = self._memory or graph.pool()
            self._graphs[key] = graph
        except RuntimeError:
            self._records = False
            self._graphs.clear()
            torch.cuda.synchronize()
        for tensor, value in zip(state, before, strict=True):
            tensor.copy_(value)

    def _compact(self, live: list[PartialReply | None], waiting: int) -> None:
        """Move replies from the last rows to free ones, if fewer rows are then computed."""
        used = [row for row, reply in enumerate(live) if reply is not None]
        count = len(used)
        if self._rows_to_run(count) == self._rows_to_run(len(live)) or (self._records and waiting):
            return
        free, last = (sorted(set(range(count)) - set(used)), [row for row in used if row >= count])
        if last:
            rows, into = self.model.tensor(last), self.model.tensor(free)
            self.cache.copy_rows(rows, into)
            self.sampler.copy_rows(rows, into)
            self.tokens[into] = self.tokens[rows]
        for row, to in zip(last, free, strict=True):
            live[to] = live[row]
        del live[count:]

    def _make_room(self, live: Sequence[PartialReply | None]) -> None:
        """Move all rows to the left, over columns that no live row uses."""
        self.cache.move_to(max(len(r.prompt) + len(r.tokens) - 1 for r in live if r is not None))
