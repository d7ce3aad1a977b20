"""Key-value caches for generating many texts at once.

`PrefixCache` extends continuations: all texts share one row, and each new token is computed once and attends to its
ancestors, so that no text is computed twice, no cache is copied or reordered, and nothing is padded.

`RowCache` extends replies, with one row per reply. Rows are right-aligned: the newest token of every row is in the same
column, so that a step writes a single column. Shared prompt prefixes are computed once, in a prefix tree, whose keys
and values are then copied to the rows. A token attends only to its own row, which suits long replies. The buffers stay
where they are, as CUDA graphs require.
"""

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Any

import numpy as np
import torch
from transformers import DynamicCache
from transformers.integrations.sdpa_attention import sdpa_attention_forward

from genderscope.models.hf.passes.attention import attending
from genderscope.models.hf.passes.base import PREFIX_TREE, LogitsModel, Strategy, TokenizedTexts
from genderscope.models.hf.passes.exactness_check import CheckedSize
from genderscope.models.hf.passes.layouts import LAYOUTS, ForwardPass, Pack
from genderscope.models.hf.passes.needed_logits import LOGITS, Needed

Path = tuple[int, ...]
#: function that returns the next-token logits [paths, vocabulary]; called repeatedly with longer paths
Reader = Callable[[Sequence[Path]], torch.Tensor]


class PrefixCache:
    """Caches the keys and values of all tokens so far and computes only new tokens."""

    def __init__(self, model: LogitsModel, logits: str) -> None:
        from transformers import DynamicCache

        self.model = model
        self.logits = logits
        self.pack = Pack()
        self.cache = DynamicCache()

    def next_logits(self, paths: Sequence[Path]) -> torch.Tensor:
        """Return the next-token logits [paths, vocabulary]."""
        model, pack = self.model, self.pack
        cached_count = len(pack.tokens)
        ends = [pack.add(path)[-1] for path in paths]
        # A path may end inside another path already in the cache; its last token is then recomputed to get its logits.
        ends = [end if end >= cached_count else self._again(end) for end in ends]
        attends = [
            (node - cached_count, seen) for node in range(cached_count, len(pack.tokens)) for seen in self._line(node)
        ]
        mask = torch.full(
            (len(pack.tokens) - cached_count, len(pack.tokens)), torch.finfo(model.dtype).min, dtype=model.dtype
        )
        mask[tuple(torch.tensor(attends).T)] = 0
        inputs = {
            "input_ids": model.tensor(pack.tokens[cached_count:])[None],
            "position_ids": model.tensor(pack.depths[cached_count:])[None],
            "attention_mask": mask[None, None].to(model.device),
            "past_key_values": self.cache,
            "use_cache": True,
        }
        columns = model.tensor(end - cached_count for end in ends)
        return LOGITS[self.logits](model.model, inputs, Needed(torch.zeros_like(columns), columns), None)

    def _line(self, node: int) -> Iterator[int]:
        """Yield a node and its ancestors, bottom up."""
        while node >= 0:
            yield node
            node = self.pack.parents[node]

    def _again(self, node: int) -> int:
        """Append a copy of a cached node."""
        for kept in (self.pack.tokens, self.pack.parents, self.pack.depths):
            kept.append(kept[node])
        return len(self.pack.tokens) - 1


def reader(model: LogitsModel, strategy: Strategy) -> Reader:
    """Return the reader for this strategy; without a cache, it recomputes every path from the beginning."""
    if strategy.cache:
        return PrefixCache(model, strategy.logits).next_logits

    def reread(paths: Sequence[Path]) -> torch.Tensor:
        texts = TokenizedTexts.of(paths)
        return model.logits_of(strategy, texts, np.arange(len(texts)), texts.lengths - 1, None)

    return reread


