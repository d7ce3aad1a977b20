"""Keeps the hidden states of the passes that a trial has run, so that the questions of these passes need no other."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from genderscope.models.hf.passes.texts import Texts
from genderscope.models.hf.passes.ways import Way

#: a trial runs the pass with the longest text and the widest pass
MOST = 2


@dataclass
class KeptPass:
    """A pass over texts; as soon as it has been run, the hidden states where its logits are cut.

    They are in the output of that module.
    """

    way: Way
    texts: Texts
    hidden: torch.Tensor | None = None
    module: Any = None
    output: Any = None


@dataclass
class KeptPasses:
    """The last passes of trials."""

    passes: list[KeptPass] = field(default_factory=list)

    def of(self, way: Way, texts: Texts, keep: bool) -> KeptPass | None:
        """Return the pass over these texts if it was run, or where it is to be kept; None if there are several."""
        if not way.mixes or not keep:
            return self.find(way, texts)
        self.passes = [*self.passes, KeptPass(way, texts)][-MOST:]
        return self.passes[-1]

    def find(self, way: Way, texts: Texts) -> KeptPass | None:
        """Return the pass over these very texts, if it was run."""
        for kept in self.passes:
            alike = kept.way == way and np.array_equal(kept.texts.lengths, texts.lengths)
            if alike and kept.hidden is not None and np.array_equal(kept.texts.ids, texts.ids):
                return kept
        return None

    def forget(self) -> None:
        """Keep nothing."""
        self.passes.clear()
