"""Cache of hidden states from exactness checks, so that the checked passes need not be run again."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from genderscope.models.hf.passes.strategies import Strategy
from genderscope.models.hf.passes.texts import Texts

#: number of passes to cache: a check runs at most two, the one with the longest text and the largest one
MOST = 2


@dataclass
class CachedPass:
    """A pass over texts and, once it has run, the input of its head: the hidden states in a module's output."""

    strategy: Strategy
    texts: Texts
    hidden: torch.Tensor | None = None
    module: Any = None
    output: Any = None


@dataclass
class HiddenStateCache:
    """The most recent passes of exactness checks."""

    passes: list[CachedPass] = field(default_factory=list)

    def of(self, strategy: Strategy, texts: Texts, keep: bool) -> CachedPass | None:
        """Return the cached pass over these texts, or None; with `keep`, add an entry if the strategy mixes lengths."""
        if not strategy.mixes or not keep:
            return self.find(strategy, texts)
        self.passes = [*self.passes, CachedPass(strategy, texts)][-MOST:]
        return self.passes[-1]

    def find(self, strategy: Strategy, texts: Texts) -> CachedPass | None:
        """Return the cached pass over exactly these texts, or None."""
        for kept in self.passes:
            alike = kept.strategy == strategy and np.array_equal(kept.texts.lengths, texts.lengths)
            if alike and kept.hidden is not None and np.array_equal(kept.texts.ids, texts.ids):
                return kept
        return None

    def forget(self) -> None:
        """Empty the cache."""
        self.passes.clear()