def choose_prefix_cache(
    model: LogitsModel, batches: Sequence[TokenizedTexts], strategy: Strategy, beams: int, steps: int
) -> Strategy:
    """Return the strategy for extending these texts by `steps` tokens: with a prefix cache if that is exact."""
    if strategy.layout != PREFIX_TREE or not batches:
        return strategy
    kept = strategy._replace(cache=True)
    sizes = [CheckedSize(int(t.lengths.max()) + steps, int(t.lengths.sum()) + len(t) * beams * steps) for t in batches]
    reach = CheckedSize(max(size.longest for size in sizes), max(size.widest for size in sizes))
    hardest = dict.fromkeys(sizes.index(max(sizes, key=attrgetter(which))) for which in ("longest", "widest"))

    def attempt() -> str | None:
        failures = (_try_cache(model, batches[k], kept, beams, steps) for k in hardest)
        return next((failure for failure in failures if failure is not None), None)

    return kept if model.exactness.is_exact(kept, reach, attempt) else strategy


def _try_cache(model: LogitsModel, texts: TokenizedTexts, strategy: Strategy, beams: int, steps: int) -> str | None:
    """Extend the longest text in a batch along every beam; return why the cache is inexact, or None."""
    paths = [tuple(texts[np.array([k])].ids.tolist()) for k in range(len(texts))]
    longest = max(paths, key=len)
    token_ids = sorted(set(longest))
    tree = PrefixCache(model, strategy.logits)
    tree.next_logits(list(dict.fromkeys(paths)))
    grown = [longest] * beams
    for step in range(steps):
        grown = [(*path, token_ids[(step + beam) % len(token_ids)]) for beam, path in enumerate(grown)]
        logits = tree.next_logits(list(dict.fromkeys(grown)))
    checked = list(dict.fromkeys(grown))[-1]
    gap = model.exactness.gap(TokenizedTexts.of([checked]), logits[-1:], np.array([len(checked) - 1]))
    return None if gap.share <= 1 else f"logits differ by {gap.gap:.2g} after {len(checked)} tokens"


#: on a GPU, every number of columns needs its own graph, so the columns that a step reads come in about this many
#: parts, each a multiple of `PART`
PARTS, PART = 12, 16
#: tokens generated by a check, unless the configuration limits attention to a window
TRIED = 24
#: configuration entries that limit attention to a window
_WINDOWS = ("sliding_window", "attention_chunk_size", "window_size", "local_attention", "attention_window")


