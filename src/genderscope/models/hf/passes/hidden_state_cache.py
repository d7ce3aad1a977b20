"""Keeps the hidden states of the passes that a trial has run, so that the questions of these passes need no other."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from genderscope.models.hf.passes.strategies import Strategy
from genderscope.models.hf.passes.texts import Texts

#: a trial runs the pass with the longest text and the widest pass
MOST = 2


@dataclass
class CachedPass:
    """A pass over texts; as soon as it has been run, the hidden states where its logits are cut.

    They are in the output of that module.
    """

    strategy: Strategy
    texts: Texts
    hidden: torch.Tensor | None = None
    module: Any = None
    output: Any = None


@dataclass
class HiddenStateCache:
    """The last passes of trials."""

    passes: list[CachedPass] = field(default_factory=list)

    def of(self, strategy: Strategy, texts: Texts, keep: bool) -> CachedPass | None:
        """Return the pass over these texts if it was run, or where it is to be kept; None if there are several."""
        if not strategy.mixes or not keep:
            return self.find(strategy, texts)
        self.passes = [*self.passes, CachedPass(strategy, texts)][-MOST:]
        return self.passes[-1]

    def find(self, strategy: Strategy, texts: Texts) -> CachedPass | None:
        """Return the pass over these very texts, if it was run."""
        for kept in self.passes:
            alike = kept.strategy == strategy and np.array_equal(kept.texts.lengths, texts.lengths)
            if alike and kept.hidden is not None and np.array_equal(kept.texts.ids, texts.ids):
                return kept
        return None

    def forget(self) -> None:
        """Keep nothing."""
        self.passes.clear()
