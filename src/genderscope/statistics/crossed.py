"""Bootstrap for two crossed factors: identity terms within groups, and patterns that all terms share.

Every term occurs in (nearly) every pattern, so neither may be resampled alone: the pigeonhole bootstrap (Owen 2007)
draws both and weights a cell by the product of its draws.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

_CHUNK = 250


@dataclass(frozen=True)
class Cells:
    """The terms of one group: hits [terms, patterns, outcomes] among counts [terms, patterns]."""

    hits: Array
    counts: Array

    def shares(self) -> Array:
        """Return the share of hits for every outcome."""
        shares: Array = self.hits.sum(axis=(0, 1)) / self.counts.sum()
        return shares


def resampled(groups: Sequence[Cells], seed: int, resamples: int) -> tuple[list[Array], list[Array]]:
    """Return, for each group, resampled sums of hits [resamples, outcomes] and of counts [resamples].

    The patterns drawn are the same for all groups, so that differences between groups are paired by pattern.
    """
    patterns = groups[0].counts.shape[1]
    drawn = _draws(patterns, np.random.default_rng([seed, 0]), resamples)
    hits, counts = [], []
    for number, group in enumerate(groups, 1):
        terms = len(group.counts)
        weights = _draws(terms, np.random.default_rng([seed, number]), resamples)
        counts.append(((weights @ group.counts) * drawn).sum(axis=1))
        flat = group.hits.reshape(terms, -1)
        outcomes = group.hits.shape[2]
        parts = []
        for start in range(0, resamples, _CHUNK):
            part = (weights[start : start + _CHUNK] @ flat).reshape(-1, patterns, outcomes)
            parts.append(np.einsum("rpo,rp->ro", part, drawn[start : start + _CHUNK]))
        hits.append(np.concatenate(parts))
    return hits, counts


def _draws(size: int, generator: np.random.Generator, resamples: int) -> Array:
    return generator.multinomial(size, np.full(size, 1 / size), size=resamples).astype(np.float64)
