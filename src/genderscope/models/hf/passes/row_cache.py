"""Reads many replies side by side while they grow: each has a row of its own in the cache, filled up on the left.

What the prompts have in common is read once, in a prefix tree; what was kept of it is then dealt out to the rows. A row
that ends makes room for the next prompt. Unlike in a tree that grows (`prefix_cache`), a token is compared with its own
row only, which is what long replies need.
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

#: so many unused places at the left of all rows are cut off
SLACK = 16
#: Tokens that a trial goes on, where nothing in the configuration says that length changes what a token looks at.
TRIED = 24
#: settings of models in which a token does not look at all before it
_WINDOWS = ("sliding_window", "attention_chunk_size", "window_size", "local_attention", "attention_window")


class RowCache:
    """Rows of texts with what the model keeps of them."""

    def __init__(self, model: LogitsModel, logits: str) -> None:
        self.model, self.logits = model, logits
        #: for each layer keys and values, [rows, heads, places, dimensions]
        self.kept: list[tuple[torch.Tensor, torch.Tensor]] = []
        #: how many places of each row are in use; they end together, at the right
        self.used: list[int] = []
        self.total = 0

    def __len__(self) -> int:
        return len(self.used)

    def add(self, texts: Sequence[Path]) -> torch.Tensor:
        """Read texts into rows of their own, after those that are there; return the logits of what comes next."""
        from transformers import DynamicCache

        batch = Texts.of(texts)
        found = torch.empty(0)
        for forward_pass in LAYOUTS[PREFIX_TREE](self.model, batch):
            cache = DynamicCache()
            inputs = {**forward_pass.inputs, "use_cache": True, "past_key_values": cache}
            rows = self.model.array(forward_pass.rows)
            last = self.model.array(forward_pass.columns[np.arange(len(batch)), batch.lengths - 1])
            found = LOGITS[self.logits](self.model.model, inputs, rows, last, None, None)
            self._deal(cache, forward_pass, batch)
        return found

    def _deal(self, cache: Any, forward_pass: ForwardPass, batch: Texts) -> None:
        """Copy what was kept of each text from the tree into a row of its own."""
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
        """Append equally many tokens to every row and return the logits of what comes next."""
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
            "input_ids": torch.tensor([list(each) for each in tokens], device=model.device),
            "position_ids": used[:, None] + after,
            "attention_mask": mask[:, None],
            "past_key_values": cache,
            "use_cache": True,
        }
        rows = torch.arange(len(self), device=model.device)
        found = LOGITS[self.logits](model.model, inputs, rows, torch.full_like(rows, count - 1), None, None)
        self.kept = [(keys, values) for keys, values in _layers(cache)]
        self.used = [length + count for length in self.used]
        self.total += count
        return found

    def keep(self, rows: Sequence[int]) -> None:
        """Drop all other rows, and the places that none of those that stay uses."""
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
    """Return the way in which replies to these prompts grow by so many tokens: side by side where that is exact.

    Tried as it will be used, on the longest prompt and the shortest, which is filled up the most.
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
    """Let two rows grow and say how that failed, if it did."""
    known = sorted(set(ends[1]))
    more = [tuple(known[(step * (2 + end)) % len(known)] for step in range(steps)) for end in (0, 1)]
    try:
        rows = RowCache(model, strategy.logits)
        found = rows.add(list(ends))
        if steps > 1:
            rows.next_logits([each[:-1] for each in more])
        if steps:
            found = rows.next_logits([each[-1:] for each in more])
        for k, (text, added) in enumerate(zip(ends, more, strict=True)):
            whole = (*text, *added)
            gap = model.exactness.gap(Texts.of([whole]), found[k : k + 1], np.array([len(whole) - 1]))
            if gap.share > 1:
                return f"logits differ by {gap.gap:.2g} after {len(whole)} tokens"
    except (MemoryError, torch.OutOfMemoryError):
        raise
    except Exception as error:  # an architecture may refuse a cache in any way it likes
        return one_line(error)
    return None