class RowCache:
    """A key-value cache of fixed size with one row per text."""

    def __init__(self, model: LogitsModel, logits: str, rows: int, columns: int) -> None:
        self.model, self.logits, self.rows, self.columns = model, logits, rows, columns
        #: keys and values of each layer, [rows, heads, columns, dimensions]; allocated when texts are first added
        self.layers: list[tuple[torch.Tensor, torch.Tensor]] = []
        #: first used column of each row
        self.start = torch.zeros(rows, dtype=torch.int64, device=model.device)
        #: the next column to be written, on the device and on the host
        self.column = torch.zeros(1, dtype=torch.int64, device=model.device)
        self.next = 0
        self._place = torch.arange(columns, device=model.device)
        self._part = -(-columns // (PARTS * PART)) * PART

    @property
    def room(self) -> int:
        """The number of columns left."""
        return self.columns - self.next

    def add(self, texts: Sequence[Path], rows: Sequence[int]) -> torch.Tensor:
        """Write texts into these rows; return the next-token logits for each."""
        batch = TokenizedTexts.of(texts)
        self.move_to(max(self.next, int(batch.lengths.max())))
        logits = torch.empty(0)
        for forward_pass in LAYOUTS[PREFIX_TREE](self.model, batch):
            cache = _FirstTokens()
            inputs = {**forward_pass.inputs, "use_cache": True, "past_key_values": cache}
            in_row = self.model.array(forward_pass.rows)
            last = self.model.array(forward_pass.columns[np.arange(len(batch)), batch.lengths - 1])
            logits = LOGITS[self.logits](self.model.model, inputs, Needed(in_row, last), None)
            self._copy(cache, forward_pass, batch, self.model.tensor(rows))
        return logits

    def _copy(
        self, cache: "_FirstTokens", forward_pass: ForwardPass, batch: TokenizedTexts, into: torch.Tensor
    ) -> None:
        """Copy each text's keys and values from the tree to its row."""
        lengths = batch.lengths
        total = int(lengths.max())
        places = np.zeros((len(batch), total), dtype=np.int64)
        for k, length in enumerate(lengths.tolist()):
            places[k, total - length :] = forward_pass.columns[k, :length]
        in_row, columns = self.model.array(forward_pass.rows)[:, None], self.model.array(places)
        if not self.layers:
            self.layers = [(self._empty(keys), self._empty(values)) for keys, values in cache.states.values()]
        for states, kept in zip(cache.states.values(), self.layers, strict=True):
            for made, buffer in zip(states, kept, strict=True):
                buffer[into, :, self.next - total : self.next] = made[in_row, :, columns].transpose(1, 2)
        self.start[into] = self.next - self.model.array(lengths)

    def _empty(self, like: torch.Tensor) -> torch.Tensor:
        _, heads, _, width = like.shape
        # Zeros, because a masked value that is not a number would still spoil a weighted sum.
        return like.new_zeros(self.rows, heads, self.columns, width)

    def move_to(self, column: int) -> None:
        """Move the contents of all rows, so that this column is the next one to be written."""
        by = column - self.next
        if by and self.layers:
            kept = min(self.next, column)
            for buffer in (part for layer in self.layers for part in layer):
                buffer[:, :, column - kept : column] = buffer[:, :, self.next - kept : self.next].clone()
            self.start.add_(by).clamp_(min=0)  # rows that are no longer used may move out of the buffer
        self.next = column
        self.column.fill_(column)

    def longest(self, rows: int) -> int:
        """Return the number of used columns of the longest of the first rows."""
        return self.next - int(self.start[:rows].min())

    def copy_rows(self, rows: torch.Tensor, into: torch.Tensor) -> None:
        """Copy rows to other rows."""
        for buffer in (part for layer in self.layers for part in layer):
            buffer[into] = buffer[rows]
        self.start[into] = self.start[rows]

    def seen(self, rows: int, count: int = 1) -> tuple[int, int]:
        """Return the first and last column that a step of `count` tokens reads."""
        end = self.next + count
        if self.model.device.type == "cuda":
            return 0, min(self.columns, -(-end // self._part) * self._part)
        return self.next - self.longest(rows), end

    def next_logits(self, tokens: torch.Tensor, seen: tuple[int, int]) -> torch.Tensor:
        """Append tokens [rows, count] to the first rows; return the next-token logits.

        Runs without the host, except that the caller must advance `next`.
        """
        rows, count = tokens.shape
        after = self.column + self._place[:count]
        place = self._place[slice(*seen)]
        start = self.start[:rows, None]
        visible = (place >= start)[:, None, :] & (place <= after[:, None])[None]
        mask = torch.zeros(visible.shape, dtype=self.model.dtype, device=self.model.device)
        mask.masked_fill_(~visible, torch.finfo(self.model.dtype).min)
        inputs = {
            "input_ids": tokens,
            # Replies may grow by a few tokens after their end, until the host looks at them.
            "position_ids": (after - start).clamp_max(self.model.longest - 1),
            "attention_mask": mask[:, None],
            "past_key_values": _Rows(self, rows, after, seen),
            "use_cache": True,
        }
        with attending(_attend):
            logits: torch.Tensor = self.model.model(**inputs).logits
        self.column += count
        return logits[:, -1].float()


class _FirstTokens(DynamicCache):
    """The keys and values of a pass without earlier tokens; unlike transformers' own cache, it copies nothing."""

    def __init__(self) -> None:
        super().__init__()
        #: layer -> keys and values
        self.states: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, layer_idx: int, *_args: Any, **_kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Remember the keys and values of a layer."""
        self.states[layer_idx] = key_states, value_states
        return key_states, value_states


class _Rows(DynamicCache):
    """The first rows of a `RowCache`, as models see them in one step."""

    def __init__(self, cache: RowCache, rows: int, columns: torch.Tensor, seen: tuple[int, int]) -> None:
        super().__init__()
        self._cache, self._rows, self._columns, self._seen = cache, rows, columns, seen

    def get_seq_length(self, layer_idx: int = 0, *_args: Any, **_kwargs: Any) -> int:
        return self._cache.next

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, layer_idx: int, *_args: Any, **_kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Write keys and values into their columns; return all that are visible in this step."""
        keys, values = (buffer[: self._rows] for buffer in self._cache.layers[layer_idx])
        keys.index_copy_(2, self._columns, key_states)
        values.index_copy_(2, self._columns, value_states)
        first, end = self._seen
        return keys[:, :, first:end], values[:, :, first:end]


def _attend(
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    **kwargs: Any,
) -> tuple[torch.Tensor, None]:
    """Attend with one query per row, without copying keys and values for every head if heads are grouped.

    On a GPU, two products read keys and values about a quarter faster than torch's attention, which is made for many
    queries per row.
    """
    rows, heads, count, width = query.shape
    groups = heads // key.shape[1]
    special = any(kwargs.get(name) is not None for name in ("position_bias", "cache", "softcap"))
    gpu = query.device.type == "cuda"
    if count > 1 or (groups == 1 and not gpu) or special or attention_mask is None or attention_mask.shape[1] != 1:
        return sdpa_attention_forward(module, query, key, value, attention_mask, **kwargs)
    grouped, scale = query.reshape(rows, -1, groups, width), kwargs.get("scaling") or width**-0.5
    if gpu:
        scores = torch.matmul(grouped, key.transpose(-1, -2)).float() * scale + attention_mask
        output = torch.matmul(scores.softmax(-1).to(value.dtype), value)
    else:
        output = torch.nn.functional.scaled_dot_product_attention(
            grouped, key, value, attn_mask=attention_mask, scale=scale
        )
    return output.reshape(rows, 1, heads, -1), None


def choose_row_cache(model: LogitsModel, texts: Sequence[Path], strategy: Strategy, steps: int) -> Strategy:
    """Return the strategy for generating `steps` tokens after these prompts: with a row cache if that is exact."""
    if strategy.layout != PREFIX_TREE or not texts:
        return strategy
    kept = strategy._replace(rows=True)
    ends = min(texts, key=len), max(texts, key=len)
    grown = steps if _windowed(model.model.config) else min(steps, TRIED)
    reach = CheckedSize(len(ends[1]) + grown, len(ends[1]) - len(ends[0]) + grown)
    exact = model.exactness.is_exact(kept, reach, lambda: _try_rows(model, ends, kept, grown))
    return kept if exact else strategy


def _windowed(config: Any) -> bool:
    kinds = set(getattr(config, "layer_types", None) or ())
    return len(kinds) > 1 or any(getattr(config, name, None) for name in _WINDOWS)


def _try_rows(model: LogitsModel, ends: tuple[Path, Path], strategy: Strategy, steps: int) -> str | None:
    """Extend the shortest prompt, which has the most padding, and the longest; return why that failed, or None."""
    vocabulary = sorted(set(ends[1]))
    more = [tuple(vocabulary[(step * (2 + end)) % len(vocabulary)] for step in range(steps)) for end in (0, 1)]
    rows = RowCache(model, strategy.logits, 2, len(ends[1]) + steps)
    logits = rows.add(list(ends), (0, 1))
    for tokens in _parts(more):
        logits = rows.next_logits(torch.tensor(tokens, device=model.device), rows.seen(2, len(tokens[0])))
        rows.next += len(tokens[0])
    for k, (text, added) in enumerate(zip(ends, more, strict=True)):
        whole = (*text, *added)
        gap = model.exactness.gap(TokenizedTexts.of([whole]), logits[k : k + 1], np.array([len(whole) - 1]))
        if gap.share > 1:
            return f"logits differ by {gap.gap:.2g} after {len(whole)} tokens"
    return None


def _parts(more: Sequence[Path]) -> Iterator[list[Path]]:
    """Yield all tokens but the last, in one step, and then the last, as replies are generated."""
    for part in (slice(0, -1), slice(-1, None)):
        if more[0][part]:
            yield [row[part] for row in more]
