"""Reads many continuations with a causal model: a prefix tree that keeps what it has computed and grows token by token.

All texts and all their continuations stand in one row. A new token is computed once, attends to its ancestors in the
cache, and takes nothing else along: no text is read twice, no cache is copied or reordered, nothing is padded.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

import torch

from genderscope.models.packing import Pack
from genderscope.models.texts import Texts

if TYPE_CHECKING:
    from genderscope.models.causal import CausalModel

Path = tuple[int, ...]


class Reader(Protocol):
    """Gives the logits of the token after each path; asked again and again while the paths grow."""

    def next_logits(self, paths: Sequence[Path]) -> torch.Tensor:
        """Return [paths, vocabulary]."""


class Rereader:
    """Reads every path from its beginning: for architectures that cannot be packed."""

    def __init__(self, model: "CausalModel") -> None:
        self.model = model

    def next_logits(self, paths: Sequence[Path]) -> torch.Tensor:
        """Return [paths, vocabulary]."""
        model = self.model
        return model.logits_at(*model.last_positions(Texts.of(paths)), None)


class GrowingTree:
    """Keeps the keys and values of all it has read, and reads only what is new."""

    def __init__(self, model: "CausalModel") -> None:
        from transformers import DynamicCache

        self.model = model
        self.pack = Pack()
        self.cache = DynamicCache()

    def next_logits(self, paths: Sequence[Path]) -> torch.Tensor:
        """Return [paths, vocabulary]."""
        model, pack = self.model, self.pack
        known = len(pack.tokens)
        ends = [pack.add(path)[-1] for path in paths]
        # The continuation of a text may be the beginning of another: such a token is read once more for its logits.
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
        return model.logits(model.model, inputs, torch.zeros_like(columns), columns, None)

    def _line(self, node: int) -> Iterator[int]:
        """Yield a node and its ancestors."""
        while node >= 0:
            yield node
            node = self.pack.parents[node]

    def _again(self, node: int) -> int:
        """Add a copy of a node that is in the cache already."""
        for kept in (self.pack.tokens, self.pack.parents, self.pack.depths):
            kept.append(kept[node])
        return len(self.pack.tokens) - 1


def reader(model: "CausalModel") -> Reader:
    """Return a growing tree where it gives the model's own numbers, else the plain way."""
    if model.grows is None:
        model.grows = model.packs and _grows(model)
    return GrowingTree(model) if model.grows else Rereader(model)


def _grows(model: "CausalModel") -> bool:
    """Try on two short texts whether growing gives the same logits as reading each text from its beginning."""
    from genderscope.models.causal import PROBE

    ids = tuple(model.tokenizer(PROBE)["input_ids"])
    begun = [ids[:4], ids[:2] + ids[3:5]]
    grown = [begun[0] + ids[1:2], begun[0] + ids[2:3], begun[1] + ids[1:2]]
    plain = torch.cat([model.model(input_ids=model.tensor(path)[None]).logits[:, -1].float() for path in grown])

    def fast() -> torch.Tensor:
        tree = GrowingTree(model)
        tree.next_logits(begun)
        return tree.next_logits(grown)

    return model.agree(fast, plain)
