"""Caches the hidden states of passes run by an exactness check, so that their questions need no second pass."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from genderscope.models.hf.passes.strategies import Strategy
from genderscope.models.hf.passes.texts import Texts

#: a check runs the pass with the longest text and the widest pass
MOST = 2


@dataclass
class CachedPass:
    """A pass over texts. Once it has run, `hidden` are the states at the point where logits are cut.

    They are part of `output`, the output of `module`.
    """

    strategy: Strategy
    texts: Texts
    hidden: torch.Tensor | None = None
    module: Any = None
    output: Any = None


@dataclass
class HiddenStateCache:
    """The last passes of exactness checks."""

    passes: list[CachedPass] = field(default_factory=list)

    def of(self, strategy: Strategy, texts: Texts, keep: bool) -> CachedPass | None:
        """Return the cached pass over these texts, or with `keep` a new entry to fill; None if there is neither."""
        if not strategy.mixes or not keep:
            return self.find(strategy, texts)
        self.passes = [*self.passes, CachedPass(strategy, texts)][-MOST:]
        return self.passes[-1]

    def find(self, strategy: Strategy, texts: Texts) -> CachedPass | None:
        """Return the cached pass over exactly these texts, if there is one."""
        for kept in self.passes:
            alike = kept.strategy == strategy and np.array_equal(kept.texts.lengths, texts.lengths)
            if alike and kept.hidden is not None and np.array_equal(kept.texts.ids, texts.ids):
                return kept
        return None

    def forget(self) -> None:
        """Empty the cache."""
        self.passes.clear()
