"""Generation of many continuations with a causal model: a prefix tree with a key-value cache.

All texts and continuations share one row. Each new token is computed once and attends to its ancestors in the cache:
no text is computed twice, no cache is copied or reordered, and nothing is padded.
"""

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter

import numpy as np
import torch

from genderscope.models.hf.passes.exactness_check import CheckedSize
from genderscope.models.hf.passes.needed_logits import LOGITS, Needed
from genderscope.models.hf.passes.prefix_tree import Pack
from genderscope.models.hf.passes.protocol import LogitsModel
from genderscope.models.hf.passes.strategies import PREFIX_TREE, Strategy
from genderscope.models.hf.passes.texts import Texts

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
        known = len(pack.tokens)
        ends = [pack.add(path)[-1] for path in paths]
        # A path may end inside another path already in the cache; its last token is then recomputed to get its logits.
        ends = [end if end >= known else self._again(end) for end in ends]
        attends = [(node - known, seen) for node in range(known, len(pack.tokens)) for seen in self._line(node)]
        mask = torch.full((len(pack.tokens) - known, len(pack.tokens)), torch.finfo(model.dtype).min, dtype=model.dtype)
        mask[tuple(torch.tensor(attends).T)] = 0
        inputs = {
            "input_ids": model.tensor(pack.tokens[known:])[None],
            "position_ids": model.tensor(pack.depths[known:])[None],
            "attention_mask": mask[None, None].to(model.device),
            "past_key_values": self.cache,
            "use_cache": True,
        }
        columns = model.tensor(end - known for end in ends)
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
        texts = Texts.of(paths)
        return model.logits_of(strategy, texts, np.arange(len(texts)), texts.lengths - 1, None)

    return reread


def choose_prefix_cache(
    model: LogitsModel, batches: Sequence[Texts], strategy: Strategy, beams: int, steps: int
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


def _try_cache(model: LogitsModel, texts: Texts, strategy: Strategy, beams: int, steps: int) -> str | None:
    """Extend the longest text in a batch along every beam; return why the cache is inexact, or None."""
    paths = [tuple(texts[np.array([k])].ids.tolist()) for k in range(len(texts))]
    longest = max(paths, key=len)
    known = sorted(set(longest))
    tree = PrefixCache(model, strategy.logits)
    tree.next_logits(list(dict.fromkeys(paths)))
    grown = [longest] * beams
    for step in range(steps):
        grown = [(*path, known[(step + beam) % len(known)]) for beam, path in enumerate(grown)]
        logits = tree.next_logits(list(dict.fromkeys(grown)))
    checked = list(dict.fromkeys(grown))[-1]
    gap = model.exactness.gap(Texts.of([checked]), logits[-1:], np.array([len(checked) - 1]))
    return None if gap.share <= 1 else f"logits differ by {gap.gap:.2g} after {len(checked)} tokens"
