"""Two outputs from one pass: the logits of a few tokens for all texts, and the normalisers for some."""

import numpy as np
import torch

from genderscope.models.hf.passes.hidden_state_cache import CachedPass
from genderscope.models.hf.passes.needed_logits import LOGITS, Needed, log_normalisers
from genderscope.models.hf.passes.protocol import LogitsModel
from genderscope.models.hf.passes.strategies import Strategy
from genderscope.models.hf.passes.texts import Array, Texts


def with_normalisers(
    model: LogitsModel, strategy: Strategy, texts: Texts, places: Array, tokens: torch.Tensor, full: Array, at_once: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the logits [texts, tokens] at one position per text, and the normalisers of the texts in `full`.

    The strategy's passes must be cacheable. `at_once` limits the number of vocabulary rows in memory.
    """
    [forward_pass] = model.forward_passes(strategy, texts)  # all texts share one pass
    kept = model.hidden_states.find(strategy._replace(both=False), texts) or CachedPass(strategy, texts)
    rows, columns = model.array(np.stack([forward_pass.rows, forward_pass.columns[np.arange(len(texts)), places]]))

    def head(chosen: slice | torch.Tensor, wanted: torch.Tensor | None) -> torch.Tensor:
        needed = Needed(rows[chosen], columns[chosen], wanted)
        return LOGITS[strategy.logits](model.model, forward_pass.inputs, needed, kept)

    logits = head(slice(None), tokens)
    sums = [log_normalisers(head(part, None)) for part in torch.split(model.array(full), at_once)]
    return logits, torch.cat(sums)
