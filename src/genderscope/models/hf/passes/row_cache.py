"""Generates many replies side by side: each has its own left-padded row of the key-value cache.

Shared prefixes of the prompts are computed once, in a prefix tree, and its keys and values are copied to the rows. A
finished row makes room for the next prompt. Unlike in a growing tree (`prefix_cache`), a token attends to its own row
only, which suits long replies.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch

from genderscope.models.hf.passes.exactness_check import CheckedSize
from genderscope.models.hf.passes.layouts import LAYOUTS, ForwardPass
from genderscope.models.hf.passes.needed_logits import LOGITS
from genderscope.models.hf.passes.protocol import LogitsModel
from genderscope.models.hf.passes.strategies import PREFIX_TREE, Strategy
from genderscope.models.hf.passes.texts import Texts
from genderscope.models.hf.weights import one_line

Path = tuple[int, ...]

#: unused columns at the left of all rows are cut off from this many on
SLACK = 16
#: tokens that a check generates, unless the configuration limits attention to a window
TRIED = 24
#: settings that limit attention to a window
_WINDOWS = ("sliding_window", "attention_chunk_size", "window_size", "local_attention", "attention_window")


class RowCache:
    """A key-value cache with one row per text."""

    def __init__(self, model: LogitsModel, logits: str) -> None:
        self.model, self.logits = model, logits
        #: for each layer keys and values, [rows, heads, places, dimensions]
        self.kept: list[tuple[torch.Tensor, torch.Tensor]] = []
        #: number of used columns per row; all rows end at the right
        self.used: list[int] = []
        self.total = 0

    def __len__(self) -> int:
        return len(self.used)

    def add(self, texts: Sequence[Path]) -> torch.Tensor:
        """Add texts as new rows; return the logits of the next token of each."""
        from transformers import DynamicCache

        batch = Texts.of(texts)
        logits = torch.empty(0)
        for forward_pass in LAYOUTS[PREFIX_TREE](self.model, batch):
            cache = DynamicCache()
            inputs = {**forward_pass.inputs, "use_cache": True, "past_key_values": cache}
            rows = self.model.array(forward_pass.rows)
            last = self.model.array(forward_pass.columns[np.arange(len(batch)), batch.lengths - 1])
            logits = LOGITS[self.logits](self.model.model, inputs, rows, last, None, None)
            self._deal(cache, forward_pass, batch)
        return logits

    def _deal(self, cache: Any, forward_pass: ForwardPass, batch: Texts) -> None:
        """Copy the keys and values of each text from the tree to its row."""
        lengths = batch.lengths
        total = max(self.total, int(lengths.max()))
        places = np.zeros((len(batch), total), dtype=np.int64)
        for k, length in enumerate(lengths.tolist()):
            places[k, total - length :] = forward_pass.columns[k, :length]
        rows, columns = self.model.array(forward_pass.rows)[:, None], self.model.array(places)
        fresh = [tuple(part[rows, :, columns].transpose(1, 2) for part in layer) for layer in _layers(cache)]
        if self.used:
            fill = total - self.total
            fresh = [
                tuple(
                    torch.cat([torch.nn.functional.pad(old, (0, 0, fill, 0)), new])
                    for old, new in zip(olds, news, strict=True)
                )
                for olds, news in zip(self.kept, fresh, strict=True)
            ]
        self.kept = [(keys, values) for keys, values in fresh]
        self.used += lengths.tolist()
        self.total = total

    def next_logits(self, tokens: Sequence[Sequence[int]]) -> torch.Tensor:
        """Append equally many tokens to every row and return the logits of the next token."""
        from transformers import DynamicCache

        model, count = self.model, len(tokens[0])
        cache = DynamicCache()
        for number, (keys, values) in enumerate(self.kept):
            cache.update(keys, values, number)
        used = model.tensor(self.used)
        place = torch.arange(self.total + count, device=model.device)
        after = torch.arange(count, device=model.device)
        seen = (place >= self.total - used[:, None])[:, None, :] & (place <= self.total + after[:, None])[None]
        mask = torch.zeros(seen.shape, dtype=model.dtype, device=model.device)
        mask.masked_fill_(~seen, torch.finfo(model.dtype).min)
        inputs = {
            "input_ids": torch.tensor([list(row) for row in tokens], device=model.device),
            "position_ids": used[:, None] + after,
            "attention_mask": mask[:, None],
            "past_key_values": cache,
            "use_cache": True,
        }
        rows = torch.arange(len(self), device=model.device)
        logits = LOGITS[self.logits](model.model, inputs, rows, torch.full_like(rows, count - 1), None, None)
        self.kept = [(keys, values) for keys, values in _layers(cache)]
        self.used = [length + count for length in self.used]
        self.total += count
        return logits

    def keep(self, rows: Sequence[int]) -> None:
        """Keep only these rows, and cut off columns that none of them uses."""
        self.used = [self.used[k] for k in rows]
        if not rows:
            self.kept, self.total = [], 0
            return
        unused = self.total - max(self.used, default=0)
        cut = unused if unused >= SLACK else 0
        self.total -= cut
        chosen = self.model.tensor(rows)
        self.kept = [(keys[chosen, :, cut:], values[chosen, :, cut:]) for keys, values in self.kept]


def _layers(cache: Any) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    for layer in cache.layers:
        yield layer.keys, layer.values


def choose_row_cache(model: LogitsModel, texts: Sequence[Path], strategy: Strategy, steps: int) -> Strategy:
    """Return the strategy for generating `steps` tokens after these prompts: a row cache if it is exact.

    It is checked on the longest prompt and on the shortest, which has the most padding.
    """
    if strategy.layout != PREFIX_TREE or not texts:
        return strategy
    kept = strategy._replace(rows=True)
    ends = min(texts, key=len), max(texts, key=len)
    grown = steps if _windowed(model.model.config) else min(steps, TRIED)
    reach = CheckedSize(len(ends[1]) + grown, len(ends[1]) - len(ends[0]) + grown)
    exactness = model.exactness
    if reach.within(exactness.reached.get(kept)):
        return kept
    if kept in exactness.failed and reach.longest >= exactness.failed[kept][0]:
        return strategy
    with torch.inference_mode():
        failure = _try_rows(model, ends, kept, grown)
    if failure is not None:
        exactness.failed[kept] = reach.longest, failure
        return strategy
    exactness.reached[kept] = reach.joined(exactness.reached.get(kept))
    return kept


def _windowed(config: Any) -> bool:
    return (
        any(getattr(config, name, None) for name in _WINDOWS)
        or len(set(getattr(config, "layer_types", None) or ())) > 1
    )


def _try_rows(model: LogitsModel, ends: tuple[Path, Path], strategy: Strategy, steps: int) -> str | None:
    """Extend two rows token by token; return the failure, if any."""
    vocabulary = sorted(set(ends[1]))
    more = [tuple(vocabulary[(step * (2 + end)) % len(vocabulary)] for step in range(steps)) for end in (0, 1)]
    try:
        rows = RowCache(model, strategy.logits)
        logits = rows.add(list(ends))
        if steps > 1:
            rows.next_logits([row[:-1] for row in more])
        if steps:
            logits = rows.next_logits([row[-1:] for row in more])
        for k, (text, added) in enumerate(zip(ends, more, strict=True)):
            whole = (*text, *added)
            gap = model.exactness.gap(Texts.of([whole]), logits[k : k + 1], np.array([len(whole) - 1]))
            if gap.share > 1:
                return f"logits differ by {gap.gap:.2g} after {len(whole)} tokens"
    except (MemoryError, torch.OutOfMemoryError):
        raise
    except Exception as error:  # an architecture may fail on a cache with any exception
        return one_line(error)
    return None
