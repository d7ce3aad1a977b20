"""One pass for two heads: logits of a few tokens at all texts, normalisers of whole vocabulary rows at some."""

import numpy as np
import torch

from genderscope.models.hf.passes.kept import KeptPass
from genderscope.models.hf.passes.needed_logits import LOGITS
from genderscope.models.hf.passes.normalisers import log_normalisers
from genderscope.models.hf.passes.readable import Readable
from genderscope.models.hf.passes.texts import Array, Texts
from genderscope.models.hf.passes.ways import Way


def with_normalisers(
    model: Readable, way: Way, texts: Texts, places: Array, tokens: torch.Tensor, full: Array, at_once: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the logits [texts, tokens] at a place of each text, and the normalisers at those of some (`full`).

    The way must be one whose passes can be kept. `at_once` bounds the vocabulary rows that are in memory.
    """
    [laid] = model.laid_out(way, texts)  # all texts are in one pass
    kept = model.tried.find(way._replace(both=False), texts) or KeptPass(way, texts)
    rows, columns = model.array(np.stack([laid.rows, laid.columns[np.arange(len(texts)), places]]))

    def head(chosen: slice | torch.Tensor, wanted: torch.Tensor | None) -> torch.Tensor:
        return LOGITS[way.logits](model.model, laid.inputs, rows[chosen], columns[chosen], wanted, kept)

    logits = head(slice(None), tokens)
    sums = [log_normalisers(head(part, None)) for part in torch.split(model.array(full), at_once)]
    return logits, torch.cat(sums)
