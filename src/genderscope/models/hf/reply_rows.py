"""Generation of replies in the rows of a cache, many steps at a time; on an NVIDIA GPU, each step is a CUDA graph.

A step runs the model on the newest token of every row and chooses the next one, all on the device. The host looks at
the tokens only every few steps. When replies have ended, the next prompts take their rows.
"""

from collections.abc import Sequence
from typing import Any

import torch

from genderscope.models.hf.partial_reply import PartialReply
from genderscope.models.hf.passes.protocol import LogitsModel
from genderscope.models.hf.passes.row_cache import RowCache
from genderscope.models.hf.sampling import Sampler

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
        chosen = self.sampler.choose(logits, slice(0, rows))
        self.tokens[:rows] = chosen
        self.drawn[:rows].index_copy_(1, self._turn, chosen[:, None])
        self._turn += 1

    def _record(self, key: tuple[Any, ...], rows: int, seen: tuple[int, int]) -> None:
        """Record a step as a CUDA graph; models whose code needs the host's attention are run step by step instead."""
        state = (self.cache.column, self._turn, self.tokens, self.drawn, self.sampler.counts)
        before = [each.clone() for each in state]
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
        for each, value in zip(state, before, strict=True):
            each.copy_(value)

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
